// Memory-remember stores what you learn, finds it, and edits the memory index.
//
//	memory-remember TEXT...             store a learning; "-" reads stdin
//	memory-remember search TEXT...      find learnings, and turns of past sessions
//	memory-remember list | show NAME    print learnings, or everything about one
//	memory-remember edit | forget NAME  change or delete one
//	memory-remember feedback NAME helped | wrong | outdated
//	memory-remember stats               print how much is stored, and what is used
//	memory-remember prune               delete captured turns
//	memory-remember export | import     JSON lines, Markdown, other memory tools
//	memory-remember store COMMAND       copy and check stores; stores of teams
//	memory-remember serve               serve the same tools by MCP
//	memory-remember entry COMMAND       add, rm, rename, draft, situations
//
// Flags:
//
//	--category, --reasoning, --reference  more about the learning
//	--global, --personal                  for all repositories; not for the team
//	--format FORMAT, --repo DIR           text or json; the repository at DIR
//
// Exit status: 0 done; 1 refused, or no answer; 3 wrong flags or settings, or too
// short a text; 4 a file or the store failed.
// More: "memory-remember COMMAND --help"; "memory-remember help manual".
//
// # Learnings
//
// A learning is one fact of at least 20 characters, in the words by which it will be searched.
// Its name, category (anti-patterns, patterns, heuristics) and reason are derived unless flags
// give them. The same text again, even slightly reworded, reinforces the stored one; a text that
// says the opposite is stored beside it and reported. Put the text in quotes, or behind "-" on
// standard input, where no shell reads it: without quotes, a text that begins with the name of a
// command runs that command, and one that begins with nearly such a name is refused unless "--"
// precedes it.
//
// A learning belongs to the repository in which it was stored, that is to its git directory:
// worktrees share it, other clones do not see it. It applies everywhere with --global, outside
// any repository, and when a second repository learns it too. NAME is the name of a learning, its
// id, or the first four or more characters of the id.
//
// "search" needs neither network nor model. It answers only if a learning matches enough of the
// query; no answer is an answer too. Captured turns of past sessions follow the learnings;
// --turns 0 or --exclude-tags raw leaves them out. "feedback" improves the store: what helped
// comes first; what is wrong or outdated is kept with the reason and no longer shown, until it is
// stored again.
//
// # Captured turns
//
// Turns are captured when an agent stops, if the settings allow it (memory_turn_capture), and
// kept for memory_turn_days: 180 by default, 0 for ever. "prune --older-than 180d" and
// "prune --session ID" delete turns for good; reading their transcripts again does not bring them
// back.
//
// # Privacy
//
// What looks like a key, token or password is removed before anything is written, as is all text
// between <private> and </private>; the kind of secret is reported. Nothing is sent anywhere
// unless the environment names an endpoint for embeddings (WHENCE_EMBEDDING_URL,
// WHENCE_EMBEDDING_MODEL, WHENCE_EMBEDDING_KEY); no command waits for it.
//
// # Stores
//
// The store is the file memory.db in $WHENCE_HOME, $XDG_DATA_HOME/whence or
// ~/.local/share/whence, readable only by its owner. WHENCE_STORE or the setting memory_store
// names another one by its URL, postgres://user@host:port/database; the files of a repository may
// do so only after "store allow". In such a store a repository is known by its remote, or by
// memory_repository, in all clones alike. Passwords do not belong in the URL: use PGPASSWORD,
// ~/.pgpass or PGPASSFILE.
//
// # Agents
//
// Settings in .claude/whence.local.md limit what an agent may store unasked:
// memory_model_capture_mode is ask-first (the default), silent or off, and
// memory_silent_capture_budget is the number of silent captures per session. The command "store"
// follows them: in ask-first mode it prints a proposal, and stores it only when the agent repeats
// the call with --approved; --rejected drops it.
//
// # Index entries
//
// "entry add" adds an entry to the section of its decision file, in the order of the headings,
// and creates the section if needed. Write the decision first; --header is the title of its
// heading. "entry rm" removes an entry and prints it, "entry rename" changes its fields. "entry
// draft" prints an entry for each heading without one, made from its title and text; --write adds
// them. A draft is a beginning: reword it.
//
// A good trigger is what an agent is doing when the decision applies: two to five words in lower
// case that begin with an activity, "writing mock tests" rather than "mocks". The description has
// the words that readers would search for. The three fields together have 8 to 20 words.
//
// Situations are phrases under a heading: what a developer types, does or sees when its decision
// applies, in other words than the trigger's. Recall searches them. "entry situations" lists the
// entries that have none, with --format json also everything needed to write them; aim for 16
// each. "entry situations add" writes them into the decision file. With --stdin it reads JSON
// objects, one a line:
//
//	{"trigger": "writing mock tests", "situations": ["the mock is ignored", "…"]}
//
// "draft-staged" is for pre-commit hooks. It drafts an entry in the index of the worktree for each
// staged heading that is new and has none, and fails, so that a person rewords and stages it.
//
// A change that memory-validate would reject is not written: the findings are printed, and all
// files stay as they are. Only drafts are written with their findings. Findings that were there
// before do not matter. Several files are changed together or not at all. --dry-run reports what
// would be done, --diff prints it as a patch; neither writes. Adding what exists is reported, and
// is not an error.
//
// "memory-validate help manual" describes how repository, index and decision files are found.
package remember
