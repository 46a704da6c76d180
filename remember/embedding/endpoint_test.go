package embedding

import (
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

func smallEndpoint(t *testing.T, baseURL string) *endpoint {
	t.Helper()
	e, err := newEndpoint(baseURL, "small", embeddingEnv)
	require.NoError(t, err)
	e.maxTime, e.maxTimeSeveral = 5*time.Minute, 5*time.Minute // for a busy machine
	return e
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
	vectors, err := smallEndpoint(t, base).embed(t.Context(), []string{"", "", "abc"})
	require.NoError(t, err)
	require.Equal(t, [][]float32{{0, 1}, {0, 1}, {0.6, 0.8}}, vectors)
}

func TestNoServer(t *testing.T) {
	_, err := smallEndpoint(t, "http://127.0.0.1:1").embed(t.Context(), []string{"a"})
	require.ErrorContains(t, err, "is the server running?")
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
		"server error": {answers(500, "boom\n"+embeddingKey), `status 500 "boom [key]": see the server's log`},
		"wrong key":    {answers(401, "bad key "+embeddingKey), "check WHENCE_EMBEDDING_KEY"},
		"no such path": {answers(404, ""), "the base URL and the model"},
		"garbage":      {answers(200, "<html>"+embeddingKey), `the response "<html>[key]" holds no embeddings`},
		"too few":      {answers(200, `{"data":[{"embedding":[1]}]}`), "1 vectors for 2 texts"},
		"twice":        {answers(200, `{"data":[{"index":0,"embedding":[1,1]},{"index":0,"embedding":[1,1]}]}`), "vector 0 is a duplicate"},
		"of no text":   {answers(200, `{"data":[{"index":7,"embedding":[1,1]},{"index":0,"embedding":[1,1]}]}`), "vector 7 is a duplicate or belongs to no text"},
		"zero":         {answers(200, `{"data":[{"embedding":[0,0]},{"embedding":[1,1]}]}`), "vector 0 is empty or zero"},
		"empty":        {answers(200, `{"data":[{"embedding":[]},{"embedding":[]}]}`), "vector 0 is empty or zero"},
		"huge":         {answers(200, strings.Repeat(" ", 4<<20)), "the response is longer than"},
		"long error":   {answers(500, strings.Repeat("x ", 1<<20)), "…"},
		"slow":         {func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body); <-r.Context().Done() }, "no answer within 500ms"},
		"redirect":     {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other, http.StatusTemporaryRedirect) }, "which is not followed"},
		"redirect again": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/v1/embeddings", http.StatusTemporaryRedirect)
		}, "more than 3 times"},
	} {
		t.Run(name, func(t *testing.T) {
			e := smallEndpoint(t, serveEmbeddings(t, test.handler))
			if name == "slow" {
				e.maxTimeSeveral = 500 * time.Millisecond
			}
			_, err := e.embed(t.Context(), []string{"a", "b"})
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "embeddings of small at http://127.0.0.1")
			require.NotContains(t, err.Error(), embeddingKey)
			require.Less(t, len(err.Error()), 500)
		})
	}
}

func TestDimensionsDiffer(t *testing.T) {
	base := serveEmbeddings(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"data":[{"embedding":[1]},{"embedding":[1,1]}]}`)
	})
	_, err := smallEndpoint(t, base).embed(t.Context(), []string{"a", "b"})
	require.ErrorContains(t, err, "vectors of 1 and of 2 dimensions")
}

func TestNewEndpoint(t *testing.T) {
	none, err := newEndpoint("", "", embeddingEnv)
	require.NoError(t, err)
	require.Nil(t, none)
	for baseURL, want := range map[string]string{
		"": "belong together", "https://me:" + embeddingKey + "@example.org": "bad base URL", "http://example.org/v1": "unencrypted",
		"localhost:11434": "bad base URL", "ftp://x": "bad base URL", "http://": "bad base URL", "https://x?key=1": "bad base URL", "\x00": "bad base URL",
	} {
		_, err := newEndpoint(baseURL, "small", embeddingEnv)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), embeddingKey)
	}
	for _, baseURL := range []string{"http://localhost:11434/v1", "http://[::1]:8000", "https://example.org/v1"} {
		smallEndpoint(t, baseURL)
	}
	_, err = newEndpoint("http://gpu.lan:8000", "small", func(string) string { return "" })
	require.NoError(t, err)
}
