package target

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"cruxconform/spec"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// file is the text of a target file after its schema accepted it.
type file struct {
	Name       string
	URL        map[string]any
	Launch     *launchText
	Bridge     *struct{ Command any }
	CAFile     string `yaml:"ca_file"`
	Store      string
	Disposable bool
	Declares   struct {
		CapabilityToken string `yaml:"capability_token"`
		Corpus          *Corpus
	}
}

type launchText struct {
	Command any
	Env     map[string]string
	Ready   string
	Setups  []string
}

// Load reads a target file. Every error names the file, the place in it and
// what would be right.
func Load(path string) (*Target, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("target file: %w", err)
	}
	t, err := parse(raw)
	if err != nil {
		return nil, fmt.Errorf("target file %s: %w", path, err)
	}
	if t.Name == "" {
		t.Name = filepath.Base(path)
	}
	return t, nil
}

func parse(raw []byte) (*Target, error) {
	var plain, more any
	documents := yaml.NewDecoder(bytes.NewReader(raw))
	if err := documents.Decode(&plain); err != nil && err != io.EOF {
		return nil, fmt.Errorf("not readable as YAML: %s", strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	if documents.Decode(&more) != io.EOF {
		return nil, errors.New("holds more than one YAML document; leave one, and run each of the others by itself")
	}
	if plain == nil {
		return nil, errors.New("is empty; it needs a url or a launch block")
	}
	if err := schema().Validate(plain); err != nil {
		return nil, explain(err)
	}
	var f file
	if err := yaml.Unmarshal(raw, &f); err != nil {
		return nil, err
	}
	return f.target()
}

var schema = sync.OnceValue(func() *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(spec.TargetSchema))
	if err != nil {
		panic(fmt.Sprintf("target: embedded schema: %v", err))
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("target.schema.json", doc); err != nil {
		panic(fmt.Sprintf("target: embedded schema: %v", err))
	}
	return c.MustCompile("target.schema.json")
})

// explain names each place that the schema refuses.
func explain(err error) error {
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return err
	}
	p := message.NewPrinter(language.English)
	seen := map[string]bool{}
	var lines []string
	var walk func(v *jsonschema.ValidationError)
	walk = func(v *jsonschema.ValidationError) {
		for _, c := range v.Causes {
			walk(c)
		}
		if len(v.Causes) > 0 {
			return
		}
		place := strings.Join(v.InstanceLocation, ".")
		if place == "" {
			place = "top level"
		}
		line := place + ": " + v.ErrorKind.LocalizedString(p)
		if k, ok := v.ErrorKind.(*kind.OneOf); ok && len(v.InstanceLocation) == 0 && len(k.Subschemas) > 1 {
			line = "two targets at once; give one of url and launch"
		}
		if strings.HasSuffix(place, ".token") {
			line = place + ": must be env:NAME, the name of a variable that holds the token, never the token itself"
		}
		if !seen[line] {
			seen[line] = true
			lines = append(lines, line)
		}
	}
	walk(v)
	return fmt.Errorf("%s (the keys are described by the schema: cruxconform schema target)", strings.Join(lines, "; "))
}

func (f *file) target() (*Target, error) {
	t := &Target{
		Name: f.Name, How: "target file", CAFile: f.CAFile, Corpus: f.Declares.Corpus,
		Shared: f.Store == "shared", Disposable: f.Disposable,
	}
	if f.Declares.CapabilityToken == "attached" {
		t.CapabilityToken = "attached"
	}
	var err error
	if f.Bridge != nil {
		if t.Bridge, err = words(f.Bridge.Command); err != nil {
			return nil, fmt.Errorf("bridge.command: %w", err)
		}
	}
	if f.Launch != nil {
		t.Launch, err = f.Launch.launch()
		return t, err
	}
	t.Running = map[string]Endpoint{}
	for setup, v := range f.URL {
		if err := KnownSetup(setup); err != nil {
			return nil, fmt.Errorf("url.%s: %w", setup, err)
		}
		if t.Running[setup], err = endpoint(v); err != nil {
			return nil, fmt.Errorf("url.%s: %w", setup, err)
		}
	}
	return t, nil
}

func endpoint(v any) (Endpoint, error) {
	e := Endpoint{}
	switch v := v.(type) {
	case string:
		e.MCP = v
	case map[string]any:
		e.MCP, _ = v["mcp"].(string)
		e.API, _ = v["api"].(string)
		if name, ok := v["token"].(string); ok {
			token, err := FromEnv(strings.TrimPrefix(name, "env:"))
			if err != nil {
				return e, err
			}
			e.Token = token
		}
	}
	if e.API != "" {
		if err := CheckURL(e.API); err != nil {
			return e, err
		}
	}
	return e, CheckURL(e.MCP)
}

// FromEnv reads a secret from a named variable. The error names the variable,
// never its value.
func FromEnv(name string) (string, error) {
	v := os.Getenv(name)
	switch {
	case v == "":
		return "", fmt.Errorf("variable %s is not set or empty; export it with the token", name)
	case strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "", fmt.Errorf("variable %s holds a control character (a line end?); a token is one line", name)
	}
	return v, nil
}

func (l *launchText) launch() (*Launch, error) {
	out := &Launch{Env: map[string]string{}, Setups: l.Setups}
	var err error
	if out.Command, err = words(l.Command); err != nil {
		return nil, fmt.Errorf("launch.command: %w", err)
	}
	for k, v := range l.Env {
		if name, ok := strings.CutPrefix(v, "env:"); ok {
			secret, err := FromEnv(name)
			if err != nil {
				return nil, fmt.Errorf("launch.env.%s: %w", k, err)
			}
			v = secret
			out.Secrets = append(out.Secrets, secret)
		}
		out.Env[k] = v
	}
	for _, s := range l.Setups {
		if err := KnownSetup(s); err != nil {
			return nil, fmt.Errorf("launch.setups: %w", err)
		}
	}
	if l.Ready != "" {
		d, err := time.ParseDuration(l.Ready)
		if err != nil || d <= 0 {
			return nil, fmt.Errorf("launch.ready: %q is not a positive duration such as 20s", l.Ready)
		}
		out.Ready = d
	}
	return out, nil
}

// words reads a command that is a list or one line.
func words(command any) ([]string, error) {
	list, ok := command.([]any)
	if !ok {
		line, _ := command.(string) // the schema allows nothing else
		return Split(line)
	}
	var out []string
	for _, w := range list {
		out = append(out, fmt.Sprint(w))
	}
	return out, nil
}

// KnownSetup refuses a name that no setup has and lists those that there are.
func KnownSetup(name string) error {
	if _, ok := spec.FindSetup(name); ok {
		return nil
	}
	var names []string
	for _, s := range spec.Ledger().Setups {
		names = append(names, s.Name)
	}
	return fmt.Errorf("no setup is named %q; the setups are %s", name, strings.Join(names, ", "))
}

// Split cuts a command line at blanks outside single and double quotes. No
// variable, glob or escape is expanded.
func Split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, open = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("command %q has a quote %c that is not closed", line, quote)
	}
	if open {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, fmt.Errorf("command %q names no program", line)
	}
	return words, nil
}
