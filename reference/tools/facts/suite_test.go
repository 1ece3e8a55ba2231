package facts_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
	"cruxconform/reference/tools/facts"
)

func TestFacts(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "facts")
}

// daemon is the plane on a store of its own, with a clock that the spec moves.
type daemon struct {
	dir      string
	store    *store.Store
	now      time.Time
	handlers map[string]tools.Handler
	// truncated says whether a budget shortened the last answer.
	truncated bool
}

func newDaemon(options ...facts.Option) *daemon {
	GinkgoHelper()
	d := &daemon{dir: GinkgoT().TempDir(), now: time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.UTC)}
	d.start(options...)
	DeferCleanup(func() { _ = d.store.Close() })
	return d
}

func (d *daemon) start(options ...facts.Option) {
	GinkgoHelper()
	st, err := store.Open(d.dir)
	Expect(err).NotTo(HaveOccurred())
	d.store, d.handlers = st, facts.Handlers(st, func() time.Time { return d.now }, options...)
}

func (d *daemon) restart() {
	GinkgoHelper()
	Expect(d.store.Close()).To(Succeed())
	d.start()
}

// result is what a call answers, decoded.
type result struct {
	Text       string
	Structured map[string]any
}

func (d *daemon) try(agent, tool, args string) (result, error) {
	GinkgoHelper()
	Expect(json.Valid([]byte(args))).To(BeTrueBecause("%s is sent as arguments", args))
	ctx, notes := tools.WithNotes(context.Background())
	raw, err := d.handlers[tool](ctx, tools.Caller{Agent: agent}, tools.ParseArgs(json.RawMessage(args)))
	d.truncated = notes.Truncated
	if err != nil {
		return result{}, err
	}
	var out struct {
		Content []struct{ Type, Text string }
		Result  map[string]any `json:"structuredContent"`
	}
	Expect(json.Unmarshal(raw, &out)).To(Succeed())
	Expect(out.Content).To(HaveLen(1))
	Expect(out.Content[0].Type).To(Equal("text"))
	return result{out.Content[0].Text, out.Result}, nil
}

func (d *daemon) call(agent, tool, args string) result {
	GinkgoHelper()
	r, err := d.try(agent, tool, args)
	Expect(err).NotTo(HaveOccurred())
	return r
}

// refused expects a tool error.
func (d *daemon) refused(agent, tool, args string, code int, message string) {
	GinkgoHelper()
	_, err := d.try(agent, tool, args)
	var refusal *tools.Error
	Expect(errors.As(err, &refusal)).To(BeTrueBecause("%s %s must be refused, got %v", tool, args, err))
	Expect(*refusal).To(Equal(tools.Error{Code: code, Message: message}))
}

// put stores a fact and returns its id.
func (d *daemon) put(agent, args string) string {
	GinkgoHelper()
	return d.call(agent, "store_fact", args).Structured["fact_id"].(string)
}

// values returns the values of the rows that query_facts answers.
func (d *daemon) values(agent, args string) []string {
	GinkgoHelper()
	return column(d.call(agent, "query_facts", args), "value")
}

func column(r result, name string) []string {
	GinkgoHelper()
	out := []string{}
	for _, row := range r.Structured["rows"].([]any) {
		out = append(out, row.(map[string]any)[name].(string))
	}
	return out
}
