package hooks

import (
	"errors"
	"fmt"
	"io/fs"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/files"
	"whence/internal/home"
	"whence/internal/notes"
	"whence/internal/worktree"
)

// notesEnableCommand switches notes on in the settings of the project.
func notesEnableCommand(env cli.Env) *urfave.Command {
	var dir string
	var ignore bool
	return &urfave.Command{
		Name: "enable", Usage: "switch notes on, in " + config.ProjectFile,
		Flags: notesFlags(&dir, &urfave.BoolFlag{Name: "gitignore", Usage: "also add .memory/ to .gitignore", Destination: &ignore, DisableDefaultText: true}),
		Action: func(ctx *urfave.Context) error {
			if err := noArguments(ctx); err != nil {
				return err
			}
			return enableNotes(env, notesRoot(env, dir), ignore)
		},
	}
}

// enableNotes switches notes on, and adds them to .gitignore or says how.
func enableNotes(env cli.Env, root string, ignore bool) error {
	dir, err := home.Dir(env.Getenv)
	if err == nil { // the user has just asked for it
		err = config.AllowSetting(dir, config.RepositoryOf(root), config.NotesOn)
	}
	if err == nil {
		err = switchNotes(env, root, true)
	}
	if err != nil {
		return err
	}
	if ignore {
		return ignoreNotes(env, root)
	}
	if is, err := notes.Ignored(root); is || err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "git can commit %s/; to keep it out of git: %s notes ignore\n", notes.Folder, programName)
	return nil
}

// notesDisableCommand switches notes off.
func notesDisableCommand(env cli.Env) *urfave.Command {
	var dir string
	return &urfave.Command{
		Name: "disable", Usage: "switch notes off; existing notes stay", Flags: notesFlags(&dir),
		Action: func(ctx *urfave.Context) error {
			if err := noArguments(ctx); err != nil {
				return err
			}
			return switchNotes(env, notesRoot(env, dir), false)
		},
	}
}

// switchNotes writes the setting, and says so. A file that was changed meanwhile is read
// again.
func switchNotes(env cli.Env, root string, on bool) error {
	for attempt := 1; ; attempt++ {
		changed, err := writeSwitch(root, on)
		if errors.Is(err, files.ErrChanged) && attempt < attempts || errors.Is(err, fs.ErrExist) && attempt < attempts {
			continue
		}
		if err != nil {
			return cli.SettingsError(err)
		}
		state := map[bool]string{true: "on", false: "off"}[on]
		switch {
		case !changed:
			fmt.Fprintf(env.Stdout, "notes are already %s (%s)\n", state, config.ProjectFile)
			return nil
		case on:
			fmt.Fprintf(env.Stdout, "notes are on (%s); they begin with the next session\n", config.ProjectFile)
		default:
			fmt.Fprintf(env.Stdout, "notes are off (%s)\n", config.ProjectFile)
		}
		return overruled(env, root, on)
	}
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
	if err != nil || string(after) == string(src) {
		return false, err
	}
	if isNew {
		return true, tree.Create(config.ProjectFile, after)
	}
	return true, tree.Replace(config.ProjectFile, src, after)
}

// overruled says so if the user's own settings say otherwise.
func overruled(env cli.Env, root string, on bool) error {
	c, err := projectSettings(env, root)
	if err == nil && c.Notes != on {
		fmt.Fprintf(env.Stdout, "but %s sets memory_notes_enabled too, and that counts for you\n", config.LocalFile)
	}
	return cli.SettingsError(err)
}
