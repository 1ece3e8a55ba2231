package mcp

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestParseKeepsWhatWasSent(t *testing.T) {
	for name, c := range map[string]struct {
		body, id, method, params string
	}{
		"a number":                    {`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `1`, "ping", ""},
		"zero":                        {`{"jsonrpc":"2.0","id":0,"method":"ping"}`, `0`, "ping", ""},
		"a negative number":           {`{"jsonrpc":"2.0","id":-7,"method":"ping"}`, `-7`, "ping", ""},
		"an integer above 2^64":       {`{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}`, `123456789012345678901234567890`, "ping", ""},
		"a fraction":                  {`{"jsonrpc":"2.0","id":1.50,"method":"ping"}`, `1.50`, "ping", ""},
		"an exponent":                 {`{"jsonrpc":"2.0","id":1E400,"method":"ping"}`, `1E400`, "ping", ""},
		"a text":                      {`{"jsonrpc":"2.0","id":"1","method":"ping"}`, `"1"`, "ping", ""},
		"an empty text":               {`{"jsonrpc":"2.0","id":"","method":"ping"}`, `""`, "ping", ""},
		"a text with escapes":         {`{"jsonrpc":"2.0","id":"\u0061\n","method":"ping"}`, `"\u0061\n"`, "ping", ""},
		"a boolean":                   {`{"jsonrpc":"2.0","id":false,"method":"ping"}`, `false`, "ping", ""},
		"an array":                    {`{"jsonrpc":"2.0","id":[1, 2],"method":"ping"}`, `[1, 2]`, "ping", ""},
		"an object":                   {`{"jsonrpc":"2.0","id":{"a":1,"a":2},"method":"ping"}`, `{"a":1,"a":2}`, "ping", ""},
		"the id last":                 {`{"method":"ping","jsonrpc":"2.0","id":5}`, `5`, "ping", ""},
		"blanks everywhere":           {" \t\r\n{ \"jsonrpc\" : \"2.0\" , \"id\" : 5 , \"method\" : \"ping\" } \r\n", `5`, "ping", ""},
		"another version":             {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `1`, "ping", ""},
		"an empty version":            {`{"jsonrpc":"","id":1,"method":"ping"}`, `1`, "ping", ""},
		"an empty method":             {`{"jsonrpc":"2.0","id":1,"method":""}`, `1`, "", ""},
		"a method with escapes":       {`{"jsonrpc":"2.0","id":1,"method":"\u0070ing\/\"é"}`, `1`, `ping/"é`, ""},
		"names with escapes":          {`{"\u006asonrpc":"2.0","i\u0064":1,"m\u0065thod":"ping"}`, `1`, "ping", ""},
		"unknown members":             {`{"jsonrpc":"2.0","id":1,"x":{"y":[1]},"method":"ping","x":2}`, `1`, "ping", ""},
		"result and error beside":     {`{"jsonrpc":"2.0","id":1,"method":"ping","result":1,"result":2,"error":3}`, `1`, "ping", ""},
		"params of an object":         {`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1}}`, `1`, "ping", `{"a":1}`},
		"params of an array":          {`{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, `1`, "ping", `[1]`},
		"params of a text":            {`{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}`, `1`, "ping", `"x"`},
		"params of null":              {`{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, `1`, "ping", ""},
		"params with repeated names":  {`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1,"a":2}}`, `1`, "ping", `{"a":1,"a":2}`},
		"no id":                       {`{"jsonrpc":"2.0","method":"ping"}`, "", "ping", ""},
		"an id of null":               {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "", "ping", ""},
		"no id beside result":         {`{"jsonrpc":"2.0","method":"ping","result":1}`, "", "ping", ""},
		"another case of the members": {`{"jsonrpc":"2.0","ID":7,"id":1,"method":"ping","Method":"x"}`, `1`, "ping", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := parse([]byte(c.body))
			if err != nil {
				t.Fatalf("%s: %v", c.body, err)
			}
			if string(e.id) != c.id || e.method != c.method || string(e.params) != c.params || e.response {
				t.Errorf("%s\n     got id %s, method %q, params %s, response %t\nexpected id %s, method %q, params %s",
					c.body, e.id, e.method, e.params, e.response, c.id, c.method, c.params)
			}
			if want := c.id == ""; e.notification() != want {
				t.Errorf("%s: notification %t, expected %t", c.body, e.notification(), want)
			}
		})
	}
}

func TestParseTakesTheAnswerOfAClient(t *testing.T) {
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":"a","result":null}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`,
	} {
		e, err := parse([]byte(body))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if !e.response || !e.notification() {
			t.Errorf("%s: response %t, notification %t, expected true and true", body, e.response, e.notification())
		}
	}
}

