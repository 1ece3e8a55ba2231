package report

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"cruxconform/conformance/verdict"
	"cruxconform/conformance/wire"
)

// Evidence writes every exchange of the run below a directory, which it makes:
// <id>/<n>.request.http and <id>/<n>.response.http as they stood on the wire
// (a chunked body is written whole), <id>/<n>.request.body where a shell line
// cannot carry the body, and <id>/curl.txt with one line per request.
func Evidence(dir string, r *verdict.Report) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("evidence: %w", err)
	}
	for _, x := range r.Results {
		if len(x.Exchanges) == 0 {
			continue
		}
		if err := evidenceOf(dir, x); err != nil {
			return err
		}
	}
	return nil
}

func evidenceOf(dir string, r verdict.Result) error {
	into := filepath.Join(dir, safeName(r.Entry.ID))
	if err := os.MkdirAll(into, 0o755); err != nil {
		return fmt.Errorf("evidence: %w", err)
	}
	for i := range r.Exchanges {
		if err := evidenceFiles(dir, r.Entry.ID, i, &r.Exchanges[i]); err != nil {
			return err
		}
	}
	return WriteFile(filepath.Join(into, "curl.txt"), func(w io.Writer) error {
		for i := range r.Exchanges {
			if _, err := fmt.Fprintln(w, curl(&r.Exchanges[i], filepath.Base(evidenceName(r.Entry.ID, i, "request.body")))); err != nil {
				return err
			}
		}
		return nil
	})
}

func evidenceFiles(dir, id string, n int, x *wire.Exchange) error {
	files := map[string][]byte{"request.http": message(x.RequestHead, x.RequestBody)}
	if x.Answered() {
		files["response.http"] = message(x.ResponseHead, x.Body)
	}
	if x.Err != "" {
		files["error.txt"] = []byte(x.Err + "\n")
	}
	if !inLine(x.RequestBody) {
		files["request.body"] = x.RequestBody
	}
	for kind, content := range files {
		path := filepath.Join(dir, evidenceName(id, n, kind))
		err := WriteFile(path, func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// message is a head and a body as they stand in an HTTP message.
func message(head string, body []byte) []byte {
	return append([]byte(head+"\r\n\r\n"), body...)
}

// evidenceName is the path of one evidence file below the directory. Exchanges
// are counted from 1, as people do.
func evidenceName(id string, n int, kind string) string {
	return filepath.Join(safeName(id), fmt.Sprintf("%d.%s", n+1, kind))
}

var unsafe = regexp.MustCompile(`[^A-Za-z0-9._-]`)

// safeName is an id as a file name that cannot leave its directory.
func safeName(id string) string {
	name := unsafe.ReplaceAllString(id, "_")
	if name == "" || name[0] == '.' {
		name = "_" + name
	}
	return name
}
