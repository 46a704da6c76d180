package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"whence/internal/worktree"
)

// permissionsName is the file of permissions, in the folder of package home.
const permissionsName = "allowed.json"

// permissionsVersion is the version of that file. One without a field "version" has version 1.
const permissionsVersion = 1

// Bounds of the list.
const (
	maxListBytes = 1 << 20
	maxShown     = 200 // repositories that are not allowed anything
)

// Permission records what one repository is allowed, and what the user was shown.
type Permission struct {
	Repository string    `json:"repository"`           // see RepositoryOf
	Allowed    time.Time `json:"allowed,omitzero"`     // when its learnings were; zero: they may not become global
	Settings   []string  `json:"settings,omitempty"`   // that are allowed, as Setting prints them
	Shown      []string  `json:"shown_once,omitempty"` // what it asked for when the user was shown it
}

// IsAllowed reports whether the user has allowed the repository anything.
func (r Permission) IsAllowed() bool { return !r.Allowed.IsZero() || len(r.Settings) > 0 }

// Permissions returns the records of all repositories.
func Permissions(home string) ([]Permission, error) {
	_, records, err := readPermissions(home)
	return records, err
}

// PermissionOf returns the record of a repository, an empty one if there is none.
func PermissionOf(home, repository string) (Permission, error) {
	records, err := Permissions(home)
	for _, r := range records {
		if r.Repository == repository {
			return r, err
		}
	}
	return Permission{}, err
}

// Allow allows a repository these settings and no others.
func Allow(home, repository string, settings []string, now time.Time) error {
	return editPermission(home, repository, func(r *Permission) {
		*r = Permission{Repository: repository, Allowed: now.UTC().Truncate(time.Second), Settings: slices.Sorted(slices.Values(settings))}
	})
}

// AllowSetting allows a repository one more setting.
func AllowSetting(home, repository string, s Setting) error {
	return editPermission(home, repository, func(r *Permission) {
		if !slices.Contains(r.Settings, s.String()) {
			r.Settings = slices.Sorted(slices.Values(append(r.Settings, s.String())))
		}
	})
}

// Revoke revokes all that a repository was allowed, and reports whether that was anything.
func Revoke(home, repository string) (revoked bool, err error) {
	err = editPermission(home, repository, func(r *Permission) {
		revoked = r.IsAllowed()
		*r = Permission{Repository: repository, Shown: r.Shown}
	})
	return revoked, err
}

// MarkShown records that the user was shown what a repository asks for.
func MarkShown(home, repository string, settings []string) error {
	return editPermission(home, repository, func(r *Permission) { r.Shown = settings })
}

// readPermissions returns the list, and the text of its file; no text if there is no file.
func readPermissions(home string) (src []byte, records []Permission, err error) {
	name := filepath.Join(home, permissionsName)
	info, err := os.Stat(name) // before opening: a pipe would block
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if link, err := os.Lstat(name); err == nil && link.Mode()&fs.ModeSymlink != 0 {
			return nil, nil, fmt.Errorf("%s is a link to nowhere: remove it", name)
		}
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular() || info.Size() > maxListBytes:
		return nil, nil, fmt.Errorf("%s is not a list of allowed repositories: move it away", name)
	}
	if src, err = os.ReadFile(name); err != nil || len(src) == 0 {
		return src, nil, err
	}
	var list struct {
		Version      int          `json:"version"`
		Repositories []Permission `json:"repositories"`
	}
	if err := json.Unmarshal(src, &list); err != nil {
		return nil, nil, fmt.Errorf("%s is damaged (%w): move it away, and allow again what is needed", name, err)
	}
	if list.Version > permissionsVersion {
		return nil, nil, fmt.Errorf("%s was written by a newer version: update whence (its version is %d, known is %d)", name, list.Version, permissionsVersion)
	}
	return src, list.Repositories, nil
}

// editPermission changes the record of a repository.
func editPermission(home, repository string, change func(*Permission)) error {
	return worktree.UpdatePrivate(filepath.Join(home, permissionsName), func() ([]byte, error) {
		records, err := Permissions(home)
		if err != nil {
			return nil, err
		}
		list := map[string]any{"repositories": withPermission(records, repository, change)}
		text, err := json.MarshalIndent(list, "", "  ")
		return append(text, '\n'), err
	})
}

// withPermission changes the record of a repository. Empty records are removed, and so are the first
// of those that only remember what was shown, if there are too many.
func withPermission(records []Permission, repository string, change func(*Permission)) []Permission {
	at := slices.IndexFunc(records, func(r Permission) bool { return r.Repository == repository })
	if at < 0 {
		at = len(records)
		records = append(records, Permission{Repository: repository})
	}
	change(&records[at])
	if r := records[at]; !r.IsAllowed() && len(r.Shown) == 0 {
		records = slices.Delete(records, at, at+1)
	}
	shown := 0
	for i := len(records) - 1; i >= 0; i-- {
		if records[i].IsAllowed() {
			continue
		}
		if shown++; shown > maxShown {
			records = slices.Delete(records, i, i+1)
		}
	}
	return records
}
