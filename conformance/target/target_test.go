package target

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"serve":                    {"serve"},
		"  serve  --a  b ":         {"serve", "--a", "b"},
		"sh -c 'exit 3'":           {"sh", "-c", "exit 3"},
		`serve "a 'b' c"`:          {"serve", "a 'b' c"},
		"serve ''":                 {"serve", ""},
		"serve --name='two words'": {"serve", "--name=two words"},
	} {
		got, err := Split(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Split(%q) = %q, %v; expected %q", line, got, err, want)
		}
	}
	for _, line := range []string{"", "  ", "serve 'open", `serve "open`, "'' serve"} {
		if got, err := Split(line); err == nil {
			t.Errorf("Split(%q) = %q, expected an error", line, got)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for _, url := range []string{"http://127.0.0.1:14801/mcp", "https://example.com", "http://[::1]:1/any/path?x=1"} {
		if err := CheckURL(url); err != nil {
			t.Errorf("CheckURL(%q): %v", url, err)
		}
	}
	for url, says := range map[string]string{
		"127.0.0.1:14801/mcp":         "no scheme",
		"ftp://example.com/mcp":       "neither http:// nor https://",
		"http:///mcp":                 "no host",
		"http://example.com:/mcp":     "empty port",
		"http://example.com/mcp#x":    "fragment",
		"http://a:b@example.com/mcp":  "--token-env",
		"http://a:topsecret@%zz/mcp":  "not readable",
		"a:topsecret@example.com/mcp": "no scheme",
	} {
		err := CheckURL(url)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("CheckURL(%q) = %v, expected it to say %q", url, err, says)
		}
		if err != nil && strings.Contains(err.Error(), "topsecret") {
			t.Errorf("CheckURL(%q) shows the credentials: %v", url, err)
		}
	}
}

func TestTargetFileIsRead(t *testing.T) {
	t.Setenv("TARGET_TEST_TOKEN", "a-token")
	running, err := parse([]byte("name: mine\nurl:\n  default: http://h:1/mcp\n  tokens: {mcp: 'http://h:2/mcp', api: 'http://h:3', token: 'env:TARGET_TEST_TOKEN'}\nstore: shared\ndeclares:\n  capability_token: attached\n  corpus: {tenant: t, query: q, hits: 3}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if running.Launched() || !running.Offers("tokens") || running.Offers("mint") || !running.Shared {
		t.Errorf("read as %+v", running)
	}
	if e := running.Running["tokens"]; e.MCP != "http://h:2/mcp" || e.API != "http://h:3" || e.Token != "a-token" {
		t.Errorf("endpoint read as %+v", e)
	}
	if !running.Declares("capability_token: attached") || running.Declares("") || running.Corpus.Hits != 3 {
		t.Errorf("declarations read as %+v", running)
	}
	if one := running.In("default"); len(one.Running) != 1 || slices.Contains(running.Secrets(one.Running["default"]), "a-token") {
		t.Error("the worker of another setup is given the token")
	}
	launched, err := parse([]byte("launch: {command: [serve, --quiet], env: {KEY: 'env:TARGET_TEST_TOKEN', PLAIN: x}, setups: [default, mint], ready: 3s}\n"))
	if err != nil {
		t.Fatal(err)
	}
	l := launched.Launch
	if !slices.Equal(l.Command, []string{"serve", "--quiet"}) || l.Env["KEY"] != "a-token" || l.Env["PLAIN"] != "x" || l.Ready.String() != "3s" {
		t.Errorf("launch read as %+v", l)
	}
	if launched.Offers("minimal") || !launched.Offers("mint") || !slices.Equal(launched.Secrets(Endpoint{}), []string{"a-token"}) {
		t.Errorf("launched target read as %+v", launched)
	}
}

func TestTailHidesSecretsAndStaysShort(t *testing.T) {
	tl := &tail{secrets: []string{"hush-hush"}}
	if got := tl.String(); got != "(none)" {
		t.Errorf("an empty tail is %q", got)
	}
	tl.Write([]byte(strings.Repeat("x", 5000) + "the key is hush-hush"))
	if got := tl.String(); strings.Contains(got, "hush-hush") || !strings.HasSuffix(got, "the key is [redacted]") || len(got) > 2200 {
		t.Errorf("tail is %d bytes and ends in %q", len(got), got[max(0, len(got)-40):])
	}
}
