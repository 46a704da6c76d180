package embedding

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const embeddingKey = "the-key-of-the-test"

func embeddingEnv(string) string { return embeddingKey }

func embedAt(t *testing.T, baseURL string, texts ...string) ([][]float32, error) {
	t.Helper()
	return Vectors(t.Context(), baseURL, "small", embeddingEnv, texts)
}

func serveEmbeddings(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + "/v1/"
}

// A response may be in any order; the vectors have the order of the texts, and length 1.
func TestEmbed(t *testing.T) {
	base := serveEmbeddings(t, func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "/v1/embeddings", r.URL.Path)
		require.Equal(t, "Bearer "+embeddingKey, r.Header.Get("Authorization"))
		var q struct {
			Model string
			Input []string
		}
		require.NoError(t, json.NewDecoder(r.Body).Decode(&q))
		require.Equal(t, "small", q.Model)
		var data []string
		for i, text := range q.Input {
			data = append([]string{fmt.Sprintf(`{"index":%d,"embedding":[%d,4]}`, i, len(text))}, data...)
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
	})
	vectors, err := embedAt(t, base, "", "", "abc")
	require.NoError(t, err)
	require.Equal(t, [][]float32{{0, 1}, {0, 1}, {0.6, 0.8}}, vectors)
}

func TestNoServer(t *testing.T) {
	_, err := embedAt(t, "http://127.0.0.1:1", "a")
	require.ErrorContains(t, err, "is the server running, and the model loaded?")
}

// Each error says what to do, and does not hold the key.
func TestFaults(t *testing.T) {
	answers := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	other := serveEmbeddings(t, func(http.ResponseWriter, *http.Request) { t.Error("the other host was asked") })
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"server error": {answers(500, "boom\n"+embeddingKey), `status 500 "boom [key]", instead of 2 vectors: see the server's log`},
		"wrong key":    {answers(401, "bad key "+embeddingKey), "check WHENCE_EMBEDDING_KEY"},
		"garbage":      {answers(200, "<html>"+embeddingKey), `status 200 "<html>[key]", instead of`},
		"too few":      {answers(200, `{"data":[{"embedding":[1]}]}`), ", instead of 2 vectors"},
		"twice":        {answers(200, `{"data":[{"index":0,"embedding":[1,1]},{"index":0,"embedding":[1,1]}]}`), ", instead of 2 vectors"},
		"of no text":   {answers(200, `{"data":[{"index":7,"embedding":[1,1]},{"index":0,"embedding":[1,1]}]}`), ", instead of 2 vectors"},
		"zero":         {answers(200, `{"data":[{"embedding":[0,0]},{"embedding":[1,1]}]}`), ", instead of 2 vectors"},
		"huge":         {answers(200, strings.Repeat(" ", 20<<20)), ", instead of 2 vectors"},
		"long error":   {answers(500, strings.Repeat("x ", 1<<20)), "…"},
		"redirect":     {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other, http.StatusTemporaryRedirect) }, "status 307"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := embedAt(t, serveEmbeddings(t, test.handler), "a", "b")
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "embeddings of small at http://127.0.0.1")
			require.NotContains(t, err.Error(), embeddingKey)
			require.Less(t, len(err.Error()), 500)
		})
	}
}

// A search waits for the server no longer than its context allows.
func TestEmbedUntilDeadline(t *testing.T) {
	base := serveEmbeddings(t, func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body); <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := Vectors(ctx, base, "small", embeddingEnv, []string{"a"})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "is the server running, and the model loaded?")
}

func TestBaseURLs(t *testing.T) {
	for baseURL, want := range map[string]string{
		"": "belong together", "https://me:" + embeddingKey + "@example.org": "bad base URL", "http://example.org/v1": "unencrypted",
		"localhost:11434": "bad base URL", "ftp://x": "bad base URL", "http://": "bad base URL", "https://x?key=1": "bad base URL", "\x00": "bad base URL",
	} {
		_, err := embedAt(t, baseURL, "a")
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), embeddingKey)
	}
}
