package notes

import (
	"errors"
)

// headings are the files that a session makes where they are missing, with all that stands
// in them: nothing that could be taken for content.
var headings = map[string]string{
	contextFile:   "# Context\n",
	findingsFile:  "# Findings\n",
	decisionsFile: "# Decisions\n",
	errorsFile:    "",
}

// begin makes the files that are missing and tells what the notes hold. A session that
// goes on still has before it what it was told, and is told what is new.
func begin(v *eventRun) (string, error) {
	var all error
	for name, text := range headings {
		if !v.folder.exists(name) {
			all = errors.Join(all, v.folder.add(name, nil, text))
		}
	}
	text, err := v.folder.injection()
	goesOn := v.Source == "resume" || v.Source == "fork"
	if v.Session == "" {
		goesOn = false
	}
	return v.show(text, !goesOn), errors.Join(all, err)
}

// show is a text as the agent of the event is told it: not at all where it was told the
// same before, unless it has to be again, or the project does not want agents to be told
// what they have not asked for.
func (v *eventRun) show(text string, again bool) string {
	c := v.session.counter(v.Subagent)
	sum := hash(text)
	if text == "" || !v.config.Injection || c.Shown == sum && !again {
		return ""
	}
	v.shown, c.Calls = sum, 0
	return text
}
