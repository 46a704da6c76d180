package turns_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/turns"
)

func TestIsQuestion(t *testing.T) {
	for text, want := range map[string]bool{
		"which port does the staging database listen on?":              true,
		"how do we deploy to staging":                                  true,
		"Hi! what's the name of the branch":                            true,
		"why is the build red?\n\nis it the cache?":                    true,
		"can you tell me where the fixtures are?":                      true,
		"Could you please check whether the port is open?":             true,
		"do we still need the old importer?":                           true,
		"**which database is it?**":                                    true,
		"the staging database listens on port 5433":                    false,
		"we use pnpm here. why did you run npm install?":               false,
		"can you add a redirect for /tokenizer?":                       false,
		"Would you always run the tests before you commit?":            false,
		"please explain the policy":                                    false,
		"when you deploy, run the migrations first":                    false,
		"what we need is a redirect from the old address":              false,
		"is it? no: never cache the timetable for longer than an hour": false,
		"": false,
		`"Which database?"="SQLite", "Which port?"="5433"`: false,
		"how about a second try with the other driver":     false,
	} {
		require.Equal(t, want, turns.IsQuestion(text), text)
	}
}
