package cli

import (
	"slices"
	"strings"
)

// Format refuses a value of --format that is none of those that a command prints.
func Format(value string, known ...string) error {
	switch {
	case slices.Contains(known, value):
		return nil
	case len(known) > 2:
		return Usagef("unknown --format %q: use one of %s", value, strings.Join(known, ", "))
	}
	return Usagef("unknown --format %q: use %s", value, strings.Join(known, " or "))
}
