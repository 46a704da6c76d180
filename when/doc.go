// Memory-when prints what was decided about a situation: the whole section of the
// decision file that a trigger of the memory index leads to.
//
// Usage:
//
//	memory-when <trigger>...     print the decision of each trigger
//	memory-when - < triggers     the same, a trigger on each line
//	memory-when list [file.md]   print the entries, by decision file
//
// A trigger is looked up as it stands in the index, without regard to case and
// blanks; else by the same words in any order or form, with one letter wrong in
// each, if only one trigger has them. Anything else is no answer: the nearest
// entries are named, and the exit status is 1. The whole line of an index may be
// passed ("/when writing mock tests"), also as an item of a list.
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
// nothing, and gets it.
//
// Exit status: 0 all queries have an answer; 1 some have none; 3 wrong flags or
// settings; 4 a file could not be read.
package when
