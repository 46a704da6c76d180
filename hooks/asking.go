package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"whence/internal/cli"
)

// asking is a command that asks a question before each of its steps.
type asking struct {
	env         cli.Env
	yes, dryRun bool // answer all questions with yes; do no step
}

// begin returns the folder in which the command works: that of --repo, or the project's. It returns an error if the
// folder does not exist, or if the command cannot ask.
func (a *asking) begin(command, dir string) (folder string, err error) {
	if !a.yes && !a.dryRun && !cli.IsTerminal(a.env.Stdin) {
		return "", cli.Usagef("%s asks at each step: run it in a terminal, or add --yes, or --dry-run to see the steps", command)
	}
	return existing(project(a.env, dir))
}

// existing returns a folder, or an error if it does not exist.
func existing(folder string) (string, error) {
	if _, err := os.Stat(folder); err != nil {
		return "", fmt.Errorf("%w: name a folder that exists with --repo", err)
	}
	return folder, nil
}

func (a *asking) say(format string, args ...any) {
	fmt.Fprintf(a.env.Stdout, format+"\n", args...)
}

// agrees asks whether to do a step. In a dry run it prints the question and returns false.
func (a *asking) agrees(format string, args ...any) bool {
	question := fmt.Sprintf(format, args...)
	if a.dryRun {
		a.say("would ask: %s", question)
		return false
	}
	return a.yes || cli.Confirm(a.env, question)
}

// runProgram runs another program of this module. Exit status 1, for findings, is not an error, since the program
// prints them.
func (a *asking) runProgram(ctx context.Context, name string, args ...string) error {
	program, err := cli.Program(name, a.env.Dir)
	if err != nil {
		return err
	}
	cmd := program.Command(ctx, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = a.env.Dir, a.env.Stdout, a.env.Stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == cli.Found {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}
