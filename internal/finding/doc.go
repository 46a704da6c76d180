// Package finding defines what a check reports, and the output formats of a report.
//
// A Finding has a position, a rule, a message that says what to do, and a fix if one is known. A Fix
// is a set of byte edits of the text that was checked, never a reprint of it, so all other bytes stay.
package finding
