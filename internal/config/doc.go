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
// All files have the same keys, which docs/settings.md explains.
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
// file may come with an archive, and needs permission too.
//
// A repository whose memory git ignores needs permission too ([IgnoredMemory]), which no file can ask for.
//
// Permissions are stored in one private file in the folder of package home, as settings with their
// values: when a file asks for something else later, the user is asked again.
package config
