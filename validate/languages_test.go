package validate_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
)

// Triggers may contain the signs with which words of other languages are spelt.
func TestTriggersInOtherLanguages(t *testing.T) {
	for _, trigger := range []string{"changer l’heure d’arrivée", "می\u200cخواهم سفارش را لغو کنم", "क्\u200dषेत्र बदलना", "ドライバー・アプリ", "l'utente cambia l’ordine", "cancel·lar una comanda"} {
		found, err := check(fstest.MapFS{
			config.DefaultIndex:     {Data: []byte("# Index\n\n## agents/decisions/a.md\n\n/when " + trigger + " | Title | one two three four five six seven\n")},
			"agents/decisions/a.md": {Data: []byte("# A\n\n## Title\n\nText.\n")},
		}, config.Default())
		require.NoError(t, err)
		for _, f := range found {
			require.NotEqual(t, "trigger-format", f.Rule, f.Message)
		}
	}
}
