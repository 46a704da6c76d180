// Package index reads the memory index: the Markdown file whose lines lead an
// agent from a situation to the decision that applies.
//
// The grammar is specified in docs/grammar.md; every numbered example there is
// run against this package. In short:
//
//	everything before the first "## " is the preamble
//
//	## agents/decisions/testing.md
//
//	/when writing mock tests | Mock patching pattern | patch where used, not defined
//
// Goals: one parser for all five programs, so that a line means the same thing
// everywhere; no input that it refuses; no byte that it loses. Parse keeps the
// source and describes it by offsets, so the concatenation of all lines is the
// source again, and an edit of one field leaves every other byte alone.
//
// Non-goals: it judges nothing. Whether a header title exists or a trigger is
// well formed is the business of package validate.
package index
