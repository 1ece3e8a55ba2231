package deviant

// toolCalls lists the entries of setup default that read the result of a tool
// and so build on 11.6-01.
var toolCalls = []string{
	"11.3-06", "11.5-23", "11.6-02", "11.6-07", "11.6-10", "11.6-11", "11.6-13", "11.6-14", "11.6-15", "11.6-16", "11.6-17",
	"11.7-06", "11.10-01", "11.11-01", "11.11-02", "11.11-03", "11.11-04", "11.11-05", "11.11-06", "11.11-07",
	"11.11-08", "11.11-09", "11.11-10", "11.11-11", "11.11-12", "11.11-13", "11.11-14", "11.11-15",
	"11.11-16", "11.11-17", "11.11-18", "11.11-24", "11.11-25", "11.11-26", "11.11-27", "11.11-28",
	"11.11-29", "11.11-30", "11.11-31", "11.11-32", "11.11-33", "11.11-34", "11.11-35", "11.11-36",
	"11.11-37", "11.12-01", "11.12-02", "11.12-03", "11.12-04", "tool.delete_fact-01",
	"tool.delete_fact-02", "tool.delete_fact-03", "tool.fact_history-01", "tool.fact_history-02",
	"tool.fact_history-03", "tool.get_agent_identity-01", "tool.list_entities-01", "tool.query-01",
	"tool.query-02", "tool.query-03", "tool.query-16", "tool.query_expand-01", "tool.query_expand-02",
	"tool.query_facts-01", "tool.query_facts-04", "tool.store_fact-01", "tool.store_fact-02",
	"tool.store_fact-03", "tool.store_fact-04", "tool.store_fact-05", "tool.store_fact-06",
	"tool.store_fact-07",
}
