// Package embedding requests vectors of texts from a server that the user names. Like the MCP server, it
// links net/http, so the programs that agents start at each event don't import it.
package embedding

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"whence/internal/words"
)

const (
	keyVariable = "WHENCE_EMBEDDING_KEY"

	maxResponseBytes = 16 << 20
	maxExcerptBytes  = 200 // of a response, in errors
	maxEmbedTime     = 20 * time.Second
)

// Vectors computes one vector of a model for each text, on the server at a base URL, in the protocol of
// OpenAI that Ollama, LM Studio and vLLM speak too: POST {base}/embeddings with {"model", "input"}.
//
// The vectors have length 1. The key is read from the environment, so that no file holds it. It is sent to
// no other host, unencrypted only within this machine, and never appears in an error. Only the user's own
// settings may name a server, because it receives all learnings.
func Vectors(ctx context.Context, baseURL, model string, getenv func(string) string, texts []string) ([][]float32, error) {
	if baseURL == "" || model == "" {
		return nil, errors.New("embeddings: base URL and model belong together: set both, or neither")
	}
	base, err := url.Parse(baseURL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("embeddings: bad base URL: use http:// or https://, a host and a path, such as http://localhost:11434/v1; put a key into %s", keyVariable)
	}
	key := strings.TrimSpace(getenv(keyVariable))
	if ip := net.ParseIP(base.Hostname()); key != "" && base.Scheme == "http" && base.Hostname() != "localhost" && !ip.IsLoopback() {
		return nil, fmt.Errorf("embeddings: the key would be sent to %s unencrypted: use https, or unset %s", base.Host, keyVariable)
	}
	address := base.JoinPath("embeddings").String()
	status, response, err := post(ctx, address, key, map[string]any{"model": model, "input": texts})
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		err = failed.Err
	}
	if err != nil {
		return nil, fmt.Errorf("embeddings of %s at %s: %w: is the server running, and the model loaded?", model, address, err)
	}
	vectors := parseVectors(response, len(texts))
	if status != http.StatusOK || vectors == nil {
		return nil, fmt.Errorf("embeddings of %s at %s: status %d %q, instead of %d vectors: see the server's log, or check %s, the base URL and the model",
			model, address, status, excerpt(response, key), len(texts), keyVariable)
	}
	return vectors, nil
}

// post sends a JSON value, and returns the response. It follows no redirects, which could lead texts and key
// elsewhere, and uses no proxy, since agents let a repository name one.
func post(ctx context.Context, address, key string, value any) (status int, response []byte, err error) {
	body, err := json.Marshal(value)
	if err != nil {
		return 0, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	client := http.Client{
		Timeout:       maxEmbedTime,
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	response, err = io.ReadAll(io.LimitReader(resp.Body, maxResponseBytes))
	return resp.StatusCode, response, err
}

// excerpt returns the beginning of a response on one line, without the key.
func excerpt(response []byte, key string) string {
	if key != "" {
		response = bytes.ReplaceAll(response, []byte(key), []byte("[key]"))
	}
	beginning := strings.ToValidUTF8(string(response[:min(len(response), 10*maxExcerptBytes)]), "")
	return words.Shorten(strings.Join(strings.Fields(beginning), " "), maxExcerptBytes)
}

// parseVectors returns the vectors of a response, in the order of their texts, or nil if there are not n of them.
func parseVectors(src []byte, n int) [][]float32 {
	var response struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if json.Unmarshal(src, &response) != nil || len(response.Data) != n {
		return nil
	}
	vectors := make([][]float32, n)
	for i, d := range response.Data {
		if d.Index != nil {
			i = *d.Index
		}
		if i < 0 || i >= n || vectors[i] != nil || !normalize(d.Embedding) {
			return nil
		}
		vectors[i] = d.Embedding
	}
	return vectors
}

// normalize scales a vector to length 1, and reports whether it has a direction.
func normalize(vector []float32) bool {
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return false
	}
	for i, x := range vector {
		vector[i] = float32(float64(x) / length)
	}
	return true
}
