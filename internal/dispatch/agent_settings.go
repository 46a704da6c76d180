package dispatch

import (
	"io/fs"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/files"
	"whence/internal/home"
	"whence/internal/worktree"
)

// ReadingCommand returns the command by which the agent reads decisions: agent.ReadingProgram, or its
// path if it is not on the PATH, or "" if there is none. Unasked reports whether the agent runs it
// without asking its user, by the settings of the user and the project.
func (r *Request) ReadingCommand() (command string, unasked bool) {
	command = cli.Command(agent.ReadingProgram)
	if command == "" {
		return "", false
	}
	getenv := r.Env.Getenv
	return command, r.Agent.MayRun(command, home.UserFolder(getenv), r.Root, getenv, r.ReadSettings)
}

// ReadSettings returns the text of a settings file of the agent, in the project or another folder; nil
// if it cannot be read.
func (r *Request) ReadSettings(folder, name string) []byte {
	if folder == "" || name == "" {
		return nil
	}
	tree, maxBytes := r.Tree, int64(maxProjectSettingsBytes)
	if folder != r.Root {
		maxBytes = maxSettingsBytes
		var err error
		if tree, err = worktree.Open(folder); err != nil {
			return nil
		}
		defer tree.Close()
	}
	if info, err := fs.Stat(tree.FS(), name); err != nil || info.Size() > maxBytes {
		return nil
	}
	src, err := files.ReadText(tree.FS(), name)
	if err != nil {
		return nil
	}
	return src
}

// These bound the files that are read. Claude Code keeps the user's list of servers among much else; a
// repository's file must not delay the reply.
const (
	maxSettingsBytes        = 4 << 20
	maxProjectSettingsBytes = 256 << 10
)
