package runner

import (
	"context"
	"fmt"

	"cruxconform/conformance/suite"
	"cruxconform/conformance/verdict"
)

// patience is how many checks in a row may go without any answer before the
// worker looks whether the server is still there. Without this bound a server
// that stops answering would cost every remaining check its full time-out.
const patience = 3

// silence notices a server that has stopped answering.
type silence struct {
	ctx  context.Context
	env  *suite.Env
	row  int
	dead string
}

// note counts checks whose every finding was a missing answer.
func (s *silence) note(r verdict.Record) {
	if r.State != verdict.Broken {
		s.row = 0
		return
	}
	for _, f := range r.Findings {
		if !f.Unanswered {
			s.row = 0
			return
		}
	}
	s.row++
}

// reason says why the next check is not worth its wait.
func (s *silence) reason() string {
	if s.dead != "" || s.row < patience {
		return s.dead
	}
	// A server whose discovery still answers while every call hangs is as dead.
	if answered, why := probe(s.ctx, s.env.Client, calls); !answered {
		s.dead = fmt.Sprintf("the server stopped answering (%s)", why)
	}
	s.row = 0
	return s.dead
}
