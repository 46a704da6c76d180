package notes

// rule finds changes of files that matter to later sessions. The first rule that applies counts.
type rule struct {
	name string // as written in the line
	file string // that the line is written to
	// match reports whether the rule applies to a change, and returns details from its text.
	match func(v *eventRun, c fileChange) (details []string, applies bool)
}

// rules are all rules, each in its own file.
var rules = []rule{
	{"decision record", decisionsFile, decisionRecord},
	{"dependencies", decisionsFile, dependencies},
	{"configuration", decisionsFile, configuration},
	{"new part of the source", findingsFile, newPart},
}
