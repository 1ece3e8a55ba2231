package facts_test

import (
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/tools"
)

var _ = Describe("fact_history", func() {
	var d *daemon
	BeforeEach(func() { d = newDaemon() })

	It("shows all versions from the oldest to the newest", func() {
		first := d.put("", `{"entity":"e","key":"k","value":"one","confidence":0.5}`)
		d.now = d.now.Add(time.Second)
		second := d.put("", `{"entity":"e","key":"k","value":"two"}`)
		d.put("", `{"entity":"e","key":"other","value":"not this one"}`)
		d.call("", "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, second))
		Expect(strings.Split(d.call("", "fact_history", `{"entity":"e","key":"k"}`).Text, "\n")).To(Equal([]string{
			"v1: [e] " + first + " = one (confidence=0.50, stored_at=2026-01-02 03:04:05.123456789 UTC, supersedes=-, actor=-)",
			"v2: [e] " + second + " = two (confidence=1.00, stored_at=2026-01-02 03:04:06.123456789 UTC, supersedes=" + first + ", actor=-) [deleted]",
		}))
	})

	It("keeps what was stored before the chain began again", func() {
		d.call("", "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, d.put("", `{"entity":"e","key":"k","value":"old"}`)))
		d.put("", `{"entity":"e","key":"k","value":"new"}`)
		lines := strings.Split(d.call("", "fact_history", `{"entity":"e","key":"k"}`).Text, "\n")
		Expect(lines).To(HaveExactElements(
			And(HavePrefix("v1: "), HaveSuffix("[deleted]"), ContainSubstring("= old (")),
			And(HavePrefix("v1: "), ContainSubstring("= new ("), ContainSubstring("supersedes=-"))))
	})

	It("has no limit and answers content alone", func() {
		for range 30 {
			d.put("", `{"entity":"e","key":"k","value":"v"}`)
		}
		r := d.call("", "fact_history", `{"entity":"e","key":"k","token_budget":1,"limit":1}`)
		Expect(strings.Split(r.Text, "\n")).To(HaveLen(30))
		Expect(r.Structured).To(BeNil())
	})

	It("says so where there is none", func() {
		Expect(d.call("", "fact_history", `{"entity":"e","key":"k"}`).Text).To(Equal("no history for entity=e, key=k"))
	})

	It("needs entity and key", func() {
		d.refused("", "fact_history", `{}`, tools.CodeInvalidParams, "missing required param: entity")
		d.refused("", "fact_history", `{"entity":"e","key":1}`, tools.CodeInvalidParams, "missing required param: key")
	})
})

var _ = Describe("delete_fact", func() {
	var d *daemon
	BeforeEach(func() { d = newDaemon() })

	It("hides a fact for good and finds it no second time", func() {
		id := d.put("ann", `{"entity":"e","key":"k","value":"v"}`)
		args := fmt.Sprintf(`{"fact_id":%q}`, id)
		Expect(d.call("", "delete_fact", args).Text).To(Equal("deleted fact " + id))
		Expect(d.call("", "query_facts", `{"include_superseded":true}`).Text).To(Equal("no facts found"))
		Expect(d.call("", "delete_fact", args).Text).To(Equal("fact not found: " + id))
	})

	It("does not bring the predecessor back", func() {
		d.put("", `{"entity":"e","key":"k","value":"1"}`)
		d.call("", "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, d.put("", `{"entity":"e","key":"k","value":"2"}`)))
		Expect(d.call("", "query_facts", `{}`).Text).To(Equal("no facts found"))
		Expect(d.values("", `{"include_superseded":true}`)).To(Equal([]string{"1"}))
	})

	It("answers an unknown id without an error", func() {
		Expect(d.call("", "delete_fact", `{"fact_id":"f_unknown"}`).Text).To(Equal("fact not found: f_unknown"))
	})

	It("needs fact_id", func() {
		d.refused("", "delete_fact", `{"fact_id":7}`, tools.CodeInvalidParams, "missing required param: fact_id")
	})
})

var _ = Describe("list_entities", func() {
	It("shows every entity once, by its bytes, superseded facts included and deleted ones not", func() {
		d := newDaemon()
		Expect(d.call("", "list_entities", `{}`).Text).To(Equal("no entities found"))
		for _, entity := range []string{"b", "a", "B", "é", "b", "a:1"} {
			d.put("", fmt.Sprintf(`{"entity":%q,"key":"k","value":"v"}`, entity))
		}
		old := d.put("", `{"entity":"retired","key":"k","value":"v"}`)
		d.put("", fmt.Sprintf(`{"entity":"a","key":"k","value":"v","supersedes":[%q]}`, old))
		d.call("", "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, d.put("", `{"entity":"deleted","key":"k","value":"v"}`)))
		r := d.call("", "list_entities", `{}`)
		Expect(strings.Split(r.Text, "\n")).To(Equal([]string{"B", "a", "a:1", "b", "retired", "é"}))
		Expect(r.Structured).To(BeNil())
	})
})
