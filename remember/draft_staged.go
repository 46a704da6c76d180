package remember

import (
	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
)

func draftStagedCommand(env cli.Env) *urfave.Command {
	return &urfave.Command{Name: "draft-staged", Usage: "x"}
}
