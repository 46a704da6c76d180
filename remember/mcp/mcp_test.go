package mcp_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/remember"
	"whence/remember/embedding"
	"whence/remember/mcp"
)

// place is a folder in which an agent works, with a store of its own.
type place struct {
	dir  string
	vars map[string]string
}

// newPlace is an empty repository, with these settings of the user.
func newPlace(t *testing.T, settings string) *place {
	t.Helper()
	p := &place{filepath.Join(t.TempDir(), "project"), map[string]string{"CLAUDE_CODE_SESSION_ID": "one"}}
	p.vars["WHENCE_HOME"] = repotest.ClaimHome(t, filepath.Join(filepath.Dir(p.dir), "store"))
	require.NoError(t, os.MkdirAll(filepath.Join(p.dir, ".claude"), 0o755))
	require.NoError(t, exec.Command("git", "init", "-q", p.dir).Run())
	p.set(t, settings)
	return p
}

// set writes the settings of the user.
func (p *place) set(t *testing.T, settings string) {
	t.Helper()
	text := "---\n" + settings + "\n---\n"
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, ".claude", "whence.local.md"), []byte(text), 0o644))
}

func (p *place) env(in io.Reader, out, errors io.Writer, args ...string) cli.Env {
	return cli.Env{
		Args: append([]string{"memory-remember"}, args...), Dir: p.dir, Getenv: func(name string) string { return p.vars[name] },
		Stdin: in, Stdout: out, Stderr: errors,
	}
}

func parts() remember.Parts { return remember.Parts{Serve: mcp.Serve, Embed: embedding.Vectors} }

// run runs memory-remember and returns what it prints.
func (p *place) run(t *testing.T, status int, args ...string) string {
	t.Helper()
	var out, problems strings.Builder
	require.Equal(t, status, remember.Main(p.env(strings.NewReader(""), &out, &problems, args...), parts()), problems.String())
	return out.String() + problems.String()
}

// client is the library's own client, in a session with a server.
type client struct {
	t *testing.T
	*sdk.ClientSession
}

// serve starts a server; it has ended well when the test is over.
func (p *place) serve(t *testing.T, flags ...string) *client {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- remember.Main(p.env(fromClient, toClient, io.Discard, append([]string{"serve"}, flags...)...), parts())
		toClient.Close()
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).
		Connect(context.Background(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	require.NoError(t, err)
	t.Cleanup(func() {
		session.Close()
		toServer.Close()
		require.Equal(t, cli.OK, <-ended)
	})
	return &client{t, session}
}

// arguments are those of a call.
type arguments = map[string]any

// call calls a tool, and returns the texts of its answer.
func (c *client) call(tool string, a any) (texts []string, isError bool) {
	c.t.Helper()
	result, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: a})
	require.NoError(c.t, err)
	require.Nil(c.t, result.StructuredContent)
	for _, content := range result.Content {
		require.IsType(c.t, &sdk.TextContent{}, content)
		texts = append(texts, content.(*sdk.TextContent).Text)
	}
	require.NotEmpty(c.t, texts)
	return texts, result.IsError
}

// good calls a tool that has to succeed, bad one that has to fail.
func (c *client) good(tool string, a any) []string {
	c.t.Helper()
	texts, isError := c.call(tool, a)
	require.False(c.t, isError, texts)
	return texts
}

func (c *client) bad(tool string, a any) string {
	c.t.Helper()
	texts, isError := c.call(tool, a)
	require.True(c.t, isError, texts)
	require.Len(c.t, texts, 1)
	return texts[0]
}

// learned are the arguments of store_memory for a learning, with others added or changed.
func learned(changes ...arguments) arguments {
	a := arguments{
		"name": "Hooks must not write to stderr", "description": "Hook subprocesses that write to stderr corrupt the JSON on stdout.",
		"reasoning": "The reader joins both streams.", "category": "anti-patterns",
	}
	for _, change := range changes {
		for key, value := range change {
			a[key] = value
		}
	}
	return a
}

var approved, rejected = arguments{"approved": true}, arguments{"approved": false}

// stored is how many learnings there are.
func (p *place) stored(t *testing.T) int {
	t.Helper()
	return strings.Count(p.run(t, 0, "list", "--format", "json"), "\"id\"")
}
