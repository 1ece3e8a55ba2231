package runner

import (
	"context"
	"errors"
	"testing"
	"time"

	"cruxconform/conformance/target"
	"cruxconform/conformance/verdict"
)

// stoppedWorker is a worker that reports one check, waits until it is told to
// stop, and then reports what a check meets whose server is being stopped.
const stoppedWorker = `
read job
echo '{"begin":"11.3-01"}' >&3
echo '{"record":{"id":"11.3-01","setup":"default","state":"held"}}' >&3
cat >/dev/null
echo '{"record":{"id":"11.4-01","setup":"default","state":"broken","findings":[{"what":"the answer","unanswered":true}]}}' >&3
echo '{"unstarted":"the server stopped answering"}' >&3
`

// TestNothingIsHeldAgainstAServerThatTheSuiteStopped: an interrupt stops the
// servers, and the checks that are under way then count for nothing.
func TestNothingIsHeldAgainstAServerThatTheSuiteStopped(t *testing.T) {
	plan, err := NewPlan(&target.Target{Launch: &target.Launch{Command: []string{"x"}}}, Selection{Setups: []string{"default"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	out := Run(ctx, &target.Target{Launch: &target.Launch{Command: []string{"x"}}}, plan, Options{
		Self: []string{"sh", "-c", stoppedWorker}, Repeat: 1, Budget: time.Minute, RequestTimeout: time.Second,
		Progress: func(int, int) { cancel(errors.New("interrupted by the test")) },
	})
	if out.Interrupted != "interrupted by the test" {
		t.Errorf("interrupted is %q", out.Interrupted)
	}
	if len(out.Records) != 1 || out.Records[0].ID != "11.3-01" || out.Records[0].State != verdict.Held {
		t.Errorf("the records are %+v, expected 11.3-01 held alone", out.Records)
	}
	if len(out.Unstarted) != 0 || len(out.Faults) != 0 {
		t.Errorf("unstarted %v, faults %v; expected none", out.Unstarted, out.Faults)
	}
}
