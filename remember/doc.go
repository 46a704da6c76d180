// Memory-remember writes into the memory, so that what was decided is found again: the
// entries of the memory index, and the situations of decisions.
//
// Usage:
//
//	memory-remember entry add --header TITLE --trigger WORDS --description WORDS [--file FILE] [--how] [--situation PHRASE]...
//	memory-remember entry rm TRIGGER
//	memory-remember entry rename TRIGGER [--trigger WORDS] [--header TITLE] [--description WORDS]
//	memory-remember entry draft [--write]
//	memory-remember entry situations [--format json]
//	memory-remember entry situations add TRIGGER PHRASE...
//	memory-remember entry situations add --stdin
//	memory-remember draft-staged
//
// "entry add" puts an entry where it belongs: into the section of its decision file,
// which is made where it is lacking, in the order of the headings. The decision has to
// be written first; the header is the title of its heading. "entry rm" takes an entry
// out and prints it, "entry rename" changes its fields. "entry draft" prints an entry
// for each heading without one, made of its title and text, and puts them in with
// --write; a draft is a beginning, to be reworded by who knows the decision.
//
// A good trigger is what an agent is doing when the decision applies: two to five words
// in lower case that begin with an activity, "writing mock tests" rather than "mocks".
// The description is the words that one would look for. The three fields together have
// 8 to 20 words.
//
// Situations are phrases under a heading that say what one types, does or sees when its
// decision applies, in other words than the trigger's; recall finds by them. "entry
// situations" lists the entries that have none, with --format json together with all
// that is needed to write them; 16 each are wanted. "entry situations add" writes them
// into the decision file. With --stdin it reads a JSON object a line:
//
//	{"trigger": "writing mock tests", "situations": ["the mock is ignored", "patched, and still the real client is called"]}
//
// "draft-staged" is for a pre-commit hook. It looks for headings that are new in what is
// about to be committed and have no entry there, puts a draft for each into the index of
// the worktree, and fails, so that a person looks at it, rewords it and adds it.
//
// Nothing is written that memory-validate would reject: the findings are printed, and all
// files stay as they are. A draft is written all the same, with its findings: it is there
// to be looked at. Faults that are there already stop nothing. What is written is
// whole or not at all, also where several files change and where others write at once;
// line ends, a byte-order mark and a missing final newline stay. --dry-run says what would
// be done, --diff shows it as a patch; neither writes. To add what is
// there already is no error: it is said, and nothing is written.
//
// Which repository, index and decision files are meant is told as in memory-validate.
//
// Exit status: 0 done, or there was nothing to do; 1 refused, or no such entry or heading,
// or draft-staged has found new headings; 3 wrong flags or settings; 4 a file could not be
// read or written.
package remember
