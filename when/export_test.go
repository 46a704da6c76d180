package when

// LeadsTo returns the trigger that a query leads to, or "". It is Resolve without reading a
// decision.
func LeadsTo(l *Library, query string) string {
	q, err := ParseQuery(query)
	if err != nil {
		return ""
	}
	if i := l.find(q); i >= 0 {
		return l.entries[i].Trigger.Text
	}
	return ""
}
