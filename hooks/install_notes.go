package hooks

import (
	"fmt"

	"whence/internal/cli"
)

// withNotes switches the notes of the project on.
func (o *registerOptions) withNotes(env cli.Env) error {
	root := notesRoot(env, o.dir)
	if o.dryRun || o.diff {
		fmt.Fprintf(env.Stderr, "%s: would switch notes on in %s\n", programName, root)
		return nil
	}
	return enableNotes(env, root, o.gitignore)
}

// withoutNotes switches them off. Existing notes stay, and so does the line in .gitignore.
func (o *registerOptions) withoutNotes(env cli.Env) error {
	root := notesRoot(env, o.dir)
	if o.dryRun || o.diff {
		fmt.Fprintf(env.Stderr, "%s: would switch notes off in %s\n", programName, root)
		return nil
	}
	return switchNotes(env, root, false)
}

// keepsNotes reports whether the project has notes switched on. Settings that cannot be read
// count as off: what needs them reports what is wrong.
func (o *registerOptions) keepsNotes(env cli.Env) bool {
	c, err := projectSettings(env, notesRoot(env, o.dir))
	return err == nil && c.Notes
}
