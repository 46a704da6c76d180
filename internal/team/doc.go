// Package team tells which store of a team a repository belongs to, and where its copy lies.
//
// A hook never waits for a network: all that is done at an event is done on a store of this
// machine, the copy, in a folder of its own below that of package home. What brings the copy
// together with the server works beside it.
//
// A file of a repository may name a store ([config.Config]), but then everything that is said
// there would go wherever its author likes. So it counts only if the user has allowed that
// very URL ([Allow]); what the environment names is the user's own word.
package team
