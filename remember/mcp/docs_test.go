package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// docs/hooks.md names each tool with all its arguments, and its JSON matches.
func TestDocumented(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(repotest.Root(t), "docs", "hooks.md"))
	require.NoError(t, err)
	list, err := newPlace(t, "").serve(t).ListTools(context.Background(), nil)
	require.NoError(t, err)
	for _, tool := range list.Tools {
		_, row, found := strings.Cut(string(src), "| `"+tool.Name+"` | ")
		require.True(t, found, tool.Name)
		row, _, _ = strings.Cut(row, "|")
		for name := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
			require.Contains(t, row, "`"+name+"`", tool.Name)
		}
	}
	blocks := regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(src), -1)
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		require.True(t, json.Valid([]byte(block[1])), block[1])
	}
}
