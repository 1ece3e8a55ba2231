package main

import (
	"errors"
	"fmt"
	"os"

	"cruxconform/conformance/runner"
	"cruxconform/conformance/target"
)

// targetFlags say which server is meant. Flags that name one exclude each other.
type targetFlags struct {
	URL      string   `placeholder:"URL" help:"MCP URL of a server that already runs, for example http://127.0.0.1:14801/mcp."`
	Target   string   `placeholder:"FILE" help:"Target file (YAML): where the server is or how it is launched, and what its operator declares."`
	Launch   string   `placeholder:"COMMAND" help:"Command that starts the server; it is started once per setup with the documented variables."`
	API      string   `name:"api" placeholder:"URL" help:"Base URL of the HTTP API of the server at --url."`
	TokenEnv string   `placeholder:"NAME" help:"Variable that holds the bearer for --url; the token itself never stands on the command line."`
	Bridge   string   `placeholder:"COMMAND" help:"Command of a stdio bridge, for example 'corecruxd mcp-stdio'; without a target it is the reference's own."`
	CAFile   string   `name:"ca-file" placeholder:"FILE" help:"PEM certificates to trust for https."`
	Setup    []string `placeholder:"NAME" help:"Ask only entries of these setups; with --url, the setup that the server runs in."`
}

// selectFlags say which entries are meant.
type selectFlags struct {
	Class    []string `placeholder:"CLASS" help:"Ask only these classes."`
	Section  []string `placeholder:"SECTION" help:"Ask only these sections, for example 11.4."`
	Claim    []string `placeholder:"CLASS" help:"Demand these classes whole: what cannot be shown is an error (exit code 3)."`
	ID       []string `name:"id" placeholder:"ID" help:"Demand these entries."`
	ReadOnly bool     `help:"Run no check that writes."`
	Slow     bool     `help:"Run the checks that take more than 5 s as well."`
}

func (f *targetFlags) selection(s selectFlags) runner.Selection {
	sel := runner.Selection{
		Classes: s.Class, Sections: s.Section, Setups: f.Setup,
		Claims: s.Claim, IDs: s.ID, ReadOnly: s.ReadOnly, Slow: s.Slow,
	}
	if f.URL != "" {
		// The one server answers in one setup, so the setup selects nothing.
		sel.Setups = nil
	}
	return sel
}

// resolve finds the target that the flags name. Every error is one of usage.
func (f *targetFlags) resolve() (*target.Target, error) {
	t, err := f.find()
	if err == nil && f.Bridge != "" {
		t.Bridge, err = target.Split(f.Bridge)
		if err != nil {
			err = fmt.Errorf("--bridge: %w", err)
		}
	}
	if err != nil {
		return nil, usageError{err}
	}
	return t, nil
}

func (f *targetFlags) find() (*target.Target, error) {
	named := 0
	for _, v := range []string{f.URL, f.Target, f.Launch} {
		if v != "" {
			named++
		}
	}
	if named > 1 {
		return nil, errors.New("two targets at once; give one of --url, --target and --launch")
	}
	if f.URL == "" && (f.API != "" || f.TokenEnv != "") {
		return nil, errors.New("--api and --token-env belong to --url; a target file names them by setup, and a launched server gets its own")
	}
	switch {
	case f.URL != "":
		return f.running()
	case f.Target != "":
		t, err := target.Load(f.Target)
		if err == nil && f.CAFile != "" {
			t.CAFile = f.CAFile
		}
		return t, err
	case f.Launch != "":
		words, err := target.Split(f.Launch)
		if err != nil {
			return nil, fmt.Errorf("--launch: %w", err)
		}
		return &target.Target{Name: f.Launch, How: "launch", Launch: &target.Launch{Command: words}, CAFile: f.CAFile}, nil
	}
	return embedded()
}

func (f *targetFlags) running() (*target.Target, error) {
	e := target.Endpoint{MCP: f.URL, API: f.API}
	if err := target.CheckURL(f.URL); err != nil {
		return nil, fmt.Errorf("--url: %w", err)
	}
	if f.API != "" {
		if err := target.CheckURL(f.API); err != nil {
			return nil, fmt.Errorf("--api: %w", err)
		}
	}
	setup := "default"
	if f.TokenEnv != "" {
		token, err := target.FromEnv(f.TokenEnv)
		if err != nil {
			return nil, fmt.Errorf("--token-env: %w", err)
		}
		e.Token, setup = token, "tokens"
	}
	if len(f.Setup) > 1 {
		return nil, errors.New("a server at --url runs in one setup; give --setup once")
	}
	if len(f.Setup) == 1 {
		setup = f.Setup[0]
	}
	if err := target.KnownSetup(setup); err != nil {
		return nil, fmt.Errorf("--setup: %w", err)
	}
	return &target.Target{Name: f.URL, How: "url", Running: map[string]target.Endpoint{setup: e}, CAFile: f.CAFile}, nil
}

// embedded is the reference daemon as children of this very binary.
func embedded() (*target.Target, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return &target.Target{
		Name:   "reference daemon",
		How:    "embedded",
		Launch: &target.Launch{Command: []string{self, referenceArg}},
		Bridge: []string{self, bridgeArg},
	}, nil
}
