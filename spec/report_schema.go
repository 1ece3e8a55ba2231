package spec

import _ "embed"

// ReportSchema is the JSON Schema of the JSON report.
//
//go:embed report.schema.json
var ReportSchema []byte
