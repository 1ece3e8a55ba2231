package bench_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// bare answers tools/list with finished bytes and every other method with the
// error for an unknown one. It has no routes, no session, no gates.
type bare struct {
	list    []byte
	buffers sync.Pool
}

func startBare(b *testing.B, list []byte) (address string) {
	b.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	s := &http.Server{Handler: &bare{list: list, buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}}
	go s.Serve(l)
	b.Cleanup(func() { s.Close() })
	return l.Addr().String()
}

func (h *bare) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := make([]byte, r.ContentLength)
	if _, err := io.ReadFull(r.Body, body); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	id, method, err := scan(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	buf := h.buffers.Get().(*bytes.Buffer)
	defer h.buffers.Put(buf)
	buf.Reset()
	buf.WriteString(`{"jsonrpc":"2.0","id":`)
	buf.Write(id)
	if method == "tools/list" {
		buf.WriteString(`,"result":`)
		buf.Write(h.list)
	} else {
		buf.WriteString(`,"error":{"code":-32601,"message":"method not found: `)
		buf.WriteString(method)
		buf.WriteString(`"}`)
	}
	buf.WriteByte('}')
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(buf.Len()))
	w.Write(buf.Bytes())
}

var decoders = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// scan walks the envelope once, unknown members and params included, as a
// server must that is to find a broken body.
func scan(body []byte) (id json.RawMessage, method string, err error) {
	dec := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(dec)
	dec.Reset(bytes.NewBuffer(body))
	if _, err := dec.ReadToken(); err != nil {
		return nil, "", err
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, "", err
		}
		key := name.String()
		value, err := dec.ReadValue()
		if err != nil {
			return nil, "", err
		}
		switch key {
		case "id":
			id = append(id, value...)
		case "method":
			method = string(value[1 : len(value)-1])
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, "", err
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, "", errors.New("trailing text")
	}
	return id, method, nil
}
