// Package config reads the settings, and decides which of a repository's count.
//
// A setting comes from the first of these places that has it:
//
//	a flag of the command line
//	the environment              WHENCE_INDEX, WHENCE_DECISIONS (a list as in PATH),
//	                             WHENCE_CAPTURE_MODE, WHENCE_CAPTURE_BUDGET
//	.claude/whence.local.md      one user's, as YAML front matter
//	.whence.yaml                 the project's, at the root of the repository
//	settings.yaml                one user's, for all repositories, in the folder of package home
//	the default
//
// Both files have the same keys:
//
//	index: agents/memory-index.md
//	decisions: [agents/decisions/*.md]
//	documents: [docs/adr/*.md]             # files that are one decision each; default: none
//	validate:
//	  word-count: 8..20
//	  enable: [draft-trigger, missing-situations, stale-path]
//	memory_model_capture_mode: ask-first   # what agents may store unasked: ask-first, silent or off
//	memory_silent_capture_budget: 5        # silent captures of one agent session
//	memory_injection_enabled: true         # agents are shown what was learned and decided without asking
//	memory_injection_limit: 20             # max. learnings at the start of a session
//	memory_turn_capture: true              # sessions are captured
//	memory_turn_days: 180                  # days that turns are kept; 0 is forever
//	memory_notes_enabled: false            # notes are kept in .memory/
//	memory_notes_refresh: 10               # after how many tool calls an agent is shown them again; 0 is never
//	memory_embedding_url: http://…/v1      # a server for embeddings, in the user's own file alone; default: none
//	memory_embedding_model: name           # its model
//
// The user's own settings file ([UserFile], in the folder of package home) has the same keys
// and comes before the default.
//
// A file of the repository, and the environment, which agents let a repository set, may always ask
// for less than the user has set: less captured, less shown. What asks for more counts only if the user
// allows it ([User.Allows]); it is listed in [Config.Asks] otherwise. No setting names the server of a team.
//
// An unknown key, a key that is set twice or a value of the wrong shape is an error that names
// the file and line, the key and what is allowed. All other settings still count: [LoadFrom] returns them
// beside the error.
//
// A file that git tracks comes with the repository: what it asks for beyond what the user has set
// counts only if the user has allowed it for that repository ([Allow]). A file in a repository that
// git does not track cannot come with a clone, and so is the user's. Outside of any repository a
// file may be the user's or come with an archive: it needs permission only for what reaches beyond
// its folder ([Setting.ReachesOthers]).
//
// A repository whose memory git ignores needs permission too ([IgnoredMemory]), which no file can ask for.
//
// Permissions are stored in one private file in the folder of package home, as settings with their
// values: when a file asks for something else later, the user is asked again.
package config
