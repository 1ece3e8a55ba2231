package crc

import (
	"testing"

	"cruxconform/reference/tools"
)

func TestLegacy(t *testing.T) {
	for args, want := range map[string]bool{
		`{}`: false, `{"contract":"v1"}`: false, `{"contract":"crc-v1"}`: false, `{"contract":""}`: false, `{"contract":"legacy2"}`: false,
		`{"contract":0}`: false, `{"contract":null}`: false, `{"contract":["legacy"]}`: false,
		`{"contract":"legacy"}`: true, `{"contract":"v0"}`: true, `{"contract":"none"}`: true, `{"contract":"off"}`: true,
		`{"contract":" Legacy\n"}`: true, `{"contract":"OFF"}`: true,
	} {
		if got := Legacy(tools.ParseArgs([]byte(args))); got != want {
			t.Errorf("%s: %v", args, got)
		}
	}
}

func TestCostOf(t *testing.T) {
	if got, want := CostOf(3, 7), (Cost{Pointer: 120, Summary: 450, Full: 7}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
