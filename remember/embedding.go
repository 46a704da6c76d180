package remember

import (
	"context"
	"errors"

	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/store"
)

// EmbeddingsFunc returns a function that computes one vector of a model for each text, on the server
// at a base URL; none if neither is named. The server's key is in the environment. Main gets it:
// programs that compute no embeddings do not link it.
type EmbeddingsFunc func(baseURL, model string, getenv func(string) string) (EmbedFunc, error)

// EmbedFunc computes one vector for each text, all of the same length.
type EmbedFunc = func(ctx context.Context, texts []string) ([][]float32, error)

// embedder computes the embeddings of one model.
type embedder struct {
	model string
	embed EmbedFunc
}

// embedder returns nil if the user's settings name no server.
func (l Parts) embedder(env cli.Env) (*embedder, error) {
	if l.Embeddings == nil {
		return nil, nil
	}
	c, err := config.Load(nil, env.Getenv)
	if err != nil {
		return nil, cli.SettingsError(err)
	}
	embed, err := l.Embeddings(c.EmbeddingURL, c.EmbeddingModel, env.Getenv)
	if err != nil || embed == nil {
		return nil, err
	}
	return &embedder{c.EmbeddingModel, embed}, nil
}

// useEmbeddings makes a service rank by vectors too, if the user's settings name a server. After each
// learning it starts the worker, which requests the missing vectors.
func (l Parts) useEmbeddings(env cli.Env, svc *Service) {
	endpoint, err := l.embedder(env)
	if err == nil && endpoint == nil {
		return
	}
	svc.EmbedQuery = func(ctx context.Context, text string) (string, []float32, error) {
		if err != nil {
			return "", nil, err
		}
		vectors, err := endpoint.embed(ctx, []string{text})
		if err != nil {
			return "", nil, err
		}
		return endpoint.model, vectors[0], nil
	}
	if err == nil {
		svc.OnStored = func() {
			if program := Program(); program != "" {
				_ = capture.Start(svc.Dir, program) // if it fails, the next worker does its work
			}
		}
	}
}

// maxEmbedLearnings is the number of learnings whose vectors are requested together.
const maxEmbedLearnings = 32

// embedMissing requests the missing vectors of the learnings in a store, and returns how many there were.
func (l Parts) embedMissing(ctx context.Context, env cli.Env, s *store.Store) (n int, err error) {
	endpoint, err := l.embedder(env)
	if wrong := (*cli.UsageError)(nil); errors.As(err, &wrong) {
		return 0, nil // events and commands report settings that cannot be read
	}
	if err != nil || endpoint == nil {
		return 0, err
	}
	for {
		missing, err := s.Unembedded(ctx, endpoint.model, maxEmbedLearnings)
		if err != nil || len(missing) == 0 {
			return n, err
		}
		texts := make([]string, len(missing))
		for i, u := range missing {
			texts[i] = u.Text
		}
		vectors, err := endpoint.embed(ctx, texts)
		if err != nil {
			return n, err
		}
		for i, u := range missing {
			if err := s.Embed(ctx, endpoint.model, u, vectors[i]); err != nil {
				return n, err
			}
			n++
		}
	}
}

// Program returns the path of memory-remember, or "" if there is none.
func Program() string { return cli.Program("memory-remember") }
