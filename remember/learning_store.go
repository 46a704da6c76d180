package remember

import (
	"encoding/json"
	"fmt"
	"io"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/knowledge"
	"whence/internal/learning"
	"whence/internal/store"
)

// storeCommand is the tool store_memory of the MCP server, for where that does not run.
func storeCommand(env cli.Env) *urfave.Command {
	var o learningOptions
	var a knowledge.Arguments
	var references urfave.StringSlice
	approved, rejected, stdin := false, false, false
	return &urfave.Command{
		Name: "store", Usage: "store a learning for an agent, as far as the settings allow it",
		Flags: o.flags(
			&urfave.StringFlag{Name: "name", Usage: "its `NAME`", Destination: &a.Name},
			&urfave.StringFlag{Name: "description", Usage: "what was learned, in `TEXT`", Destination: &a.Description},
			&urfave.StringFlag{Name: "reasoning", Usage: "why it holds, in `TEXT`", Destination: &a.Reasoning},
			&urfave.StringFlag{Name: "category", Usage: "`CATEGORY`: anti-patterns, heuristics or patterns", Destination: &a.Category},
			&urfave.StringFlag{Name: "confidence", Usage: "`CONFIDENCE`: low, medium or high", Value: string(learning.Medium), Destination: &a.Confidence},
			&urfave.StringSliceFlag{Name: "reference", Usage: "it is about `FILE`, a commit or a link; may be repeated", Destination: &references},
			&urfave.BoolFlag{Name: "approved", Usage: "the user has agreed", Destination: &approved, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "rejected", Usage: "the user has turned it down: do not propose it again in this session", Destination: &rejected, DisableDefaultText: true},
			&urfave.BoolFlag{Name: "stdin", Usage: "read these fields as a JSON object from standard input", Destination: &stdin, DisableDefaultText: true},
		),
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Present() {
				return cli.Usagef("unexpected argument %q", ctx.Args().First())
			}
			if approved && rejected {
				return cli.Usagef("--approved and --rejected contradict each other")
			}
			a.References = references.Value()
			if approved || rejected {
				a.Approved = &approved
			}
			if stdin {
				decoder := json.NewDecoder(io.LimitReader(env.Stdin, longestInput))
				decoder.DisallowUnknownFields()
				if err := decoder.Decode(&a); err != nil {
					return cli.Usagef("standard input: %v", err)
				}
			}
			b, err := o.base(env)
			if err != nil {
				return err
			}
			if b.Policy, err = o.policy(env); err != nil {
				return err
			}
			c, err := b.Store(background(ctx), a)
			if refusal := knowledge.Refused(err); refusal != "" {
				fmt.Fprintf(env.Stderr, "memory-remember: %s\n", finding.Printable(refusal))
				return cli.ErrFound
			}
			if err != nil {
				return fmt.Errorf("Failed to store learning: %w", err) //nolint:staticcheck // the specification's words
			}
			if o.format == "json" {
				err = json.NewEncoder(env.Stdout).Encode(c.Answer())
			} else if _, err = fmt.Fprintln(env.Stdout, finding.Printable(c.Message())); err == nil {
				for _, note := range c.Notes() {
					fmt.Fprintln(env.Stdout, printableLines(note))
				}
			}
			if err == nil && c.Decision != store.Stored && c.Decision != store.Captured && c.Decision != store.Discarded {
				err = cli.ErrFound
			}
			return err
		},
	}
}
