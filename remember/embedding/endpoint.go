// Package embedding computes embeddings of texts on a server of the user.
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

	"whence/internal/redact"
	"whence/internal/text"
)

const (
	keyVariable = "WHENCE_EMBEDDING_KEY"

	maxResponseBytes    = 1 << 20 // plus maxVectorBytes for each text
	maxVectorBytes      = 1 << 18
	maxErrorExcerpt     = 200 // bytes of a response
	maxRedirects        = 3
	maxEmbedTime        = 2 * time.Second // for one text: a search waits for it
	maxEmbedTimeSeveral = 10 * maxEmbedTime
)

// endpoint speaks the embeddings protocol of OpenAI, as do Ollama, LM Studio and vLLM:
// POST {base}/embeddings with {"model", "input"}.
//
// The vectors have length 1 and the same number of dimensions, one for each text; otherwise there
// is an error. The key is sent only to the host of the base URL, unencrypted only within this
// machine, and appears in no error. It is read from the environment alone, so that no file holds
// it.
type endpoint struct {
	address, model, key     string
	maxTime, maxTimeSeveral time.Duration
	client                  *http.Client
}

// At returns a function that computes one vector of a model for each text, on the server at a base
// URL; none if neither is named. Only the user's own settings may name them: anybody else would
// receive all learnings.
func At(baseURL, model string, getenv func(string) string) (func(ctx context.Context, texts []string) ([][]float32, error), error) {
	e, err := newEndpoint(baseURL, model, getenv)
	if err != nil || e == nil {
		return nil, err
	}
	return e.embed, nil
}

// newEndpoint returns nil if neither a base URL nor a model is set.
func newEndpoint(baseURL, model string, getenv func(string) string) (*endpoint, error) {
	if baseURL == "" && model == "" {
		return nil, nil
	}
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
	return &endpoint{base.JoinPath("embeddings").String(), model, key, maxEmbedTime, maxEmbedTimeSeveral, &http.Client{CheckRedirect: refuseOtherHost, Transport: &http.Transport{}}}, nil // no proxy: agents let a repository name one
}

// refuseOtherHost keeps texts and key from being sent elsewhere.
func refuseOtherHost(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
		return fmt.Errorf("it redirects to %s://%s, which is not followed: set the base URL to where the server is", req.URL.Scheme, req.URL.Host)
	}
	if len(via) > maxRedirects {
		return fmt.Errorf("it redirects more than %d times: check the base URL", maxRedirects)
	}
	return nil
}

// embed returns a vector for each text.
func (e *endpoint) embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := e.request(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embeddings of %s at %s: %w", e.model, e.address, err)
	}
	return vectors, nil
}

func (e *endpoint) request(ctx context.Context, texts []string) ([][]float32, error) {
	timeout := e.maxTime
	if len(texts) > 1 {
		timeout = e.maxTimeSeveral
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %v: is the model loaded?", timeout))
	defer cancel()
	body, err := json.Marshal(map[string]any{"model": e.model, "input": texts})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if e.key != "" {
		req.Header.Set("Authorization", "Bearer "+e.key)
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, e.unreachableError(ctx, err)
	}
	defer resp.Body.Close()
	limit := maxResponseBytes + maxVectorBytes*len(texts)
	src, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	switch {
	case err != nil:
		return nil, e.unreachableError(ctx, err)
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("status %d %q: see the server's log, or check %s, the base URL and the model", resp.StatusCode, e.excerpt(string(src)), keyVariable)
	case len(src) > limit:
		return nil, fmt.Errorf("the response is longer than %d bytes: is this an embeddings server?", limit)
	}
	return e.parseVectors(src, len(texts))
}

func (e *endpoint) unreachableError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	var urlError *url.Error
	if errors.As(err, &urlError) {
		err = urlError.Err
	}
	return fmt.Errorf("%s: is the server running?", e.excerpt(err.Error()))
}

// excerpt returns the beginning of a response on one line, without the key.
func (e *endpoint) excerpt(response string) string {
	if e.key != "" {
		response = strings.ReplaceAll(response, e.key, "[key]")
	}
	response, _ = redact.Text(response[:min(len(response), 10*maxErrorExcerpt)])
	response = strings.ToValidUTF8(strings.Join(strings.Fields(response), " "), "")
	return text.Shorten(response, maxErrorExcerpt)
}

func (e *endpoint) parseVectors(src []byte, n int) ([][]float32, error) {
	var response struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(src, &response); err != nil {
		return nil, fmt.Errorf("the response %q holds no embeddings: check the base URL", e.excerpt(string(src)))
	}
	if len(response.Data) != n {
		return nil, fmt.Errorf("%d vectors for %d texts: check the base URL", len(response.Data), n)
	}
	vectors := make([][]float32, n)
	for i, d := range response.Data {
		if d.Index != nil {
			i = *d.Index
		}
		if i < 0 || i >= n || vectors[i] != nil {
			return nil, fmt.Errorf("vector %d is a duplicate or belongs to no text: see the server's log", i)
		}
		if !normalize(d.Embedding) {
			return nil, fmt.Errorf("vector %d is empty or zero: check that %s is a model for embeddings", i, e.model)
		}
		if len(d.Embedding) != len(response.Data[0].Embedding) {
			return nil, fmt.Errorf("vectors of %d and of %d dimensions in one response: check the model", len(response.Data[0].Embedding), len(d.Embedding))
		}
		vectors[i] = d.Embedding
	}
	return vectors, nil
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
