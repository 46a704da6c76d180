// Package consent decides which settings of a repository's files count.
//
// A file that git tracks comes with the repository: it may ask for less than the user has set,
// and for more only what the user has allowed for that repository ([Allow]). A file in a repository that git does not track cannot come with a clone, and so is
// the user's own. Outside of any repository a file may be the user's or come with an archive:
// it needs permission only for what reaches beyond its folder ([config.Setting.ReachesOthers]).
//
// Permissions are kept in one private file in the folder of package home, as settings with their
// values: when a file asks for something else later, the user is asked again.
package config
