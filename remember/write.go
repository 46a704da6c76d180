package remember

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/text"
)

// writeCommand serves callers of an earlier tool, which was run as
// "writer --action upsert --global-store DIR --entry-json JSON".
func writeCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	var action, dir, entry, file, root string
	return &urfave.Command{
		Name: "write", Usage: "store a learning given as JSON",
		Description: "For callers of an earlier tool: use store in new scripts.",
		Flags: o.flags(
			&urfave.StringFlag{Name: "action", Usage: "the `ACTION`; only upsert", Value: "upsert", Destination: &action},
			&urfave.StringFlag{Name: "global-store", Usage: "use the store in `DIR`", Destination: &dir},
			&urfave.StringFlag{Name: "entry-json", Usage: "the learning as `JSON`", Destination: &entry},
			&urfave.StringFlag{Name: "entry-file", Usage: "read the learning as JSON from `FILE`", Destination: &file},
			&urfave.StringFlag{Name: "project-root", Usage: "the learning belongs to the repository at `DIR`", Destination: &root},
		),
		Action: noArguments(quoteText, func(cmd *urfave.Context) error {
			if action != "upsert" {
				return cli.Usagef("--action %q: use upsert", action)
			}
			src := []byte(entry)
			switch {
			case entry == "" && file == "":
				return refuse(env, "Error: one of --entry-json or --entry-file is required.")
			case entry != "" && file != "":
				return cli.Usagef("--entry-json and --entry-file contradict each other")
			case file != "":
				var err error
				if src, err = readEntryFile(env.Path(file)); err != nil {
					return err
				}
			}
			if root != "" {
				o.dir = root
			}
			svc, err := o.service(env)
			if err != nil {
				return err
			}
			if dir != "" {
				svc.Dir = env.Path(dir)
			}
			l, err := parseEntry(src)
			if err != nil {
				return refuse(env, err.Error())
			}
			r, err := svc.Remember(cmd.Context, l, false)
			var field *learning.FieldError
			if errors.As(err, &field) {
				return refuse(env, validationError(field))
			}
			if RefusalText(err) != "" {
				return refuse(env, "Validation error: "+err.Error())
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(env.Stdout, text.Printable(r.IDMessage()))
			r.Unplaced = false // an earlier tool said nothing of that
			o.remark(env, r.Notes()...)
			return err
		}),
	}
}

// refuse prints why nothing was stored, without a prefix, for exit status 1.
func refuse(env cli.Env, why string) error {
	fmt.Fprintln(env.Stderr, strings.Join(strings.Fields(text.PrintableLines(why)), " "))
	return cli.ErrFound
}

func readEntryFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readInput(name, file, maxInputBytes)
}

// parseEntry reads a learning with the checks and messages of the earlier tool.
func parseEntry(src []byte) (l learning.Learning, err error) {
	var e learning.Learning
	if len(bytes.TrimSpace(src)) == 0 || bytes.TrimSpace(src)[0] != '{' {
		return l, errors.New("Error: invalid JSON: expected an object with name, description and category") //nolint:staticcheck // its words
	}
	if _, err := text.DecodeObject(src, &e); err != nil {
		return l, fmt.Errorf("Error: invalid JSON: %w", err) //nolint:staticcheck // its words
	}
	l = learning.Learning{
		Name: text.Clean(e.Name), Description: e.Description, Reasoning: e.Reasoning, Category: e.Category, Keywords: e.Keywords, References: e.References,
		Source: cmp.Or(e.Source, learning.Manual), Confidence: cmp.Or(e.Confidence, learning.Medium),
	}
	for _, required := range []struct{ name, value string }{{"name", l.Name}, {"description", text.Clean(l.Description)}, {"category", string(e.Category)}} {
		if required.value == "" {
			return l, errors.New(validationError(&learning.FieldError{Field: required.name}))
		}
	}
	return l, nil
}

// validationError returns the message of the earlier tool.
func validationError(field *learning.FieldError) string {
	if field.Allowed == nil {
		return fmt.Sprintf("Validation error: '%s' is required and must be non-empty.", field.Field)
	}
	return fmt.Sprintf("Validation error: '%s' must be one of ['%s'], got '%s'.", field.Field, strings.Join(field.Allowed, "', '"), field.Value)
}
