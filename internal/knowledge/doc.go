// Package knowledge is what one repository, in one agent session, may do with the store
// of learnings: remember, store, search, forget, say what helped. The command line and
// the MCP server are two doors to it, with the same checks and the same words.
//
// What is stored is cleaned of control characters, secrets and private text first
// (internal/redact); the kinds that were taken out are told. Learnings belong to the
// repository in which they were made, which is its git directory: all worktrees share
// them, and another clone of the same name does not. Those made outside of any
// repository, or asked to be so, are global: all repositories see them.
//
// Where the settings name a team's store, all is done on its copy (internal/team), and a
// repository has the name that all its clones share: that of its remote.
//
// Texts that agents read, such as "Stored: …" and "Reinforced: …", have a form that
// earlier tools had, and do not change.
package knowledge
