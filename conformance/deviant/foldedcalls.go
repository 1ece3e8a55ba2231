package deviant

// toolCalls lists the entries of setup default that read the result of a tool
// and so build on 11.6-01.
var toolCalls = []string{}
