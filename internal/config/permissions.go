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
	File      string // ProjectFile, LocalFile or the name of the variable
	Key       string
	Value     string // in its usual form
	UserValue string // the user's own value
}

// String returns the setting as a line of the file.
func (s Setting) String() string { return s.Key + ": " + s.Value }

// ReachesOthers reports whether a setting has effects outside of the folder whose file asks for
// it: learnings that are made outside of any repository hold in all.
func (s Setting) ReachesOthers() bool {
	return s.Key == keyCaptureMode || s.Key == keyCaptureBudget
}

// IgnoredMemory is the setting that a repository needs whose memory git ignores. No file can set it: the user
// allows it.
var IgnoredMemory = Setting{Key: "ignored_memory", Value: "true", UserValue: "false"}

// permissionsName is the file of permissions, in the folder of package home.
const permissionsName = "allowed.json"

// Permission records what one repository is allowed, and what the user was shown.
type Permission struct {
	Repository string    `json:"repository"`           // see RepositoryOf
	Allowed    time.Time `json:"allowed,omitzero"`     // when its learnings were; zero: they may not become global
	Settings   []string  `json:"settings,omitempty"`   // that are allowed, as Setting prints them
	Shown      []string  `json:"shown_once,omitempty"` // what it asked for when the user was shown it
}

// IsAllowed reports whether the user has allowed the repository anything.
func (r Permission) IsAllowed() bool { return !r.Allowed.IsZero() || len(r.Settings) > 0 }

// permissionList is the content of the file.
type permissionList struct {
	Repositories []Permission `json:"repositories"`
}

// Permissions returns the records of all repositories.
func Permissions(home string) ([]Permission, error) {
	src, err := worktree.ReadText(os.DirFS(home), permissionsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list permissionList
	if err == nil {
		err = json.Unmarshal(src, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used (%w): move it away, and allow again what is needed", filepath.Join(home, permissionsName), err)
	}
	return list.Repositories, nil
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

// editPermission changes the record of a repository.
func editPermission(home, repository string, change func(*Permission)) error {
	return worktree.UpdatePrivate(filepath.Join(home, permissionsName), func() ([]byte, error) {
		records, err := Permissions(home)
		if err != nil {
			return nil, err
		}
		text, err := json.MarshalIndent(permissionList{withPermission(records, repository, change)}, "", "  ")
		return append(text, '\n'), err
	})
}

// withPermission changes the record of a repository, and removes it if it is empty then.
func withPermission(records []Permission, repository string, change func(*Permission)) []Permission {
	at := slices.IndexFunc(records, func(r Permission) bool { return r.Repository == repository })
	if at < 0 {
		at = len(records)
		records = append(records, Permission{Repository: repository})
	}
	change(&records[at])
	if r := records[at]; !r.IsAllowed() && len(r.Shown) == 0 {
		return slices.Delete(records, at, at+1)
	}
	return records
}
