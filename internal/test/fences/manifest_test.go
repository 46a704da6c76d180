package fences_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"whence/internal/test/repotest"
)

// hook is an entry of .pre-commit-hooks.yaml.
type hook struct {
	ID, Name, Description, Language, Entry string
	AlwaysRun                              bool  `yaml:"always_run"`
	PassFilenames                          *bool `yaml:"pass_filenames"`
	RequireSerial                          bool  `yaml:"require_serial"`
	Types, Stages                          []string
	MinimumPreCommitVersion                string `yaml:"minimum_pre_commit_version"`
}

// Each published hook runs a program of this module, and is there once built and once
// as installed; hooks that check a whole memory run always, alone and without names.
func TestManifest(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(repotest.Root(t), ".pre-commit-hooks.yaml"))
	require.NoError(t, err)
	var hooks []hook
	decoder := yaml.NewDecoder(strings.NewReader(string(src)))
	decoder.KnownFields(true)
	require.NoError(t, decoder.Decode(&hooks))
	var programs []string
	for _, p := range packages(t) {
		if p.Name == "main" {
			programs = append(programs, filepath.Base(p.ImportPath))
		}
	}
	byID := map[string]hook{}
	for _, h := range hooks {
		require.NotContains(t, byID, h.ID)
		byID[h.ID] = h
		program, _, _ := strings.Cut(h.Entry, " ")
		require.Contains(t, programs, program, "the entry of %s", h.ID)
		require.NotEmpty(t, h.Description)
		require.Equal(t, "3.0.0", h.MinimumPreCommitVersion)
		if h.PassFilenames != nil {
			require.False(t, *h.PassFilenames)
			require.True(t, h.AlwaysRun && h.RequireSerial, h.ID)
		} else {
			require.Equal(t, []string{"markdown"}, h.Types)
		}
	}
	for id, h := range byID {
		base, isSystem := strings.CutSuffix(id, "-system")
		if !isSystem {
			require.Equal(t, "golang", h.Language)
			require.Contains(t, byID, id+"-system")
			continue
		}
		require.Equal(t, "system", h.Language)
		built := byID[base]
		require.Contains(t, h.Description, "on the PATH")
		built.ID, built.Language, built.Description = h.ID, h.Language, h.Description
		require.Equal(t, built, h)
	}
	for _, program := range programs {
		if program == "memory-hooks" {
			continue // which agents run, not git
		}
		require.True(t, slices.ContainsFunc(hooks, func(h hook) bool { return strings.HasPrefix(h.Entry, program) }), "no hook runs %s", program)
	}
}
