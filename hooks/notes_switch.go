package hooks

import (
	"errors"
	"fmt"
	"io/fs"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/files"
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
	for attempt := 1; ; attempt++ {
		changed, err := writeSwitch(root, on)
		if (errors.Is(err, files.ErrChanged) || errors.Is(err, fs.ErrExist)) && attempt < maxAttempts {
			continue
		}
		if err != nil {
			return cli.SettingsError(err)
		}
		switch {
		case !changed:
			fmt.Fprintf(env.Stdout, "notes are already %s (%s)\n", onOff(on), config.ProjectFile)
			return nil
		case on:
			fmt.Fprintf(env.Stdout, "notes are on (%s); they begin with the next session\n", config.ProjectFile)
		default:
			fmt.Fprintf(env.Stdout, "notes are off (%s)\n", config.ProjectFile)
		}
		return printOverruled(env, root, on)
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// verifySwitch makes sure that the settings of the project can be edited.
func verifySwitch(root string) error {
	tree, err := worktree.Open(root)
	if err != nil {
		return err
	}
	defer tree.Close()
	src, err := files.ReadText(tree.FS(), config.ProjectFile)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		_, err = config.SetNotes(src, true)
	}
	return cli.SettingsError(err)
}

// writeSwitch edits the settings of the project.
func writeSwitch(root string, on bool) (changed bool, err error) {
	tree, err := worktree.Open(root)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, tree.Close()) }()
	src, err := files.ReadText(tree.FS(), config.ProjectFile)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err != nil && !isNew {
		return false, err
	}
	if isNew && !on {
		return false, nil
	}
	after, err := config.SetNotes(src, on)
	if err != nil {
		return false, err
	}
	if isNew {
		return true, tree.Create(config.ProjectFile, after)
	}
	return string(after) != string(src), tree.Replace(config.ProjectFile, src, after)
}

// printOverruled prints that the user's own settings overrule the switch, if they do.
func printOverruled(env cli.Env, root string, on bool) error {
	c, err := projectSettings(env, root)
	if err == nil && c.Notes != on {
		fmt.Fprintf(env.Stdout, "but %s sets memory_notes_enabled too, and that counts for you\n", config.LocalFile)
	}
	return cli.SettingsError(err)
}
