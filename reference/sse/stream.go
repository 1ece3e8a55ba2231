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

// head is the head of the answer that opens a stream.
func head(sessionID string) []byte {
	return []byte("HTTP/1.1 200 OK\r\n" +
		"Date: " + time.Now().UTC().Format(http.TimeFormat) + "\r\n" +
		"Content-Type: text/event-stream\r\n" +
		"Cache-Control: no-cache\r\n" +
		spec.SessionHeader + ": " + sessionID + "\r\n" +
		"Transfer-Encoding: chunked\r\n\r\n")
}

// open takes the connection and sends the head. It reports false where the
// stream was ended before it began, or its peer is gone.
func (s *stream) open(conn net.Conn) bool {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.ended {
		return false
	}
	s.conn = conn
	return s.send(head(s.id)) == nil
}

// write sends finished bytes. A stream whose connection is not there yet drops
// them: its client has not seen the head.
func (s *stream) write(b []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.ended {
		return net.ErrClosed
	}
	if s.conn == nil {
		return nil
	}
	return s.send(b)
}

// send writes within the bound; a peer that does not take it loses its stream.
// The caller holds the lock.
func (s *stream) send(b []byte) error {
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
