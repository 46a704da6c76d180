package team

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"whence/internal/config"
	"whence/internal/files"
)

// urlFile is the file in a replica's folder that holds its URL.
const urlFile = "store"

// maxURLBytes bounds the size of such a file.
const maxURLBytes = 8 << 10

// ReplicaOf returns the replica of a store, whether or not the user allows it now; nil for "", the
// user's own.
func ReplicaOf(home, url string) (*Replica, error) {
	if url == "" {
		return nil, nil
	}
	url, err := config.ParseStore(url)
	if err != nil {
		return nil, err
	}
	return &Replica{url, home}, nil
}

// noteURL writes the URL into the replica's folder, where a worker finds it.
func noteURL(p *Replica) error {
	name := filepath.Join(p.Dir(), urlFile)
	if src, err := os.ReadFile(name); err == nil && string(bytes.TrimSpace(src)) == p.URL {
		return nil
	}
	return files.WritePrivate(name, []byte(p.URL+"\n"))
}

// Replicas returns the replicas that this user has.
func Replicas(home string) (all []*Replica, err error) {
	entries, err := os.ReadDir(filepath.Join(home, "team"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		dir := filepath.Join(home, "team", entry.Name())
		name := filepath.Join(dir, urlFile)
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxURLBytes {
			continue
		}
		src, fault := os.ReadFile(name)
		if fault != nil {
			err = errors.Join(err, fault)
			continue
		}
		if p, fault := ReplicaOf(home, string(bytes.TrimSpace(src))); fault == nil && p != nil && p.Dir() == dir {
			all = append(all, p)
		}
	}
	return all, err
}