// TestParseRefuses: section 11.5 and the contract's page on the envelope say
// what is unparseable. The text says what is wrong.
func TestParseRefuses(t *testing.T) {
	deep := func(levels int, open, end string) string {
		return strings.Repeat(open, levels) + "1" + strings.Repeat(end, levels)
	}
	for name, c := range map[string]struct{ body, says string }{
		"nothing":                   {"", "empty body"},
		"blanks":                    {" \r\n\t", "empty body"},
		"words":                     {"hello", "byte 0"},
		"an open object":            {`{"jsonrpc":"2.0","id":1,"method":"ping"`, "EOF"},
		"an open text":              {`{"jsonrpc":"2.0","id":1,"method":"pi`, "EOF"},
		"a comma too many":          {`{"jsonrpc":"2.0","id":1,"method":"ping",}`, "byte"},
		"single quotes":             {`{'jsonrpc':'2.0'}`, "byte"},
		"a comment":                 {`{"jsonrpc":"2.0",/**/"id":1,"method":"ping"}`, "byte"},
		"NaN":                       {`{"jsonrpc":"2.0","id":NaN,"method":"ping"}`, "byte"},
		"a leading zero":            {`{"jsonrpc":"2.0","id":01,"method":"ping"}`, "byte"},
		"text behind":               {`{"jsonrpc":"2.0","id":1,"method":"ping"}x`, "trailing characters"},
		"a second object":           {`{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, "trailing characters"},
		"a second line":             {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n{}", "trailing characters"},
		"a byte order mark":         {"\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "byte 0"},
		"a batch":                   {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "one request object"},
		"an empty batch":            {`[]`, "one request object"},
		"a text":                    {`"ping"`, "one request object"},
		"a number":                  {`7`, "one request object"},
		"null":                      {`null`, "one request object"},
		"an empty object":           {`{}`, "jsonrpc"},
		"no jsonrpc":                {`{"id":1,"method":"ping"}`, "jsonrpc"},
		"jsonrpc of null":           {`{"jsonrpc":null,"id":1,"method":"ping"}`, "jsonrpc"},
		"jsonrpc as a number":       {`{"jsonrpc":2.0,"id":1,"method":"ping"}`, "jsonrpc"},
		"no method":                 {`{"jsonrpc":"2.0","id":1}`, "method"},
		"a method of null":          {`{"jsonrpc":"2.0","id":1,"method":null}`, "method"},
		"a method as an object":     {`{"jsonrpc":"2.0","id":1,"method":{}}`, "method"},
		"a result without an id":    {`{"jsonrpc":"2.0","result":{}}`, "method"},
		"jsonrpc twice":             {`{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}`, "duplicate"},
		"id twice":                  {`{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}`, "duplicate"},
		"id twice, null first":      {`{"jsonrpc":"2.0","id":null,"id":1,"method":"ping"}`, "duplicate"},
		"method twice":              {`{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`, "duplicate"},
		"params twice":              {`{"jsonrpc":"2.0","id":1,"method":"a","params":1,"params":2}`, "duplicate"},
		"id twice, once in escapes": {`{"jsonrpc":"2.0","id":1,"\u0069d":1,"method":"ping"}`, "duplicate"},
		"a byte that is no UTF-8":   {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xffng\"}", "UTF-8"},
		"no UTF-8 in params":        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":\"\xc3\"}", "UTF-8"},
		"no UTF-8 in an unknown":    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"x\xc0\":1}", "UTF-8"},
		"10,001 arrays":             {deep(10001, "[", "]"), "one request object"},
		"10,001 levels in params":   {`{"jsonrpc":"2.0","id":1,"method":"ping","params":` + deep(10001, "[", "]") + `}`, "depth"},
		"10,001 levels in an id":    {`{"jsonrpc":"2.0","method":"ping","id":` + deep(10001, `{"a":`, "}") + `}`, "depth"},
		"a million open brackets":   {`{"jsonrpc":"2.0","id":1,"method":"ping","x":` + strings.Repeat("[", 1_000_000), "depth"},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := parse([]byte(c.body))
			if err == nil {
				t.Fatalf("%.200s was taken as id %s, method %q", c.body, e.id, e.method)
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%.200s: error %q does not say %q", c.body, err, c.says)
			}
		})
	}
}

// TestParseErrorsQuoteNoSecret: not a piece of the body is shown, not even the
// escape that is wrong, since a secret may follow it.
func TestParseErrorsQuoteNoSecret(t *testing.T) {
	const secret = "hunter2hunter2hunter2hunter2"
	for _, body := range []string{
		secret,
		`{"jsonrpc":"2.0","id":1,"method":"ping","` + secret + `":` + secret + `}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":"` + secret + `\x"}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"token":"` + secret + `"`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":1}` + secret,
		`{"jsonrpc":"2.0","id":"` + secret + `","id":"` + secret + `","method":"ping"}`,
		`{"jsonrpc":{"` + secret + `":1},"id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":["` + secret + `"]}`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"" + secret + "\xff\":1}",
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":"\ud800` + secret + `"}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":"\u` + secret + `"}`,
		`["` + secret + `"]`,
	} {
		_, err := parse([]byte(body))
		if err == nil {
			t.Errorf("%s was taken", body)
			continue
		}
		if strings.Contains(err.Error(), secret[:4]) {
			t.Errorf("%s: the error gives the body back: %v", body, err)
		}
	}
}

func TestNestingOfTenThousandLevelsIsTaken(t *testing.T) {
	params := strings.Repeat("[", 9999) + strings.Repeat("]", 9999)
	e, err := parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping","params":` + params + `}`))
	if err != nil {
		t.Fatal(err)
	}
	if string(e.params) != params {
		t.Errorf("params of %d bytes, expected %d", len(e.params), len(params))
	}
}

// FuzzParse holds the parser against encoding/json: what is taken is JSON, and
// says what it is taken for.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", " ", "{}", "[]", "null", `"x"`, "{", "[[[[", "\xff", "\ufeff{}",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`,
		`{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":"a","result":{}}`,
		`{"jsonrpc":"2.0","id":123456789012345678901234567890.5e+3,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`,
		`{"\u006asonrpc":"2.0","i\u0064":[1,{"a":null}],"method":"\ud83d\ude00"}`,
		`{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping"} trailing`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\x28\"}",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"store_fact","arguments":{"value":"\""}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := parse(body)
		if err != nil {
			if len(err.Error()) > 200 {
				t.Errorf("an error of %d bytes: %.300s", len(err.Error()), err)
			}
			return
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(body, &members); err != nil {
			t.Fatalf("taken, but no JSON object: %v", err)
		}
		if e.response {
			if _, ok := members["method"]; ok {
				t.Errorf("a request was taken for an answer")
			}
			return
		}
		var method string
		if err := json.Unmarshal(members["method"], &method); err != nil || method != e.method {
			t.Errorf("method %q, expected %q (%v)", e.method, method, err)
		}
		id := string(members["id"])
		if id == "null" {
			id = ""
		}
		if string(e.id) != id {
			t.Errorf("id %s, expected %s", e.id, id)
		}
	})
}
