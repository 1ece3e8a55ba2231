package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUsage: every mistake of the caller ends with code 2 before anything is
// started, and the message names the thing and the remedy.
func TestUsage(t *testing.T) {
	t.Setenv("CRUXCONFORM_TEST_EMPTY", "")
	t.Setenv("CRUXCONFORM_TEST_LINES", "two\nlines")
	dir := t.TempDir()
	notPEM := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(notPEM, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := "http://127.0.0.1:1/mcp"
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"an unknown flag":            {[]string{"run", "--colour"}, []string{"--colour", "--help"}},
		"an unknown command":         {[]string{"test"}, []string{"test"}},
		"a mistyped id":              {[]string{"run", "--id", "11.4-2"}, []string{`"11.4-2"`, "11.4-02"}},
		"an id that names nothing":   {[]string{"run", "--id", "99.9-99"}, []string{"cruxconform list"}},
		"a mistyped class":           {[]string{"run", "--class", "cor"}, []string{`"cor"`, "core"}},
		"a mistyped claim":           {[]string{"run", "--claim", "everything"}, []string{`"everything"`, "catalogue"}},
		"a mistyped section":         {[]string{"run", "--section", "11.44"}, []string{`"11.44"`, "11.4"}},
		"a mistyped setup":           {[]string{"run", "--setup", "defaults"}, []string{`"defaults"`, "default"}},
		"a selection of nothing":     {[]string{"run", "--class", "core", "--section", "10.1"}, []string{"matches no", "cruxconform list"}},
		"an unknown format":          {[]string{"run", "--format", "xml"}, []string{"xml", "junit"}},
		"-o without a format":        {[]string{"run", "-o", filepath.Join(dir, "x")}, []string{"--format"}},
		"-o twice for one format":    {[]string{"run", "--format", "json", "-o", filepath.Join(dir, "a"), "-o", filepath.Join(dir, "b")}, []string{"--format"}},
		"two reports for one file":   {[]string{"run", "--format", "json", "-o", filepath.Join(dir, "x"), "--format", "junit", "-o", filepath.Join(dir, "x")}, []string{"two reports"}},
		"two reports for stdout":     {[]string{"run", "--format", "json", "--format", "junit"}, []string{"standard output", "-o"}},
		"-o into no directory":       {[]string{"run", "--format", "json", "-o", filepath.Join(dir, "no", "x.json")}, []string{"no/x.json"}},
		"-o onto a directory":        {[]string{"run", "--format", "json", "-o", dir}, []string{"is a directory"}},
		"no repetition":              {[]string{"run", "--repeat", "0"}, []string{"--repeat", "1..1000"}},
		"a repetition of words":      {[]string{"run", "--repeat", "twice"}, []string{"--repeat"}},
		"a budget of nothing":        {[]string{"run", "--timeout", "0s"}, []string{"--timeout", "5m"}},
		"a budget of words":          {[]string{"run", "--timeout", "soon"}, []string{"--timeout"}},
		"a request bound below zero": {[]string{"run", "--request-timeout=-1s"}, []string{"--request-timeout", "5s"}},
		"a seed of words":            {[]string{"run", "--shuffle", "well"}, []string{"--shuffle"}},
		"a seed that is none":        {[]string{"run", "--shuffle", "0"}, []string{"--shuffle", "such as 1"}},
		"an unset url":               {[]string{"run", "--url", ""}, []string{"--url is empty", "leave it out"}},
		"an unset url without run":   {[]string{"--url="}, []string{"--url is empty"}},
		"an unset target file":       {[]string{"run", "--target", ""}, []string{"--target is empty"}},
		"an unset launch":            {[]string{"run", "--launch", ""}, []string{"--launch is empty"}},
		"an unset bridge":            {[]string{"run", "--bridge", ""}, []string{"--bridge is empty"}},
		"an unset token name":        {[]string{"run", "--url", url, "--token-env", ""}, []string{"--token-env is empty"}},
		"an unset claim":             {[]string{"run", "--claim", ""}, []string{"--claim is empty"}},
		"an unset id":                {[]string{"run", "--id", ""}, []string{"--id is empty"}},
		"an unset class":             {[]string{"run", "--class", ""}, []string{"--class is empty"}},
		"an unset evidence folder":   {[]string{"run", "--evidence", ""}, []string{"--evidence is empty"}},
		"an unset url of a list":     {[]string{"list", "--url", ""}, []string{"--url is empty"}},
		"two targets":                {[]string{"run", "--url", url, "--launch", "true"}, []string{"two targets", "--launch"}},
		"an api without a url":       {[]string{"run", "--api", "http://127.0.0.1:1"}, []string{"--url"}},
		"a url without a scheme":     {[]string{"run", "--url", "127.0.0.1:14801/mcp"}, []string{"http://"}},
		"a url of another scheme":    {[]string{"run", "--url", "ftp://127.0.0.1/mcp"}, []string{"http://"}},
		"a url without a host":       {[]string{"run", "--url", "http:///mcp"}, []string{"no host"}},
		"a url with credentials":     {[]string{"run", "--url", "http://me:topsecret@127.0.0.1/mcp"}, []string{"credentials", "--token-env"}},
		"an api url without scheme":  {[]string{"run", "--url", url, "--api", "localhost:14800"}, []string{"--api"}},
		"an unset token variable":    {[]string{"run", "--url", url, "--token-env", "CRUXCONFORM_TEST_UNSET"}, []string{"CRUXCONFORM_TEST_UNSET", "export"}},
		"an empty token variable":    {[]string{"run", "--url", url, "--token-env", "CRUXCONFORM_TEST_EMPTY"}, []string{"CRUXCONFORM_TEST_EMPTY"}},
		"a token of two lines":       {[]string{"run", "--url", url, "--token-env", "CRUXCONFORM_TEST_LINES"}, []string{"one line"}},
		"two setups for one url":     {[]string{"run", "--url", url, "--setup", "mint", "--setup", "minimal"}, []string{"once"}},
		"a CA file that is missing":  {[]string{"run", "--url", url, "--ca-file", filepath.Join(dir, "no.pem")}, []string{"--ca-file", "no.pem"}},
		"a CA file without PEM":      {[]string{"run", "--url", url, "--ca-file", notPEM}, []string{"no PEM certificate"}},
		"an open quote in a launch":  {[]string{"run", "--launch", "sh -c 'exit"}, []string{"not closed"}},
		"an open quote in a bridge":  {[]string{"run", "--bridge", "sh -c 'exit"}, []string{"--bridge", "not closed"}},
		"an empty launch":            {[]string{"run", "--launch", " "}, []string{"names no program"}},
		"explain of a mistyped id":   {[]string{"explain", "11.4-2"}, []string{"11.4-02"}},
		"a schema that is not there": {[]string{"schema", "ledger"}, []string{"ledger"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := cruxconform(t, c.args...)
			o.expect(t, 2, c.says...)
		})
	}
}

