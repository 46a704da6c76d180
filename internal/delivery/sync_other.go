//go:build !unix

package delivery

// syncFolders does nothing: the system keeps a journal of names, and syncs no folder.
func syncFolders(...string) error { return nil }
