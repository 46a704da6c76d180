package remember

import (
	"errors"
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/text"
)

// storeCommand is the tool store_memory for agents without the MCP server.
func storeCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	var a StoreArguments
	approved, rejected, stdin := false, false, false
	return &urfave.Command{
		Name: "store", Usage: "store a learning for an agent, if the settings allow it",
		Flags: o.flags(
			&urfave.StringFlag{Name: "name", Usage: "name the learning `NAME`", Destination: &a.Name},
			&urfave.StringFlag{Name: "description", Usage: "what was learned: `TEXT`", Destination: &a.Description},
			&urfave.StringFlag{Name: "reasoning", Usage: "why it is true: `TEXT`", Destination: &a.Reasoning},
			&urfave.StringFlag{Name: "category", Usage: "its `CATEGORY`: anti-patterns, heuristics or patterns", Destination: &a.Category},
			&urfave.StringFlag{Name: "confidence", Usage: "`CONFIDENCE`: low, medium or high", Value: string(learning.Medium), Destination: &a.Confidence},
			&urfave.StringSliceFlag{Name: "reference", Usage: "a `FILE`, commit or link it is about; may be repeated"},
			&urfave.BoolFlag{Name: "approved", Usage: "store it: the user has agreed", Destination: &approved},
			&urfave.BoolFlag{Name: "rejected", Usage: "the user declined: do not propose it again", Destination: &rejected},
			&urfave.BoolFlag{Name: "stdin", Usage: "read these fields as JSON from standard input", Destination: &stdin},
		),
		Action: noArguments(func(cmd *urfave.Context) error {
			if approved && rejected {
				return cli.Usagef("--approved and --rejected contradict each other")
			}
			a.References = cmd.StringSlice("reference")
			if approved || rejected {
				a.Approved = &approved
			}
			if stdin {
				src, err := readInput("standard input", env.Stdin)
				if err != nil {
					return err
				}
				var notText *text.NotTextError
				switch _, err := text.DecodeObject(src, &a); {
				case errors.Is(err, text.ErrMoreJSON):
					return cli.Usagef("standard input: more than one JSON object: store them one by one")
				case errors.As(err, &notText):
					return cli.Usagef("standard input: %v", err)
				case err != nil:
					return cli.Usagef("standard input: expected a JSON object with name, description, reasoning and category: %v", err)
				}
			}
			if err := checkUTF8("a flag", append(a.References, a.Name, a.Description, a.Reasoning)...); err != nil {
				return err
			}
			svc, err := o.service(env)
			if err != nil {
				return failedToStore(err)
			}
			if svc.Policy, err = o.policy(env); err != nil {
				return err
			}
			c, err := svc.Store(cmd.Context, a)
			if refusal := RefusalText(err); refusal != "" {
				return reportFailure(env, refusal)
			}
			if err != nil {
				return failedToStore(err)
			}
			if o.format == "json" {
				err = text.WriteJSONLine(env.Stdout, captureJSONOf(c))
			} else {
				err = printCapture(env, c)
			}
			if err == nil && c.Decision != store.Stored && c.Decision != store.Silently && c.Decision != store.Discarded {
				err = cli.ErrFound
			}
			return err
		}),
	}
}

func printCapture(env cli.Env, c CaptureResult) error {
	lines := []string{text.Printable(c.Message())}
	notes := c.Notes()
	if proposal := c.proposal(); proposal != "" {
		lines = append(lines, "", text.PrintableLines(proposal), "",
			"Show this to the user and ask. If they agree, run the command again with --approved;", "if not, with --rejected.")
		notes = c.RememberResult.Notes()
	}
	for _, note := range notes {
		lines = append(lines, text.PrintableLines(note))
	}
	_, err := fmt.Fprintln(env.Stdout, strings.Join(lines, "\n"))
	return err
}

type captureJSON struct {
	Decision       string            `json:"decision"`
	Message        string            `json:"message"`
	Notes          []string          `json:"notes,omitempty"`
	ID             string            `json:"id,omitempty"`
	Name           string            `json:"name"`
	Category       learning.Category `json:"category"`
	Reinforced     bool              `json:"reinforced,omitempty"`
	Observations   int               `json:"observations,omitempty"`
	Redacted       []string          `json:"redacted,omitempty"`
	SilentCaptures int               `json:"silent_captures"`
	Budget         int               `json:"budget"`
}

var decisionNames = map[store.Decision]string{
	store.Stored: "stored", store.Silently: "captured", store.Proposed: "proposed", store.OverBudget: "over-budget",
	store.Discarded: "discarded", store.RejectedBefore: "rejected-before", store.SwitchedOff: "off",
}

func captureJSONOf(c CaptureResult) captureJSON {
	return captureJSON{
		decisionNames[c.Decision], c.Message(), c.Notes(), c.ID, c.Name, c.Category,
		c.Reinforced, c.Observations, c.Redacted, c.Silent, c.Budget,
	}
}
