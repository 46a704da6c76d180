package repo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// compare runs a git command that may read files of the worktree, without filters.
func (r *Repository) compare(ctx context.Context, args ...string) ([]byte, error) {
	noFilters, err := r.noFilters(ctx)
	if err != nil {
		return nil, err
	}
	return run(ctx, r.top, r.env, nil, slices.Concat(noHooks, noFilters, args))
}

// compareQuickly is compare with one process instead of two, but without the settings of the
// system: where these convert line ends, a file that was only touched differs.
func (r *Repository) compareQuickly(ctx context.Context, args ...string) ([]byte, error) {
	keys, known := r.userFilterKeys()
	if !known {
		return r.compare(ctx, args...)
	}
	noFilters, err := switchOff(keys)
	if err != nil {
		return nil, err
	}
	out, err := run(ctx, r.top, append(slices.Clip(r.env), "GIT_CONFIG_NOSYSTEM=1"), nil, slices.Concat(noHooks, noFilters, args))
	if isDistrusted(err) { // settings of the system may trust it
		return r.compare(ctx, args...)
	}
	return out, err
}

// isDistrusted reports whether git has refused a repository because of its owner.
func isDistrusted(err error) bool {
	var failed *commandError
	return errors.As(err, &failed) && strings.Contains(failed.message, "dubious ownership")
}

// userFilterKeys returns the keys of filters in the settings of the repository and the user. They
// are read without a process: it would take as long as the command that needs them. It returns
// false if settings may come from elsewhere, those of the system excepted.
func (r *Repository) userFilterKeys() (keys []string, known bool) {
	vars := map[string]string{}
	for _, v := range r.env {
		name, value, _ := strings.Cut(v, "=")
		vars[name] = value
	}
	if vars["HOME"] == "" {
		return nil, false
	}
	folder := filepath.Join(vars["HOME"], ".config")
	for _, name := range []string{
		filepath.Join(folder, "git", "config"), filepath.Join(vars["HOME"], ".gitconfig"),
		filepath.Join(r.CommonDir, "config"), filepath.Join(r.GitDir, "config.worktree"),
	} {
		settings, ok := readSettings(name)
		if !ok {
			return nil, false
		}
		for _, s := range settings {
			switch section, _, _ := strings.Cut(s.key, "."); section {
			case "include", "includeif":
				return nil, false
			case "filter":
				keys = append(keys, s.key)
			}
		}
	}
	return keys, true
}

// noFilters returns options that switch off each filter that any settings define: git has no option
// for all of them.
func (r *Repository) noFilters(ctx context.Context) ([]string, error) {
	out, err := r.read(ctx, "config", "--null", "--name-only", "--get-regexp", `^filter\.`)
	if exitedWith(err, 1) {
		return nil, nil // no filter
	}
	if err != nil {
		return nil, err
	}
	return switchOff(slices.Collect(names(out)))
}

// switchOff returns options that switch off the filters to which some settings belong.
func switchOff(keys []string) ([]string, error) {
	filters := map[string]bool{}
	var options []string
	for _, key := range keys {
		key = key[:max(0, strings.LastIndexByte(key, '.'))]
		if filters[key] || !strings.HasPrefix(key, "filter.") {
			continue
		}
		if filters[key] = true; strings.Contains(key, "=") {
			return nil, fmt.Errorf("the settings of git have a filter that cannot be switched off, because there is a = in its name: %s", key)
		}
		options = append(options, "-c", key+".clean=", "-c", key+".smudge=", "-c", key+".process=", "-c", key+".required=false")
	}
	return options, nil
}
