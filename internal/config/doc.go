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
// docs/settings.md explains the keys. All files have the same, except three that are read from one file alone.
//
// A file of the repository, and the environment, which agents let a repository set, may only ask for less than
// the user has set: less captured, less shown. What asks for more is listed in [Config.Asks]. The user asks for more in
// settings.yaml, or in .claude/whence.local.md where git does not track it: then it cannot have come with a clone. A linked
// worktree without one has that of the main worktree. Outside of any repository it may come with an archive, and so is
// not the user's. Only settings.yaml names a server, and only the user's own .claude/whence.local.md says that ignored
// files are memory.
//
// An unknown key, a key that is set twice or a value of the wrong shape is an error that names
// the file and line, the key and what is allowed. All other settings still count: [LoadFrom] returns them
// beside the error. Doubt means off: what may have been meant to stop capture stops it.
package config
