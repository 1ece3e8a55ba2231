package deviant

// What folds under the lies about the roots, as measured by the gate. A new
// check that lists tools or sends a notification is added here.
var (
	underAnswer   = []string{}
	underList     = []string{}
	underNotified = []string{"11.1-89", "11.1-90", "11.3-05", "11.3-06", "11.3-07"}
)
