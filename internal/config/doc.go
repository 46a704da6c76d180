// Package config reads the settings, and decides which settings of a repository count.
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
// docs/settings.md explains the keys. All files have the same keys, except three that count in only one file.
//
// Files of the repository may only ask for less than the user has set: less captured, less shown. So may the
// environment, since agents let a repository set it. Settings that ask for more have no effect, and are listed in
// [Config.Asks]. The user asks for more in settings.yaml, or in .claude/whence.local.md if git does not track that
// file, so that it cannot have come with a clone. A linked worktree without such a file uses that of the main worktree.
// Outside any repository the file may have come with an archive, so it does not count as the user's. Only settings.yaml
// may name a server, and only the user's own .claude/whence.local.md may say that ignored files are memory.
//
// An unknown key, a key that is set twice or a value of the wrong shape is an error that names the file and line, the
// key and the allowed values. All other settings still count: [LoadFrom] returns them with the error. In doubt, capture
// is off: a setting that may have been meant to stop it stops it.
package config
