package sse

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"cruxconform/spec"
)

// What a stream can carry, framed as HTTP chunks.
var (
	listChanged = chunk(`data: {"jsonrpc":"2.0","method":"` + spec.ListChanged + "\"}\n\n")
	comment     = chunk(":\n\n")
	lastChunk   = []byte("0\r\n\r\n")
)

func chunk(s string) []byte { return fmt.Appendf(nil, "%x\r\n%s\r\n", len(s), s) }

// Head is the head of the answer that opens a stream.
func Head(sessionID string) []byte {
	return []byte("HTTP/1.1 200 OK\r\n" +
		"Date: " + time.Now().UTC().Format(http.TimeFormat) + "\r\n" +
		"Content-Type: text/event-stream\r\n" +
		"Cache-Control: no-cache\r\n" +
		spec.SessionHeader + ": " + sessionID + "\r\n" +
		"Transfer-Encoding: chunked\r\n\r\n")
}

// write sends finished bytes, bounded. A stream whose connection is not there
// yet drops them: its client has not seen the head.
func (s *stream) write(b []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.ended {
		return net.ErrClosed
	}
	if s.conn == nil {
		return nil
	}
	if err := s.conn.SetWriteDeadline(time.Now().Add(writeBound)); err != nil {
		return err
	}
	_, err := s.conn.Write(b)
	if err != nil {
		s.ended = true
		s.conn.Close()
	}
	return err
}

// end closes the stream cleanly: the last chunk tells the client that nothing
// was lost.
func (s *stream) end() {
	_ = s.write(lastChunk) // a peer that is gone needs no last chunk
	s.writing.Lock()
	defer s.writing.Unlock()
	s.ended = true
	if s.conn != nil {
		s.conn.Close()
	}
}
