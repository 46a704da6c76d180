// Package shell analyzes the command lines that agents run: which commands a line runs, whether it
// runs a whence program, and whether it does the same task as a line that failed.
//
//	shell.RunOf("cd web && CI=1 npm test 2>&1 | tail", "/repo")  // npm test, in /repo/web
//
// Lines are hostile. They are parsed by mvdan.cc/sh/v3/syntax, within bounds of length and nesting;
// nothing is expanded or run. A line that does not parse equals only itself.
//
// [Typed] and [Quote] go the other way: they build the command lines that messages ask the user to type.
package shell
