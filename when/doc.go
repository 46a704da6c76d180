// Memory-when prints the decision for a trigger, or what applies to any text.
//
//	memory-when TRIGGER...      print the decision of each trigger
//	memory-when < triggers      the same, one trigger a line
//	memory-when '§ file.md'     print a decision file; '§ .Title': a section
//	memory-when recall [TEXT]   print what applies to a text, or to standard input
//	memory-when check FILE...   report queries in Markdown files without answer
//	memory-when list [FILE.md]  print the entries, by decision file
//	memory-when hook EVENT      answer an event of a coding agent
//
// Flags:
//
//	--format FORMAT   print as text or json; check also as sarif or github
//	--quiet           do not warn about lines of the index that are not entries
//	--repo DIR        work in the repository at DIR
//	--index FILE      the memory index is FILE
//	--decisions GLOB  the decision files match GLOB; may be repeated
//
// Exit status: 0 every query has an answer, or recall has run; 1 a query has no
// answer, or check has findings; 3 wrong flags or settings; 4 a file failed.
// More: "memory-when COMMAND --help"; "memory-when help manual".
//
// # Triggers
//
// A trigger is looked up as the index has it, ignoring case and spaces. Otherwise it is matched
// by the same words in any order or form, with one letter wrong in a word, two words joined or
// one split, if exactly one trigger is that near. A word that the memory uses is never taken for
// a typo of another. Anything else has no answer: the nearest entries are listed, and the exit
// status is 1.
//
// A whole line of the index works too ("/when writing mock tests"), also as a list item. Several
// arguments are several triggers. Words without quotes (memory-when holding a seat) are one
// trigger if no single word is one, or if all together are.
//
// The query "null" prints nothing and succeeds, even without a memory.
//
// # Sections
//
// The operator § prints more than one decision:
//
//	memory-when '§ .Mocks'             a section with all its subsections
//	memory-when '§ testing.md'         a decision file
//	memory-when '§ testing.md .Mocks'  a section whose title occurs in several files
//
// ".Mocks" and "..testing.md" are short for these. Each answer ends with queries for what is
// near it. In one run, no section and no such query is printed twice.
//
// An entry or section with conflict markers is not printed: the place of the conflict is
// reported, and the exit status is 1. Recall and list skip it.
//
// # Recall
//
// "recall" takes a text that names no decision: a prompt, a command with its error, the head of a
// file. It prints at most three decisions, the best first, and none if the evidence is thin.
// --explain shows the evidence, also for what is not printed. Situations, the phrases under a
// heading that describe when its decision applies, are read but never printed. docs/recall.md
// describes how to write them, and how well recall works.
//
// # Check
//
// "check" looks for queries in Markdown files such as skills and CLAUDE.md: code spans and
// emphasised text that begin with /when, /how or §; paragraphs, list items and cells that are
// nothing else; the list below a lone /when; and commands in code blocks. Each query without an
// answer is a finding. Whole entries and queries with a placeholder ("/when <trigger>") are
// skipped.
//
// # Agents
//
// "hook EVENT" answers one event as memory-hooks does, but with decisions only. Register one of
// the two programs, not both (docs/hooks.md).
package when
