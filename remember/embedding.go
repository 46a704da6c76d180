package remember

import (
	"context"

	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/store"
)

// EmbedFunc computes one vector of a model for each text, all of the same length, on the server at a base
// URL. The server's key is in the environment.
type EmbedFunc func(ctx context.Context, baseURL, model string, getenv func(string) string, texts []string) ([][]float32, error)

// useEmbeddings makes a service rank by vectors, too, if the user's settings name a server. After each
// stored learning, the service then starts a worker, which requests the missing vectors.
func (l Parts) useEmbeddings(env cli.Env, svc *Service) {
	c, settingsErr := config.Load(nil, env.Getenv)
	if l.Embed == nil || settingsErr == nil && c.EmbeddingURL+c.EmbeddingModel == "" {
		return
	}
	svc.EmbedQuery = func(ctx context.Context, text string) (model string, vector []float32, err error) {
		if settingsErr != nil {
			return "", nil, cli.SettingsError(settingsErr)
		}
		vectors, err := l.Embed(ctx, c.EmbeddingURL, c.EmbeddingModel, env.Getenv, []string{text})
		if err != nil {
			return "", nil, err
		}
		return c.EmbeddingModel, vectors[0], nil
	}
	svc.OnStored = func() {
		if program, err := cli.Program("memory-remember", env.Dir); err == nil {
			_ = capture.Start(svc.Dir, program) // if it fails, the next worker does its work
		}
	}
}

// maxEmbedLearnings is the number of learnings whose vectors are requested together.
const maxEmbedLearnings = 32

// embedMissing requests the missing vectors of the learnings in a store, and returns how many it stored.
func (l Parts) embedMissing(ctx context.Context, env cli.Env, s *store.Store) (n int, err error) {
	c, err := config.Load(nil, env.Getenv)
	if err != nil || l.Embed == nil || c.EmbeddingURL+c.EmbeddingModel == "" {
		return 0, nil // events and commands report settings that cannot be read
	}
	for {
		missing, err := s.Unembedded(ctx, c.EmbeddingModel, maxEmbedLearnings)
		if err != nil || len(missing) == 0 {
			return n, err
		}
		texts := make([]string, len(missing))
		for i, u := range missing {
			texts[i] = u.Text
		}
		vectors, err := l.Embed(ctx, c.EmbeddingURL, c.EmbeddingModel, env.Getenv, texts)
		if err != nil {
			return n, err
		}
		for i, u := range missing {
			if err := s.Embed(ctx, c.EmbeddingModel, u, vectors[i]); err != nil {
				return n, err
			}
			n++
		}
	}
}
