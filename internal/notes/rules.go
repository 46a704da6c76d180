package notes

// rule tells which changes of files mean something for those who come later. The first
// one that applies is the one that counts.
type rule struct {
	name string // as it stands in the line
	file string // in which the line stands
	// match says what became of the file, and the details that its text tells.
	match func(v *eventRun, c fileChange) (what string, details []string, applies bool)
}

// rules are all of them. Each has a file of its own, which says why it is one.
var rules = []rule{
	{"decision record", decisionsFile, decisionRecord},
	{"dependencies", decisionsFile, dependencies},
	{"configuration", decisionsFile, configuration},
	{"new part of the source", findingsFile, newPart},
}
