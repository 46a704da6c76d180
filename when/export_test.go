package when

// LeadsTo returns the trigger that a query leads to, or "". It is Resolve without reading a
// decision.
func LeadsTo(l *Lookup, query string) string {
	q, err := ParseQuery(query)
	if err != nil {
		return ""
	}
	if e := l.find(q); e != nil {
		return e.Trigger.Text
	}
	return ""
}

// Fitting is fitting.
var Fitting = fitting
