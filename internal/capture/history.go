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
	// maxCommits is the maximum number of commits of a history to read: the newest.
	maxCommits = 5000
	// maxMessageBytes limits the subject and the body of a message, each.
	maxMessageBytes = 3000
	// minReasonChars is the minimum length of a body that gives a reason: shorter ones only say what was done.
	minReasonChars = 120
	// maxPage is the maximum number of commits to store in one transaction.
	maxPage = 500
	// minCompacted is the minimum number of new commits after which the index is compacted.
	minCompacted = 200
)

// ReadHistory stores the messages of the newest commits of the repository that contains a folder, and deletes those
// that are no longer in its history, or all if the settings turn History off. Stored commits are not read again. No
// consent is needed: the text belongs to the repository.
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

// updateHistory stores the commits with these hashes, in their order, unless they are stored already, and deletes all
// other commits of the project.
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
		for i, hash := range page { // a commit that cannot be read is stored without text, and not read again
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

// memorable returns a commit as it is stored: with its message only if that gives a reason. Messages of bots do not,
// nor do those of tagged commits, which are about a release.
func memorable(c repo.Commit) store.Commit {
	stored := store.Commit{Hash: c.Hash, At: c.At}
	if utf8.RuneCountInString(c.Body) < minReasonChars || strings.HasSuffix(c.Author, "[bot]") || c.Tagged {
		return stored
	}
	stored.Subject = redactText(words.Beginning(c.Subject, maxMessageBytes))
	stored.Text = redactText(words.Beginning(c.Body, maxMessageBytes))
	return stored
}
