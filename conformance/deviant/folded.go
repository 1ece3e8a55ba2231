package deviant

import "slices"

// What folds under the lies about the roots, as the gate measures it: run it
// with CRUX_GATE=full for one of them and it names what is missing here. A new
// check that lists tools, greets or sends a notification belongs here.
var (
	// underList reads a listing.
	underList = []string{
		"11.3-17", "11.7-01", "11.7-02", "11.7-03", "11.7-04", "11.7-05", "11.7-23", "11.7-24",
		"11.7-25", "11.7-26", "11.7-27", "11.7-28", "11.7-29", "11.7-30", "11.8-01", "11.8-02",
		"11.8-03", "11.8-04", "11.8-05", "11.8-07", "11.8-13", "11.8-14", "11.8-15", "11.8-16",
		"11.8-17", "11.8-18", "11.8-19", "11.8-20", "11.8-21", "11.8-22", "11.8-23", "11.8-24",
		"11.8-25", "11.8-26", "11.8-27", "11.8-28", "11.8-29", "11.8-30", "11.8-32", "11.8-33",
		"11.8-34", "11.8-35", "11.8-36", "11.10-01", "11.10-22", "11.11-59", "11.11-60", "11.11-61",
		"11.11-62", "11.11-63", "11.11-64", "11.11-65", "11.11-66", "11.11-67", "11.11-68",
	}
	// underID reads a response by its id, beside the listings.
	underID = slices.Concat(underList, []string{
		"11.1-39", "11.2-01", "11.2-02", "11.2-03", "11.2-04", "11.2-05", "11.2-06", "11.2-07",
		"11.2-08", "11.2-09", "11.2-10", "11.2-11", "11.2-12", "11.2-13", "11.2-14", "11.2-15",
		"11.3-02", "11.3-03", "11.3-08", "11.3-09", "11.3-10", "11.3-11", "11.3-12", "11.3-13",
		"11.3-14", "11.3-18", "11.8-06",
	})
	// underVersion reads responses to text ids as well.
	underVersion = slices.Concat(underID, []string{"11.1-01", "11.1-48"})
	// underObject reads a body as one object, whatever its id.
	underObject = slices.Concat(underVersion, []string{
		"11.1-80", "11.3-20", "11.3-21", "11.3-22", "11.3-23", "11.3-24", "11.4-15", "11.5-07", "11.5-08",
		"11.5-11", "11.5-16", "11.5-42",
	})
	// underNotified sends messages without an id.
	underNotified = []string{"11.1-89", "11.1-90", "11.3-05", "11.3-06", "11.3-07", "11.5-25"}
	// underRefusal200 reads the refusal of an unknown method, underRefusal that of
	// one that nobody names.
	underRefusal200 = slices.Concat(underRefusal, []string{"11.1-87", "11.1-88", "11.3-19", "11.3-52", "11.4-02"})
	underRefusal    = []string{
		"11.3-15", "11.3-16", "11.4-03", "11.4-04", "11.4-05", "11.4-06", "11.4-07", "11.4-08",
		"11.4-09", "11.4-10", "11.4-11", "11.4-12", "11.4-13", "11.4-14", "11.4-15",
	}
	// underParse200 and underParse read the answer to a body that is no JSON.
	underParse200 = slices.Concat(underParse, []string{"11.1-91", "11.5-02"})
	underParse    = []string{
		"11.5-03", "11.5-04", "11.5-05", "11.5-06", "11.5-07", "11.5-08", "11.5-09", "11.5-10",
		"11.5-12", "11.5-13", "11.5-14", "11.5-15", "11.5-16", "11.5-17", "11.5-19", "11.5-24",
		"11.5-42",
	}
)
