package remember

import (
	"context"
	"errors"
	"fmt"
	"time"

	urfave "github.com/urfave/cli/v2"

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
// learning a background process requests the missing vectors.
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
		svc.OnStored = func() { embedInBackground(svc.Dir) }
	}
}

// embedInBackground starts the command embed and does not wait for it. If it cannot be started, the
// next one does its work.
func embedInBackground(dir string) {
	program := Program()
	if program == "" {
		return
	}
	if wait, err := cli.StartDetached(dir, program, "embed", "--quiet", "--store", dir); err == nil {
		go wait() // a server would otherwise accumulate zombies
	}
}

// Program returns the path of memory-remember, or "" if there is none.
func Program() string { return cli.Program("memory-remember") }

const (
	maxEmbedLearnings  = 32 // read from a store together
	maxEmbedServerTime = 10 * time.Minute
)

// embedCommand requests the missing vectors of the learnings in a store.
func embedCommand(env cli.Env, parts Parts) *urfave.Command {
	quiet := false
	var dir string
	return &urfave.Command{
		Name: "embed", Usage: "compute missing embeddings of learnings",
		Description: "Requests embeddings from the server that memory_embedding_url in your settings names.",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "store", Usage: "use the store in `DIR`", Destination: &dir},
			cli.QuietFlag(&quiet),
		},
		Action: noArguments(func(cmd *urfave.Context) error {
			endpoint, err := parts.embedder(env)
			if err != nil {
				return &cli.UsageError{Message: err.Error()}
			}
			if endpoint == nil {
				return cli.Usagef("no endpoint: set memory_embedding_url and memory_embedding_model in your settings.yaml")
			}
			if dir == "" {
				if dir, err = env.Home(); err != nil {
					return err
				}
			}
			n, err := fillAt(cmd.Context, dir, endpoint)
			if !quiet && (err == nil || n > 0) {
				fmt.Fprintf(env.Stderr, "memory-remember: %s embedded\n", cli.Count(n, "learning", "learnings"))
			}
			return err
		}),
	}
}

func fillAt(ctx context.Context, dir string, endpoint *embedder) (n int, err error) {
	s, err := store.Open(ctx, dir)
	if err != nil {
		return 0, err
	}
	n, err = fill(ctx, s, endpoint)
	return n, errors.Join(err, s.Close())
}

func fill(ctx context.Context, s *store.Store, endpoint *embedder) (n int, err error) {
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
