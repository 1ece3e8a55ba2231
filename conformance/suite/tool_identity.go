package suite

var _ = check("tool.get_agent_identity-01", "an anonymous caller is named anonymous", func(c *C) {
	c.Equal("the text", c.Tool("get_agent_identity", argv{}).Text, "anonymous")
})
