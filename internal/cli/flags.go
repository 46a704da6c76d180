package cli

import (
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// QuietFlag returns the flag --quiet.
func QuietFlag(quiet *bool) urfave.Flag {
	return &urfave.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print only results and errors", Destination: quiet}
}

// Format returns a usage error if the value of --format is not a known one.
func Format(value string, known ...string) error {
	switch {
	case slices.Contains(known, value):
		return nil
	case len(known) > 2:
		return Usagef("unknown --format %q: use one of %s", value, strings.Join(known, ", "))
	}
	return Usagef("unknown --format %q: use %s", value, strings.Join(known, " or "))
}
