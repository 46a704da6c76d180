package remember

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"whence/internal/redact"
)

const (
	batch        = 64      // texts of a request
	answerBase   = 1 << 20 // bytes of an answer, and more for each text
	answerText   = 1 << 18
	maxExcerpt   = 200 // of what a server says in an error
	maxRedirects = 3
)

// embeddingEndpoint is a server that embeds.
type embeddingEndpoint struct {
	address    string
	model      string
	key        string
	dimensions int
	timeout    time.Duration
	client     *http.Client
}

func newEmbeddingEndpoint(address *url.URL, s embeddingSettings, key string) *embeddingEndpoint {
	return &embeddingEndpoint{
		address:    address.String(),
		model:      s.Model,
		key:        key,
		dimensions: s.Dimensions,
		timeout:    s.Timeout,
		client:     &http.Client{CheckRedirect: sameHost},
	}
}

// sameHost refuses what would carry texts and key elsewhere.
func sameHost(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
		return fmt.Errorf("it redirects to %s://%s, which is not followed: set the base URL to where the server is", req.URL.Scheme, req.URL.Host)
	}
	if len(via) > maxRedirects {
		return errors.New("it redirects again and again: check the base URL")
	}
	return nil
}

// Model is the name of the model: vectors of two models cannot be compared.
func (e *embeddingEndpoint) Model() string { return e.model }

// Embed returns a vector of length 1 for each text.
func (e *embeddingEndpoint) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for start := 0; start < len(texts); start += batch {
		part, err := e.request(ctx, texts[start:min(start+batch, len(texts))])
		if err != nil {
			return nil, fmt.Errorf("embeddings of %s at %s: %w", e.model, e.address, err)
		}
		vectors = append(vectors, part...)
	}
	for i := range vectors {
		if len(vectors[i]) != len(vectors[0]) {
			return nil, fmt.Errorf("embeddings of %s at %s: vectors of %d and of %d dimensions in one answer: check the model", e.model, e.address, len(vectors[0]), len(vectors[i]))
		}
	}
	return vectors, nil
}

type embeddingRequest struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
}

type embeddingResponse struct {
	Data []struct {
		Index     *int      `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// request asks for the vectors of one batch.
func (e *embeddingEndpoint) request(ctx context.Context, texts []string) ([][]float32, error) {
	timeout := e.timeout
	if len(texts) > 1 {
		timeout *= 10
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %v: is the model loaded? the timeout can be set", timeout))
	defer cancel()
	body, err := json.Marshal(embeddingRequest{e.model, texts, e.dimensions})
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
		return nil, e.unreachable(ctx, err)
	}
	defer resp.Body.Close()
	limit := answerBase + answerText*len(texts)
	src, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	switch {
	case err != nil:
		return nil, e.unreachable(ctx, err)
	case resp.StatusCode != http.StatusOK:
		return nil, e.refused(resp.StatusCode, src)
	case len(src) > limit:
		return nil, fmt.Errorf("the answer is longer than %d bytes: is this an embeddings server?", limit)
	}
	return e.vectors(src, len(texts))
}

// unreachable says why there is no answer.
func (e *embeddingEndpoint) unreachable(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	var urlError *url.Error
	if errors.As(err, &urlError) {
		err = urlError.Err
	}
	return fmt.Errorf("%s: is the server running?", e.harmless(err.Error()))
}

// refused says what to do about a status.
func (e *embeddingEndpoint) refused(status int, src []byte) error {
	hint := "see the server's log"
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		hint = "check " + embeddingKeyVariable
	case http.StatusNotFound:
		hint = "check the base URL and the model"
	case http.StatusTooManyRequests:
		hint = "try again later"
	}
	return fmt.Errorf("status %d %q: %s", status, e.harmless(string(src)), hint)
}

// harmless is the beginning of a text of the server in one line, without the key.
func (e *embeddingEndpoint) harmless(text string) string {
	if e.key != "" {
		text = strings.ReplaceAll(text, e.key, "[key]")
	}
	text, _ = redact.Text(text[:min(len(text), 10*maxExcerpt)])
	text = strings.ToValidUTF8(strings.Join(strings.Fields(text), " "), "")
	if len(text) > maxExcerpt {
		text = strings.ToValidUTF8(text[:maxExcerpt], "") + "…"
	}
	return text
}

// vectors reads an answer about n texts.
func (e *embeddingEndpoint) vectors(src []byte, n int) ([][]float32, error) {
	var a embeddingResponse
	if err := json.Unmarshal(src, &a); err != nil {
		return nil, fmt.Errorf("the answer %q is no embeddings: check the base URL", e.harmless(string(src)))
	}
	if len(a.Data) != n {
		return nil, fmt.Errorf("%d vectors for %d texts: check the base URL", len(a.Data), n)
	}
	vectors := make([][]float32, n)
	for i, d := range a.Data {
		if d.Index != nil {
			i = *d.Index
		}
		if i < 0 || i >= n || vectors[i] != nil {
			return nil, fmt.Errorf("vector %d is there twice or of no text: see the server's log", i)
		}
		if e.dimensions > 0 && len(d.Embedding) != e.dimensions {
			return nil, fmt.Errorf("%d dimensions instead of %d: set what the model has", len(d.Embedding), e.dimensions)
		}
		if !normalise(d.Embedding) {
			return nil, fmt.Errorf("vector %d is empty or zero: check that %s is a model for embeddings", i, e.model)
		}
		vectors[i] = d.Embedding
	}
	return vectors, nil
}
