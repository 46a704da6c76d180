package hooks

import (
	"errors"
	"fmt"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/notes"
	"whence/internal/worktree"
)

// enableNotes switches notes on.
func enableNotes(env cli.Env, root string) error {
	dir, err := env.Home()
	if err == nil { // the user has just asked for it
		err = config.AllowSetting(dir, config.RepositoryOf(root), config.NotesOn)
	}
	if err != nil {
		return err
	}
	if err := switchNotes(env, root, true); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "to keep them out of git: add %s/ to .gitignore\n", notes.Folder)
	return nil
}

// switchNotes writes the setting, and prints that. A file that was changed meanwhile is read again.
func switchNotes(env cli.Env, root string, on bool) error {
	changed := false
	err := changeSettings(root, func(before []byte) ([]byte, error) {
		if before == nil && !on {
			return nil, nil
		}
		after, err := config.SetNotes(before, on)
		changed = string(after) != string(before)
		return after, err
	})
	if err != nil {
		return cli.SettingsError(err)
	}
	if !changed {
		fmt.Fprintf(env.Stdout, "notes are already %s (%s)\n", onOff(on), config.ProjectFile)
		return nil
	}
	if on {
		fmt.Fprintf(env.Stdout, "notes are on (%s); they begin with the next session\n", config.ProjectFile)
	} else {
		fmt.Fprintf(env.Stdout, "notes are off (%s)\n", config.ProjectFile)
	}
	return printOverruled(env, root, on)
}

// changeSettings edits the settings of the project.
func changeSettings(root string, edit func(before []byte) ([]byte, error)) (err error) {
	tree, err := worktree.Open(root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	return tree.Update(config.ProjectFile, edit)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// verifySwitch makes sure that the settings of the project can be edited.
func verifySwitch(root string) error {
	err := changeSettings(root, func(before []byte) ([]byte, error) {
		_, err := config.SetNotes(before, true)
		return before, err
	})
	return cli.SettingsError(err)
}

// printOverruled prints that the user's own settings overrule the switch, if they do.
func printOverruled(env cli.Env, root string, on bool) error {
	c, err := projectSettings(env, root)
	if err == nil && c.Notes != on {
		fmt.Fprintf(env.Stdout, "but %s sets memory_notes_enabled too, and that counts for you\n", config.LocalFile)
	}
	return cli.SettingsError(err)
}
