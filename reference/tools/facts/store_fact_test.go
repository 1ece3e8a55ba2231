package facts_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/store"
	"cruxconform/reference/tools"
)

var _ = Describe("store_fact", func() {
	var d *daemon
	BeforeEach(func() { d = newDaemon() })

	It("answers the first version", func() {
		r := d.call("", "store_fact", `{"entity":"e","key":"k","value":"v"}`)
		id := r.Structured["fact_id"].(string)
		Expect(id).To(MatchRegexp(`^f_[0-9a-f]{32}$`))
		Expect(r.Text).To(Equal("stored fact " + id + " (entity=e, key=k, version=1)"))
		Expect(r.Structured).To(Equal(map[string]any{
			"fact_id": id, "entity": "e", "key": "k", "version": 1.0, "superseded_fact_ids": []any{},
		}))
	})

	It("adds a version, for an equal value too, and names the predecessor", func() {
		first := d.put("", `{"entity":"e","key":"k","value":"v"}`)
		r := d.call("", "store_fact", `{"entity":"e","key":"k","value":"v"}`)
		Expect(r.Text).To(Equal(fmt.Sprintf("stored fact %s (entity=e, key=k, supersedes=%s, version=2)", r.Structured["fact_id"], first)))
		Expect(r.Structured["version"]).To(Equal(2.0))
		Expect(r.Structured["superseded_fact_ids"]).To(BeEmpty())
	})

	It("retires the facts named in supersedes, each once", func() {
		a, b := d.put("", `{"entity":"a","key":"k","value":"1"}`), d.put("", `{"entity":"b","key":"k","value":"2"}`)
		r := d.call("", "store_fact", fmt.Sprintf(`{"entity":"c","key":"k","value":"3","supersedes":[%q,%q,%q]}`, b, a, b))
		Expect(r.Text).To(Equal(fmt.Sprintf("stored fact %s (entity=c, key=k, version=1, retired=%s,%s)", r.Structured["fact_id"], b, a)))
		Expect(r.Structured["superseded_fact_ids"]).To(Equal([]any{b, a}))
		Expect(d.values("", `{}`)).To(Equal([]string{"3"}))
	})

	It("takes null for no supersedes", func() {
		Expect(d.call("", "store_fact", `{"entity":"e","key":"k","value":"v","supersedes":null}`).Structured["version"]).To(Equal(1.0))
	})

	It("takes empty strings and ignores what it does not know", func() {
		d.put("", `{"entity":"","key":"","value":"","private":"yes","confidence":"high","unknown":1}`)
		Expect(d.values("", `{"entity":""}`)).To(Equal([]string{""}))
	})

	It("keeps the value as it was sent", func() {
		d.put("", `{"entity":"e","key":"k","value":" \n<é\"\u0000> "}`)
		Expect(d.values("", `{"entity":"e"}`)).To(Equal([]string{" \n<é\"\x00> "}))
	})

	DescribeTable("refuses",
		func(args string, message string) { d.refused("", "store_fact", args, tools.CodeInvalidParams, message) },
		Entry("nothing at all", `{}`, "missing required param: entity"),
		Entry("no object", `[]`, "missing required param: entity"),
		Entry("null", `{"entity":null,"key":"k","value":"v"}`, "missing required param: entity"),
		Entry("a number", `{"entity":1,"key":"k","value":"v"}`, "missing required param: entity"),
		Entry("no key, and no value", `{"entity":"e"}`, "missing required param: key"),
		Entry("no value", `{"entity":"__ops::e","key":"k","value":[]}`, "missing required param: value"),
		Entry("a reserved prefix before a bad supersedes", `{"entity":"__ops::e","key":"k","value":"v","supersedes":1}`,
			"entity uses create-reserved prefix `__ops::`"),
		Entry("the owner's prefix", `{"entity":"__agent::e","key":"k","value":"v"}`, "entity uses create-reserved prefix `__agent::`"),
		Entry("a bad supersedes before a bad horizon", `{"entity":"e","key":"k","value":"v","supersedes":"f_1","horizon_class":"x"}`,
			"supersedes must be an array of fact_id strings"),
		Entry("a number in supersedes", `{"entity":"e","key":"k","value":"v","supersedes":["f_1",1]}`, "supersedes must be an array of fact_id strings"),
		Entry("null in supersedes", `{"entity":"e","key":"k","value":"v","supersedes":[null]}`, "supersedes must be an array of fact_id strings"),
		Entry("an unknown horizon before private", `{"entity":"e","key":"k","value":"v","horizon_class":" Eternal ","private":true}`,
			"invalid horizon_class:  Eternal "),
		Entry("a private fact of nobody before unknown ids", `{"entity":"e","key":"k","value":"v","private":true,"supersedes":["f_1"]}`,
			"private facts require an authenticated agent identity"),
		Entry("an unknown id", `{"entity":"e","key":"k","value":"v","supersedes":["f_1"]}`,
			"one or more supersedes fact_ids do not exist or are not visible to you"),
	)

	It("stores nothing when one of the ids is unknown, deleted or another's", func() {
		const message = "one or more supersedes fact_ids do not exist or are not visible to you"
		known := d.put("", `{"entity":"known","key":"k","value":"known"}`)
		gone := d.put("", `{"entity":"gone","key":"k","value":"gone"}`)
		d.call("", "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, gone))
		anns := d.put("ann", `{"entity":"anns","key":"k","value":"anns","private":true}`)
		hidden := d.put("", `{"entity":"decisions::x","key":"k","value":"hidden"}`)
		for _, id := range []string{"f_unknown", gone, anns, hidden} {
			d.refused("bob", "store_fact", fmt.Sprintf(`{"entity":"new","key":"k","value":"v","supersedes":[%q,%q]}`, known, id),
				tools.CodeInvalidParams, message)
		}
		Expect(d.values("", `{}`)).To(Equal([]string{"known"}))
		Expect(d.call("", "fact_history", `{"entity":"new","key":"k"}`).Text).To(HavePrefix("no history"))
	})

	It("does not let the daemon's own facts be superseded, whether they exist for the caller or not", func() {
		own := d.put("", `{"entity":"__bootstrap__::doc:x","key":"k","value":"v"}`)
		d.refused("", "store_fact", fmt.Sprintf(`{"entity":"e","key":"k","value":"v","supersedes":["f_unknown",%q]}`, own),
			tools.CodeInvalidParams, "daemon-owned control facts cannot be superseded through store_fact")
	})

	It("lets the owner supersede a private fact", func() {
		old := d.put("ann", `{"entity":"e","key":"k","value":"1","private":true}`)
		d.put("ann", fmt.Sprintf(`{"entity":"f","key":"k","value":"2","supersedes":[%q]}`, old))
		Expect(d.values("ann", `{}`)).To(Equal([]string{"2"}))
	})

	It("answers a store that cannot be written with its documented text and keeps the cause", func() {
		Expect(d.store.Close()).To(Succeed())
		_, err := d.try("", "store_fact", `{"entity":"e","key":"k","value":"v"}`)
		Expect(err).To(MatchError(store.ErrClosed))
		d.refused("", "store_fact", `{"entity":"e","key":"k","value":"v"}`, tools.CodeInternal, "fact journal append failed")
		d.refused("", "delete_fact", `{"fact_id":"f_1"}`, tools.CodeInternal, "fact journal append failed")
	})

	Describe("horizons", func() {
		horizon := func(args string) string {
			GinkgoHelper()
			d.put("", `{"entity":"e","key":"k","value":"v",`+args+`}`)
			return column(d.call("", "query_facts", `{"entity":"e"}`), "horizon_class")[0]
		}
		It("come from horizon_class first, then from freshness_horizon, then from the entity", func() {
			Expect(horizon(`"horizon_class":" Volatile ","freshness_horizon":"a year"`)).To(Equal("volatile"))
			Expect(horizon(`"horizon_class":1,"freshness_horizon":"a year"`)).To(Equal("stable"))
			Expect(horizon(`"freshness_horizon":"whenever"`)).To(Equal("none"))
			Expect(horizon(`"private":false`)).To(Equal("none"))
			d.put("", `{"entity":"bench:x","key":"k","value":"v"}`)
			Expect(column(d.call("", "query_facts", `{"entity":"bench:x"}`), "horizon_class")).To(Equal([]string{"stable"}))
		})
	})

	Describe("privacy", func() {
		It("shows a private fact to its owner alone, under its own name", func() {
			r := d.call("ann", "store_fact", `{"entity":"e","key":"k","value":"anns","private":true}`)
			Expect(r.Structured["entity"]).To(Equal("e"))
			Expect(r.Text).To(ContainSubstring("(entity=e, key=k, version=1)"))
			id := r.Structured["fact_id"]
			for _, other := range []string{"bob", "", "an"} {
				Expect(d.call(other, "query_facts", `{"entity":"e"}`).Text).To(Equal("no facts found"))
				Expect(d.call(other, "query_facts", `{"entity":"__agent::ann::e"}`).Text).To(Equal("no facts found"))
				Expect(d.call(other, "query_facts", `{"query":"anns"}`).Text).To(Equal("no facts found"))
				Expect(d.call(other, "fact_history", `{"entity":"e","key":"k"}`).Text).To(Equal("no history for entity=e, key=k"))
				Expect(d.call(other, "fact_history", `{"entity":"__agent::ann::e","key":"k"}`).Text).To(HavePrefix("no history"))
				Expect(d.call(other, "list_entities", `{}`).Text).To(Equal("no entities found"))
				Expect(d.call(other, "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, id)).Text).To(Equal(fmt.Sprintf("fact not found: %s", id)))
			}
			Expect(d.values("ann", `{"entity":"e"}`)).To(Equal([]string{"anns"}))
			Expect(d.call("ann", "query_facts", `{"entity":"__agent::ann::e"}`).Text).To(Equal("no facts found"))
			Expect(d.call("ann", "fact_history", `{"entity":"e","key":"k"}`).Text).To(HavePrefix("v1: [e] "))
			Expect(d.call("ann", "list_entities", `{}`).Text).To(Equal("e"))
			Expect(d.call("ann", "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, id)).Text).To(Equal(fmt.Sprintf("deleted fact %s", id)))
		})

		It("keeps the versions of private and public facts apart", func() {
			d.put("", `{"entity":"e","key":"k","value":"public"}`)
			Expect(d.call("ann", "store_fact", `{"entity":"e","key":"k","value":"private","private":true}`).Structured["version"]).To(Equal(1.0))
			Expect(d.values("ann", `{"entity":"e"}`)).To(ConsistOf("public", "private"))
		})

		It("hides what is private by policy from everyone, the writer included", func() {
			for _, entity := range []string{"__bootstrap__::doc:x", "decisions::x", "github::x"} {
				id := d.put("ann", fmt.Sprintf(`{"entity":%q,"key":"k","value":"hidden"}`, entity))
				for _, caller := range []string{"ann", ""} {
					Expect(d.call(caller, "query_facts", fmt.Sprintf(`{"entity":%q}`, entity)).Text).To(Equal("no facts found"))
					Expect(d.call(caller, "fact_history", fmt.Sprintf(`{"entity":%q,"key":"k"}`, entity)).Text).To(HavePrefix("no history"))
					Expect(d.call(caller, "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, id)).Text).To(HavePrefix("fact not found"))
				}
			}
			Expect(d.call("ann", "list_entities", `{}`).Text).To(Equal("no entities found"))
		})
	})

	It("survives a restart with everything it acknowledged", func() {
		d.put("", `{"entity":"e","key":"k","value":"1"}`)
		second := d.put("", `{"entity":"e","key":"k","value":"2","confidence":0.25,"horizon_class":"stable"}`)
		gone := d.put("", `{"entity":"gone","key":"k","value":"3"}`)
		d.call("", "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, gone))
		before := d.call("", "query_facts", `{"include_superseded":true,"contract":"legacy"}`)
		history := d.call("", "fact_history", `{"entity":"e","key":"k"}`)
		d.restart()
		Expect(d.call("", "query_facts", `{"include_superseded":true,"contract":"legacy"}`)).To(Equal(before))
		Expect(d.call("", "fact_history", `{"entity":"e","key":"k"}`)).To(Equal(history))
		Expect(d.call("", "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, gone)).Text).To(HavePrefix("fact not found"))
		Expect(d.call("", "store_fact", `{"entity":"e","key":"k","value":"4"}`).Text).To(ContainSubstring("supersedes=" + second + ", version=3"))
	})

	It("takes a value of megabytes", func() {
		value := strings.Repeat("0123456789", 100_000)
		d.put("", fmt.Sprintf(`{"entity":"e","key":"k","value":%q}`, value))
		d.restart()
		Expect(d.values("", `{"entity":"e"}`)).To(Equal([]string{value}))
	})
})
