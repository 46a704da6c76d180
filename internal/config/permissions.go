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

// Setting is a setting that a file of a repository, or the environment, asks for.
type Setting struct {
	File  string // ProjectFile, LocalFile or the name of the variable
	Key   string
	Value string // in its usual form
	Limit string // what counts without permission
}

// String returns the setting as a line of the file.
func (s Setting) String() string { return s.Key + ": " + s.Value }

// IgnoredMemory is the setting that a repository needs whose memory git ignores. No file can set it: the user
// allows it.
var IgnoredMemory = Setting{Key: "ignored_memory", Value: "true", Limit: "false"}

// permissionsName is the file of permissions, in the folder of package home.
const permissionsName = "allowed.json"

// Permission records what one repository is allowed, and what the user was shown.
type Permission struct {
	Allowed  time.Time `json:"allowed,omitzero"`     // when the user last allowed something; zero: never
	Settings []string  `json:"settings,omitempty"`   // that are allowed, as Setting prints them
	Shown    []string  `json:"shown_once,omitempty"` // what it asked for when the user was shown it
}

// IsAllowed reports whether the user has allowed the repository anything.
func (r Permission) IsAllowed() bool { return !r.Allowed.IsZero() || len(r.Settings) > 0 }

// Permissions returns the records of all repositories, by the names that RepositoryOf returns.
func Permissions(home string) (map[string]Permission, error) {
	records := map[string]Permission{}
	src, err := worktree.ReadText(os.DirFS(home), permissionsName)
	if errors.Is(err, fs.ErrNotExist) {
		return records, nil
	}
	if err == nil {
		err = json.Unmarshal(src, &records)
	}
	if err == nil && records == nil {
		err = errors.New("it is null")
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used (%w): move it away, and allow again what is needed", filepath.Join(home, permissionsName), err)
	}
	return records, nil
}

// PermissionOf returns the record of a repository, an empty one if there is none.
func PermissionOf(home, repository string) (Permission, error) {
	records, err := Permissions(home)
	return records[repository], err
}

// Allow allows a repository these settings and no others.
func Allow(home, repository string, settings []string, now time.Time) error {
	return editPermission(home, repository, func(r *Permission) {
		*r = Permission{Allowed: now.UTC().Truncate(time.Second), Settings: slices.Sorted(slices.Values(settings))}
	})
}

// Revoke revokes all that a repository was allowed, and reports whether that was anything.
func Revoke(home, repository string) (revoked bool, err error) {
	err = editPermission(home, repository, func(r *Permission) {
		revoked = r.IsAllowed()
		*r = Permission{Shown: r.Shown}
	})
	return revoked, err
}

// MarkShown records that the user was shown what a repository asks for.
func MarkShown(home, repository string, settings []string) error {
	return editPermission(home, repository, func(r *Permission) { r.Shown = settings })
}

// editPermission changes the record of a repository, and removes it if it is empty then.
func editPermission(home, repository string, change func(*Permission)) error {
	return worktree.UpdatePrivate(filepath.Join(home, permissionsName), func() ([]byte, error) {
		records, err := Permissions(home)
		if err != nil {
			return nil, err
		}
		record := records[repository]
		change(&record)
		records[repository] = record
		if !record.IsAllowed() && len(record.Shown) == 0 {
			delete(records, repository)
		}
		text, err := json.MarshalIndent(records, "", "  ")
		return append(text, '\n'), err
	})
}
