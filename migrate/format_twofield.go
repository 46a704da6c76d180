package migrate

import "whence/internal/index"

// twoField reads the later format, whose heading is made of the trigger:
//
//	/when writing mock tests | mock patch, test doubles      When Writing Mock Tests
//	/how encode paths | path encoding                        How to Encode Paths
//
// The keywords may be missing.
func twoField(_ *index.File, line index.Line) (legacy, bool) {
	e := line.Entry
	if line.Kind != index.Malformed || line.Problem != index.MissingFields || e.Fields == 0 || e.Trigger.Text == "" {
		return legacy{}, false
	}
	prefix := map[string]string{"when": "When ", "how": "How to "}[e.Operator]
	return legacy{
		operator: e.Operator,
		trigger:  e.Trigger.Text,
		readings: []reading{newReading(prefix+e.Trigger.Text, e.Title.Text)},
	}, true
}
