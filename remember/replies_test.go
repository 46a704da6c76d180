package remember_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/remember"
)

func TestRefusalText(t *testing.T) {
	_, category := learning.ParseCategory("tips")
	_, importOnly := learning.ParseCategory("constitution")
	for want, err := range map[string]error{
		"Error: invalid category 'tips'. Must be one of: anti-patterns, heuristics, patterns":                      category,
		"Entry rejected: description too short (min 20 chars)":                                                     learning.ErrTooShort,
		"Entry rejected: constitution entries are import-only (edit docs/knowledge-bank/constitution.md directly)": importOnly,
		"": errors.New("the disk is full"),
	} {
		require.Equal(t, want, remember.RefusalText(err))
	}
	require.Empty(t, remember.RefusalText(nil))
}
