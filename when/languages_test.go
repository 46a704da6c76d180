package when_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"whence/internal/config"
	"whence/when"
)

// openEntry opens a memory with one entry.
func openEntry(t *testing.T, line, title string) *when.Lookup {
	t.Helper()
	l, err := when.Open(fstest.MapFS{
		"agents/memory-index.md": {Data: []byte("# Index\n\n## agents/decisions/a.md\n\n" + line + "\n")},
		"agents/decisions/a.md":  {Data: []byte("# A\n\n## " + title + "\n\nText.\n")},
	}, config.Default())
	require.NoError(t, err)
	return l
}

func resolves(t *testing.T, l *when.Lookup, query string) bool {
	t.Helper()
	q, err := when.ParseQuery(query)
	require.NoError(t, err)
	_, err = l.Resolve(q)
	return err == nil
}

// A word that means something else because of one letter, or its prefix, is another query.
func TestOppositesAreNotAnswered(t *testing.T) {
	for trigger, other := range map[string]string{
		"handling important errors": "handling import errors",
		"synchronous calls":         "asynchronous calls",
		"включить кэш ответов":      "выключить кэш ответов",
		"den sorter anschalten":     "den sorter abschalten",
		"önbelleği temizle":         "önbelleği temizleme",
		"先清缓存 之前":                   "先清缓存 之后",
		"월요일 배포":                    "화요일 배포",
		"重试三次请求":                    "重试五次请求",
	} {
		l := openEntry(t, "/when "+trigger+" | Title | description", "Title")
		require.True(t, resolves(t, l, trigger), trigger)
		require.False(t, resolves(t, l, other), other)
	}
}

// Composed and decomposed text is the same, in heading, entry and query.
func TestComposedAndDecomposed(t *testing.T) {
	for trigger, title := range map[string]string{
		"libérer une réservation": "Libérer à l’heure", "größen ändern": "Größen für Übergaben", "반품을 접수할 때": "반품 송장은 다시 쓰지 않는다", "データを消す": "データは72時間で消す",
	} {
		for _, heading := range []norm.Form{norm.NFC, norm.NFD} {
			for _, entry := range []norm.Form{norm.NFC, norm.NFD} {
				line, name := "/when "+entry.String(trigger)+" | "+entry.String(title)+" | description", "agents/decisions/"+title+" X.md"
				l, err := when.Open(fstest.MapFS{
					"agents/memory-index.md": {Data: []byte("# Index\n\n## " + entry.String(name) + "\n\n" + line + "\n")},
					heading.String(name):     {Data: []byte("# A\n\n## " + heading.String(title) + "\n\nText.\n")},
				}, config.Default())
				require.NoError(t, err)
				for _, query := range []string{trigger, "§ " + title + " x.md", "§ " + name, "§ ." + title} {
					require.True(t, resolves(t, l, norm.NFC.String(query)) && resolves(t, l, norm.NFD.String(query)), query)
				}
			}
		}
	}
}

// The space of Chinese and Japanese ends an operator and separates fields, and their full stop ends a query.
func TestWideSpaces(t *testing.T) {
	for _, line := range []string{"/when　支付回调 | 标题 | 说明", "/when　支付回调　|　标题　|　说明", "/how　支付回调 |　标题 | 说明"} {
		l := openEntry(t, line, "标题")
		for _, query := range []string{"支付回调", "支付回调。", line[:len("/when")] + "　支付回调"} {
			if line[:4] == "/how" && query[0] == '/' {
				query = "/how　支付回调"
			}
			require.True(t, resolves(t, l, query), "%s: %s", line, query)
		}
	}
}
