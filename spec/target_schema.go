package spec

import _ "embed"

// TargetSchema is the JSON Schema of a target file.
//
//go:embed target.schema.json
var TargetSchema []byte
