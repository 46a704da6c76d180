// Memory-when prints what was decided about a situation: the whole section of the
// decision file that a trigger of the memory index leads to, or those that apply to
// any text.
//
// Usage:
//
//	memory-when <trigger>...     print the decision of each trigger
//	memory-when < triggers       the same, a trigger on each line
//	memory-when recall [text]    print what applies to the text, or to standard input
//	memory-when check <files>    report queries in Markdown files that have no answer
//	memory-when list [file.md]   print the entries, by decision file
//	memory-when hook EVENT       for agents: the decisions that apply to what they do
//
// A trigger is looked up as the index has it, ignoring case and spaces; otherwise by
// the same words in any order or form, with a letter wrong in a word, two words joined
// or one split, if exactly one trigger is that near. A word that the memory uses is
// never taken for a misspelt other one. Anything else has no answer: the nearest
// entries are listed, and the exit status is 1. The whole line of an index may be
// passed ("/when writing mock tests"), also as an item of a list.
//
// Several arguments are several triggers, except that words whose quotes were forgotten
// (memory-when holding a seat) are one, if no single one of them is a trigger or all
// of them together are.
//
// The navigation operator prints more than one decision:
//
//	memory-when '§ .Mocks'               a section, with all that is below it
//	memory-when '§ testing.md'           a decision file
//	memory-when '§ testing.md .Mocks'    a section whose title occurs in several files
//
// ".Mocks" and "..testing.md" mean the same. Behind each answer stand the queries
// for what lies beside it; each of them can be asked as it is printed. Several
// queries at once print no section and no such line twice. The query "null" asks for
// nothing, and gets it, also where there is no memory.
//
// While a merge has left a conflict in an entry or in a section, it is not answered: the place
// of the conflict is printed, and the exit status is 1. Recall and list leave it out.
//
// Recall takes text that names no decision: a prompt, a command with its error, the
// head of a file. It prints at most three decisions, the best first, and nothing where
// the evidence is thin; --explain shows the evidence, of what is not printed too.
// Situations, phrases under a heading that say when its decision applies, are read
// but never printed. docs/recall.md tells how to write them, and how well this works.
//
// Check reads Markdown files, such as skills and CLAUDE.md, for queries: code spans and
// emphasised text that begin with /when, /how or §; paragraphs, list items and cells that
// are nothing else; the list below a lone /when; and commands in code blocks. Each that
// has no answer is a finding. Whole entries, and queries with a placeholder ("/when
// <trigger>"), are not looked up. docs/recall.md has all of it.
//
// Hook answers an event of a coding agent as memory-hooks does, with decisions alone; one
// of both is enough (docs/hooks.md).
//
// Exit status: 0 all queries have an answer, or recall has spoken or abstained; 1 some
// queries have none, or check has findings; 3 wrong flags or settings; 4 a file could not be read.
package when
