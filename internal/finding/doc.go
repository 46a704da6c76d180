// Package finding holds what a check reports and how a fix is written down.
//
// A Finding is data: a place, a rule, a message that says what to do, and a fix
// where one is known. It is not an error; errors are failures of the program.
// A Fix is a set of byte edits against the text that was checked, never a reprint
// of it, so what no finding names cannot change. Apply refuses edits that overlap.
//
// Each output format is one file: text.go, json.go, sarif.go, github.go.
package finding
