package capture

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/repo"
	"whence/internal/store"
	"whence/internal/words"
	"whence/internal/worktree"
)

const (
	// maxCommits is the number of commits of a history that are read, the newest.
	maxCommits = 5000
	// maxMessageBytes bounds what is read of a message.
	maxMessageBytes = 3000
	// minReasonChars is the length of a body from which it gives a reason: shorter ones say what was done.
	minReasonChars = 120
	// maxPage is the number of commits that are stored at once.
	maxPage = 500
	// minCompacted is the number of new commits from which the index is compacted.
	minCompacted = 200
)

// ReadHistory stores the messages of the newest commits in the history of the repository that holds a folder, and
// forgets those that are not in it any more. What is stored is not read again. It needs no consent: it is the
// repository's own text.
func ReadHistory(ctx context.Context, home, folder string, getenv func(string) string) error {
	if !store.Exists(home) {
		return nil
	}
	root := cli.Root(folder)
	tree, err := worktree.Open(root)
	if err != nil {
		return err
	}
	defer tree.Close()
	c, err := config.Load(tree, getenv)
	if err != nil {
		return err
	}
	scope, err := cli.ScopeOf(root, root)
	if err != nil {
		return err
	}
	git, err := repo.Open(root, root, func(string) string { return "" })
	if errors.Is(err, repo.ErrNoRepository) {
		return nil
	}
	if err != nil {
		return err
	}
	s, err := store.OpenExisting(ctx, home)
	if err != nil {
		return err
	}
	var hashes []string
	if c.History {
		hashes, err = git.History(ctx, maxCommits)
	}
	if err == nil {
		err = updateHistory(ctx, s, git, scope.Turns, hashes)
	}
	return redactError(errors.Join(err, s.Close()))
}

// updateHistory stores the commits with some hashes that are not yet stored, the newest first, and deletes all others.
func updateHistory(ctx context.Context, s *store.Store, git *repo.Repository, project string, hashes []string) error {
	known, err := s.Commits(ctx, project)
	if err != nil {
		return err
	}
	var missing []string
	for _, hash := range hashes {
		if !known[hash] {
			missing = append(missing, hash)
		}
		delete(known, hash)
	}
	if len(known) > 0 {
		if err := s.DropCommits(ctx, project, slices.Collect(maps.Keys(known))); err != nil {
			return err
		}
	}
	for page := range slices.Chunk(missing, maxPage) {
		commits, err := git.Messages(ctx, page)
		if err != nil {
			return err
		}
		byHash := map[string]repo.Commit{}
		for _, c := range commits {
			byHash[c.Hash] = c
		}
		read := make([]store.Commit, len(page))
		for i, hash := range page { // one that cannot be read is stored without a text, and not asked for again
			read[i] = memorable(byHash[hash])
			read[i].Hash = hash
		}
		if err := s.AddCommits(ctx, project, read); err != nil {
			return err
		}
	}
	if len(missing) >= minCompacted {
		return s.CompactCommits(ctx)
	}
	return nil
}

// memorable returns a commit as it is stored: with its message if that gives a reason. A bot gives none, and a
// tagged commit speaks of a release.
func memorable(c repo.Commit) store.Commit {
	stored := store.Commit{Hash: c.Hash, At: c.At}
	if utf8.RuneCountInString(c.Body) < minReasonChars || strings.HasSuffix(c.Author, "[bot]") || c.Tagged {
		return stored
	}
	stored.Subject = redactText(words.Beginning(c.Subject, maxMessageBytes))
	stored.Text = redactText(words.Beginning(c.Body, maxMessageBytes))
	return stored
}
