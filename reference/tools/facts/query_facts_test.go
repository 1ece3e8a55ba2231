package facts_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"cruxconform/reference/tools"
)

var _ = Describe("query_facts", func() {
	var d *daemon
	BeforeEach(func() { d = newDaemon() })

	// putAll stores one fact per value under keys of its own, a second apart.
	putAll := func(entity string, values ...string) {
		GinkgoHelper()
		for i, value := range values {
			d.put("", fmt.Sprintf(`{"entity":%q,"key":"k%d","value":%q}`, entity, i, value))
			d.now = d.now.Add(time.Second)
		}
	}

	DescribeTable("matches",
		func(args string, want ...string) {
			d.put("", `{"entity":"Fruit","key":"colour","value":"Red apple"}`)
			d.now = d.now.Add(1)
			d.put("", `{"entity":"fruit:pear","key":"colour","value":"green"}`)
			d.now = d.now.Add(1)
			d.put("", `{"entity":"tree","key":"bark","value":"old"}`)
			d.now = d.now.Add(1)
			d.put("", `{"entity":"tree","key":"bark","value":"brown"}`)
			d.now = d.now.Add(1)
			d.call("", "delete_fact", fmt.Sprintf(`{"fact_id":%q}`, d.put("", `{"entity":"tree","key":"leaf","value":"deleted"}`)))
			if want == nil {
				want = []string{}
			}
			Expect(d.values("", args)).To(Equal(want))
		},
		Entry("everything that is neither deleted nor superseded", `{}`, "brown", "green", "Red apple"),
		Entry("superseded versions when asked", `{"include_superseded":true}`, "brown", "old", "green", "Red apple"),
		Entry("an entity exactly", `{"entity":"tree"}`, "brown"),
		Entry("no entity in part", `{"entity":"fruit"}`),
		Entry("no entity in another case", `{"entity":"TREE"}`),
		Entry("a term in a value, in any case", `{"query":"APPLE"}`, "Red apple"),
		Entry("a term in a key", `{"query":"bar"}`, "brown"),
		Entry("a term in an entity", `{"query":"fruit"}`, "green", "Red apple"),
		Entry("any of several terms", `{"query":"apple  brown nothing"}`, "brown", "Red apple"),
		Entry("both entity and query", `{"entity":"tree","query":"apple"}`),
		Entry("nothing for a blank query", `{"query":" \t"}`),
		Entry("nothing for an empty query", `{"query":""}`),
		Entry("everything for arguments of a wrong type", `{"query":1,"entity":[],"top_k":"1","include_superseded":"yes","token_budget":-1,"as_of":7}`,
			"brown", "green", "Red apple"),
		Entry("at any time", `{"as_of":"1999-01-01T00:00:00Z"}`, "brown", "green", "Red apple"),
		Entry("top_k of them", `{"top_k":2}`, "brown", "green"),
		Entry("a top_k without limit", `{"top_k":4000000000}`, "brown", "green", "Red apple"),
		Entry("none for a top_k of 0", `{"top_k":0}`),
	)

	DescribeTable("refuses", func(args, message string) {
		d.refused("", "query_facts", args, tools.CodeInvalidParams, message)
	},
		Entry("a floor above 1", `{"min_effective_confidence":1.01}`, "min_effective_confidence must be a number in 0.0..=1.0"),
		Entry("a floor below 0", `{"min_effective_confidence":-0.01}`, "min_effective_confidence must be a number in 0.0..=1.0"),
		Entry("null as a floor", `{"min_effective_confidence":null}`, "min_effective_confidence must be a number in 0.0..=1.0"),
		Entry("text as a floor, before a bad time", `{"min_effective_confidence":"0.5","as_of":"today"}`, "min_effective_confidence must be a number in 0.0..=1.0"),
		Entry("a bad time", `{"as_of":"2026-01-15"}`, "as_of must be an RFC 3339 timestamp (e.g. 2026-01-15T00:00:00Z)"),
		Entry("an empty time", `{"as_of":""}`, "as_of must be an RFC 3339 timestamp (e.g. 2026-01-15T00:00:00Z)"),
	)

	It("orders by effective confidence, then the newest first", func() {
		for _, f := range []string{
			`"value":"sure, but stale","confidence":1,"horizon_class":"volatile"`,
			`"value":"older","confidence":0.75`,
			`"value":"newer","confidence":0.75`,
			`"value":"beyond 1","confidence":1.5`,
			`"value":"below 0","confidence":-1`,
		} {
			d.put("", fmt.Sprintf(`{"entity":"e","key":%q,%s}`, f, f))
			d.now = d.now.Add(time.Second)
		}
		d.now = d.now.Add(24 * time.Hour)
		r := d.call("", "query_facts", `{"contract":"legacy"}`)
		Expect(column(r, "value")).To(Equal([]string{"beyond 1", "newer", "older", "sure, but stale", "below 0"}))
		Expect(column(r, "freshness")).To(Equal([]string{"fresh", "fresh", "fresh", "stale", "fresh"}))
	})

	It("drops rows below the floor before the cut and counts them", func() {
		for i, confidence := range []string{"0.7", "0.69", "0.2"} {
			d.put("", fmt.Sprintf(`{"entity":"e","key":"k%d","value":%q,"confidence":%s}`, i, confidence, confidence))
		}
		r := d.call("", "query_facts", `{"min_effective_confidence":0.7,"top_k":5}`)
		Expect(column(r, "value")).To(Equal([]string{"0.7"}))
		Expect(r.Structured["filtered_below_threshold"]).To(Equal(2.0))
		Expect(d.values("", `{"min_effective_confidence":0}`)).To(HaveLen(3))
	})

	DescribeTable("says that there is nothing, under both contracts", func(args, text string, filtered float64) {
		d.put("", `{"entity":"e","key":"k","value":"v","confidence":0.5}`)
		for _, contract := range []string{"v1", "legacy"} {
			r := d.call("", "query_facts", fmt.Sprintf(`{"contract":%q,%s}`, contract, args))
			Expect(r.Text).To(Equal(text))
			Expect(r.Structured).To(Equal(map[string]any{"rows": []any{}, "filtered_below_threshold": filtered}))
		}
	},
		Entry("no match", `"entity":"none"`, "no facts found", 0.0),
		Entry("no match above the floor", `"min_effective_confidence":0.6`, "no facts above confidence floor (1 below threshold)", 1.0),
		Entry("a top_k of 0", `"top_k":0`, "no facts found", 0.0),
		Entry("a top_k of 0 and a floor that leaves some", `"top_k":0,"min_effective_confidence":0.5`, "no facts found", 0.0),
	)

	DescribeTable("takes the contract from the argument", func(contract string, legacy bool) {
		d.put("", `{"entity":"e","key":"k","value":"v"}`)
		r := d.call("", "query_facts", `{`+contract+`}`)
		_, crc := r.Structured["crc_v1"]
		Expect(crc).To(Equal(!legacy))
		Expect(strings.HasPrefix(r.Text, "{")).To(Equal(!legacy))
	},
		Entry("absent", ``, false), Entry("v1", `"contract":"v1"`, false), Entry("crc-v1", `"contract":"crc-v1"`, false),
		Entry("another word", `"contract":"x"`, false), Entry("no string", `"contract":0`, false),
		Entry("legacy", `"contract":"legacy"`, true), Entry("v0", `"contract":"v0"`, true), Entry("none", `"contract":" NONE "`, true),
		Entry("off", `"contract":"off"`, true),
	)

	Describe("legacy", func() {
		It("shows a line and a row per fact", func() {
			first := d.put("", `{"entity":"e","key":"k","value":"old","confidence":0.5}`)
			d.now = d.now.Add(90 * time.Minute)
			second := d.put("", `{"entity":"e","key":"k","value":"new","confidence":0.7,"horizon_class":"stable"}`)
			r := d.call("", "query_facts", `{"contract":"legacy","include_superseded":true}`)
			Expect(strings.Split(r.Text, "\n")).To(Equal([]string{
				"[e] k = new (confidence=0.70, effective_confidence=0.70, freshness=fresh, age_hours=0)",
				"[e] k = old (confidence=0.50, effective_confidence=0.50, freshness=fresh, age_hours=1)",
			}))
			Expect(r.Structured).To(Equal(map[string]any{
				"filtered_below_threshold": 0.0,
				"rows": []any{
					map[string]any{
						"fact_id": second, "entity": "e", "key": "k", "value": "new", "confidence": 0.7, "effective_confidence": 0.7,
						"horizon_class": "stable", "freshness": "fresh", "age_hours": 0.0, "superseded_by": nil, "actor": nil,
					},
					map[string]any{
						"fact_id": first, "entity": "e", "key": "k", "value": "old", "confidence": 0.5, "effective_confidence": 0.5,
						"horizon_class": "none", "freshness": "fresh", "age_hours": 1.0, "superseded_by": second, "actor": nil,
					},
				},
			}))
		})

		DescribeTable("trims by token_budget, with top_k switched off", func(args string, rows int, truncated bool) {
			// Three facts of ten tokens each.
			putAll("e", strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("c", 40))
			Expect(d.values("", `{"contract":"legacy",`+args+`}`)).To(HaveLen(rows))
			Expect(d.truncated).To(Equal(truncated))
		},
			Entry("no budget", `"top_k":2`, 2, false),
			Entry("0", `"token_budget":0`, 1, true),
			Entry("19", `"token_budget":19`, 1, true),
			Entry("20", `"token_budget":20`, 2, true),
			Entry("21", `"token_budget":21`, 2, true),
			Entry("30", `"token_budget":30`, 3, false),
			Entry("top_k 1 counts for nothing", `"token_budget":30,"top_k":1`, 3, false),
			Entry("no clamp", `"token_budget":4000000000,"top_k":0`, 3, false),
		)
	})

	Describe("CRC-v1", func() {
		It("is one object, in the text and in structuredContent", func() {
			id := d.put("", `{"entity":"e","key":"k","value":"0123456789","confidence":0.7}`)
			r := d.call("", "query_facts", `{"query":"0123"}`)
			crc := map[string]any{
				"contract": "crc-v1", "kind": "fact", "hydrate_tier": "full",
				"pointers":       []any{map[string]any{"id": id, "score": 0.7, "epitome": "e k = 0123456789", "reason": "Exact"}},
				"content":        []any{map[string]any{"id": id, "text": "0123456789"}},
				"cost_estimate":  map[string]any{"pointer": 40.0, "summary": 150.0, "full": 2.0},
				"agent_decision": nil,
				"envelope": map[string]any{
					"freshness": map[string]any{
						"effective_confidence": 0.7, "age_hours": 0.0, "horizon_class": "none", "superseded_by": nil,
					},
					"receipts_used":     []any{},
					"memories_used":     []any{map[string]any{"fact_id": id, "topic": "e", "freshness": "fresh"}},
					"autonomy_consumed": map[string]any{"capability": "facts:read", "cost_credits": 0.0, "scope": "agent"},
					"links":             map[string]any{"open_in_console": "https://crux.cuecrux.com/console#/facts"},
				},
				"next": map[string]any{"canonical_slug": "e", "resolution_pointer": nil, "expand": nil},
				"meta": map[string]any{"resolved_by": "query", "ranked": true, "total_candidates": 1.0},
			}
			Expect(r.Structured["crc_v1"]).To(Equal(crc))
			var text map[string]any
			Expect(json.Unmarshal([]byte(r.Text), &text)).To(Succeed())
			Expect(text).To(Equal(crc))
			Expect(r.Text).NotTo(MatchRegexp(`[\n\t]|": `))
			Expect(r.Structured["rows"]).To(HaveLen(1))
			Expect(r.Structured["filtered_below_threshold"]).To(Equal(0.0))
		})

		It("says how it found the facts", func() {
			putAll("e", "v")
			meta := func(args string) map[string]any {
				return d.call("", "query_facts", args).Structured["crc_v1"].(map[string]any)["meta"].(map[string]any)
			}
			Expect(meta(`{}`)).To(Equal(map[string]any{"resolved_by": "query", "ranked": false, "total_candidates": 1.0}))
			Expect(meta(`{"entity":"e"}`)).To(Equal(map[string]any{"resolved_by": "entity+key", "ranked": false, "total_candidates": 1.0}))
			Expect(meta(`{"entity":"e","query":"v"}`)).To(Equal(map[string]any{"resolved_by": "entity+key", "ranked": false, "total_candidates": 1.0}))
		})

		It("cuts the epitome at 80 bytes", func() {
			putAll("e", strings.Repeat("x", 100))
			crc := d.call("", "query_facts", `{}`).Structured["crc_v1"].(map[string]any)
			epitome := crc["pointers"].([]any)[0].(map[string]any)["epitome"]
			Expect(epitome).To(Equal("e k0 = " + strings.Repeat("x", 73)))
		})

		DescribeTable("divides a token_budget", func(args string, full, demoted, capped int) {
			// Three facts of ten tokens each, out of four.
			putAll("e", "beyond top_k", strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("c", 40))
			r := d.call("", "query_facts", `{"top_k":3,`+args+`}`)
			crc := r.Structured["crc_v1"].(map[string]any)
			meta := crc["meta"].(map[string]any)
			pointers, content := crc["pointers"].([]any), crc["content"].([]any)
			Expect(r.Structured["rows"]).To(HaveLen(3), "rows are not trimmed")
			Expect(meta["total_candidates"]).To(Equal(3.0))
			Expect(content).To(HaveLen(full))
			Expect(pointers).To(HaveLen(full + demoted))
			for i, p := range pointers {
				pointer := p.(map[string]any)
				if i < full {
					Expect(pointer["reason"]).To(Equal("Exact"))
					Expect(pointer).NotTo(HaveKey("content_hash"))
					continue
				}
				Expect(pointer["reason"]).To(Equal("Demoted"))
				Expect(pointer["content_hash"]).To(MatchRegexp(`^[0-9a-f]{16}$`))
			}
			n := float64(full + demoted)
			Expect(crc["cost_estimate"]).To(Equal(map[string]any{"pointer": 40 * n, "summary": 150 * n, "full": 10 * n}))
			if demoted+capped == 0 {
				Expect(meta).NotTo(Or(HaveKey("demoted"), HaveKey("emitted_full"), HaveKey("capped")))
				Expect(crc["hydrate_tier"]).To(Equal("full"))
				Expect(d.truncated).To(BeFalseBecause("nothing was shortened"))
				return
			}
			Expect(meta["demoted"]).To(Equal(float64(demoted)))
			Expect(meta["emitted_full"]).To(Equal(float64(full)))
			Expect(d.truncated).To(BeTrueBecause("the budget shortened the answer"))
			if capped == 0 {
				Expect(meta).NotTo(HaveKey("capped"))
			} else {
				Expect(meta["capped"]).To(Equal(float64(capped)))
			}
			if demoted > 0 {
				Expect(crc["hydrate_tier"]).To(Equal("mixed"))
			} else {
				Expect(crc["hydrate_tier"]).To(Equal("full"))
			}
		},
			Entry("none given", `"token_budget":null`, 3, 0, 0),
			Entry("no integer", `"token_budget":"10"`, 3, 0, 0),
			Entry("0", `"token_budget":0`, 1, 0, 2),
			Entry("19", `"token_budget":19`, 1, 0, 2),
			Entry("20", `"token_budget":20`, 2, 0, 1),
			Entry("29", `"token_budget":29`, 2, 0, 1),
			Entry("30", `"token_budget":30`, 3, 0, 0),
			Entry("no clamp", `"token_budget":4000000000`, 3, 0, 0),
		)

		It("buys pointers with what a long row leaves of the budget", func() {
			// Newest first: 10 tokens, then two rows of 200.
			putAll("e", strings.Repeat("a", 800), strings.Repeat("b", 800), strings.Repeat("c", 40))
			r := d.call("", "query_facts", `{"token_budget":89}`)
			meta := r.Structured["crc_v1"].(map[string]any)["meta"]
			Expect(meta).To(HaveKeyWithValue("emitted_full", 1.0))
			Expect(meta).To(HaveKeyWithValue("demoted", 1.0))
			Expect(meta).To(HaveKeyWithValue("capped", 1.0))
		})
	})
})
