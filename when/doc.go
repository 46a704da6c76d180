// memory-when prints the decision for a trigger, or what applies to any text.
//
//	memory-when TRIGGER...      print the decision of each trigger
//	memory-when < triggers      the same, with one trigger per line
//	memory-when '§ file.md'     print a decision file; '§ .Title': a section
//	memory-when recall [TEXT]   list what applies to TEXT, or to standard input
//	memory-when check FILE...   report unanswered queries in Markdown files
//
// Exit status: 0 every query has an answer, or recall has run; 1 a query has
// none, or check has findings; 3 wrong flags or settings; 4 no memory, or a
// file cannot be read.
// More: "memory-when COMMAND --help"; "memory-when help manual".
//
// # Triggers
//
// A query is a trigger, or the title of a decision, or a section after §. It is matched
// as the memory has it, ignoring case, spaces and the punctuation behind a trigger. A
// query without a match has no answer: the nearest entries are listed, best first, and
// the exit status is 1.
//
// A whole line of the index works too ("/when writing mock tests"), also as a list
// item. Several arguments, and several lines of one, are several triggers; "/when" alone
// in a line holds for the list below it. Words without quotes (memory-when
// holding a seat) are one trigger if no single word is one, or if together they
// are.
//
// The query "null" prints nothing and succeeds, even without a memory.
//
// # Sections
//
// The operator § prints more than one decision:
//
//	memory-when '§ .Mocks'             a section with all its subsections
//	memory-when '§ testing.md'         a decision file
//	memory-when '§ testing.md .Mocks'  a section whose title is in several files
//
// ".Mocks" and "..testing.md" are short for the first two. Each answer ends with
// queries for related decisions. In one run, no section and no such query is
// printed twice.
//
// An entry or section with conflict markers is not printed: the place of the
// conflict is reported, and the exit status is 1. Recall skips it.
//
// # Recall
//
// "recall" takes a text that names no decision: a prompt, a command with its
// error, the beginning of a file. It prints pointers to at most five decisions
// that may apply, the best first, each with the probability that it does. A
// pointer is a query: memory-when prints its decision.
// --min-p 0 prints the nearest decisions, however improbable they are.
//
// With --staged or --diff REV, it prints up to three that may govern a change, each
// with the file that speaks for it; TEXT is the message.
//
// Situations, the phrases under a heading that describe when its decision applies,
// are read but never printed. docs/recall.md describes how to write them, and how
// well recall works.
//
// # Check
//
// "check" looks for queries in Markdown files such as skills and CLAUDE.md: code
// spans, and lines of code blocks, that begin with /when, /how, or memory-when and
// a quoted query. Each query without an answer is a finding. Whole entries, and
// queries with a placeholder ("/when <trigger>"), are skipped.
//
// # Agents
//
// "hook EVENT" answers one event as memory-hooks does, but with decisions only.
// Register one of the two programs, not both (docs/hooks.md). A memory of at most
// twelve decisions is listed when a session begins.
//
// memory-when only reads, so an agent may run it without asking you. In the shell
// of an agent it reads the repository in which it is run, and no other. What it
// prints there begins with a line that says whose text it is, and is inert: a
// backslash before tags, headings and code fences, and no invisible characters.
package when
