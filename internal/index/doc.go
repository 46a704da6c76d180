// Package index reads the memory index: the Markdown file whose lines lead an
// agent from a situation to the decision that applies.
//
// The grammar is specified in docs/grammar.md, whose numbered examples are tests. In short:
//
//	everything before the first "## " is the preamble
//
//	## agents/decisions/testing.md
//
//	/when writing mock tests | Mock patching pattern | patch where used, not defined
//
// All five programs use this parser, so that a line means the same everywhere. It accepts any input
// and loses no byte: lines and fields are offsets into the source, so an edit of one field leaves
// every other byte alone. Package validate checks whether header titles exist and triggers are well
// formed.
package index
