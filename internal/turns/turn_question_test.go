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
		"Which radio channel does Merlin listen on":                    true,
		"does memory-when print the whole section":                     true,
		"why not SQLite here":                                          true,
		"isn't there a lock already":                                   true,
		"any idea why the crane sways":                                 true,
		"hm, I wonder who wrote the importer":                          true,
		"what if two bookings come at once":                            true,
		"Warum ist der Kran gesperrt":                                  true,
		"Wie lange gilt eine Fahrkarte\nund für wen?":                  true,
		"Comment marche la grue":                                       true,
		"クレーンは使えますか？":                                                  true,
		"which we did yesterday":                                       false,
		"doesn't work on Windows":                                      false,
		"don't use the crane":                                          false,
		"wie besprochen nehmen wir SQLite":                             false,
		"how we deploy: by hand":                                       false,
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

func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"we use pnpm here. why did you run npm install?":                        true,
		"I have Node and Python. Would there be something that works with both": true,
		"which database is it?":                            true,
		"we use pnpm here":                                 false,
		"can you add a redirect for /tokenizer?":           false,
		`"Which database?"="SQLite", "Which port?"="5433"`: false,
		"": false,
	} {
		require.Equal(t, want, turns.Asks(text), text)
	}
}