func TestCredentialsInAURLAreNotShown(t *testing.T) {
	o := cruxconform(t, "run", "--url", "http://me:topsecret@127.0.0.1/mcp")
	o.expect(t, 2)
	if got := o.text(); contains(got, "topsecret") {
		t.Errorf("the message shows the credentials:\n%s", got)
	}
}

// TestTargetFiles: what is wrong with a target file is said with the file, the
// place and the remedy.
func TestTargetFiles(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		says []string
	}{
		"an empty file":             {"", []string{"is empty"}},
		"no YAML":                   {"url: [", []string{"YAML"}},
		"neither url nor launch":    {"name: x\n", []string{"url", "launch"}},
		"both url and launch":       {"url: {default: 'http://127.0.0.1:1/mcp'}\nlaunch: {command: x}\n", []string{"two targets at once", "one of url and launch"}},
		"two documents":             {"url: {default: 'http://127.0.0.1:1/mcp'}\n---\nlaunch: {command: x}\n", []string{"more than one YAML document", "leave one"}},
		"an unknown key":            {"url: {default: 'http://127.0.0.1:1/mcp'}\ntokens: x\n", []string{"tokens"}},
		"a wrong type":              {"launch: {command: x, ready: 5}\n", []string{"launch.ready", "string"}},
		"a token in the text":       {"url: {tokens: {mcp: 'http://127.0.0.1:1/mcp', token: abcdef}}\n", []string{"url.tokens.token", "env:NAME"}},
		"a token variable unset":    {"url: {tokens: {mcp: 'http://127.0.0.1:1/mcp', token: 'env:CRUXCONFORM_TEST_UNSET'}}\n", []string{"CRUXCONFORM_TEST_UNSET", "export"}},
		"an unknown setup":          {"url: {defaults: 'http://127.0.0.1:1/mcp'}\n", []string{"defaults", "default"}},
		"credentials in a url":      {"url: {default: 'http://a:b@127.0.0.1/mcp'}\n", []string{"credentials"}},
		"a launch of an odd time":   {"launch: {command: x, ready: 0s}\n", []string{"launch.ready", "20s"}},
		"a bridge without command":  {"url: {default: 'http://127.0.0.1:1/mcp'}\nbridge: {}\n", []string{"bridge", "command"}},
		"a bridge of an open quote": {"url: {default: 'http://127.0.0.1:1/mcp'}\nbridge: {command: \"'x\"}\n", []string{"bridge.command", "not closed"}},
		"a corpus without hits":     {"url: {default: 'http://127.0.0.1:1/mcp'}\ndeclares: {corpus: {tenant: a, query: b}}\n", []string{"declares.corpus", "hits"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "target.yaml")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			cruxconform(t, "run", "--target", path).expect(t, 2, append(c.says, path)...)
		})
	}
	t.Run("a file that is missing", func(t *testing.T) {
		cruxconform(t, "run", "--target", "no-such-file.yaml").expect(t, 2, "no-such-file.yaml")
	})
}
