// Package shell reads shell command lines: which command a line is about, whether it can have
// changed anything, and whether two lines do the same.
//
//	shell.RunOf("cd web && CI=1 npm test 2>&1 | tail", "/repo")  // npm test, in /repo/web
//
// It expands nothing, and it reads truncated and broken lines as far as they go.
package shell
