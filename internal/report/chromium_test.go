package report

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// opened opens a page in a browser that reaches only the test's server, and returns the requests
// and the lines on the console.
func opened(t *testing.T, page string) (requests, console []string) {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		repotest.Missing(t, "chromium", err.Error())
	}
	var lock sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		requests = append(requests, r.URL.Path)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(page))
	}))
	defer server.Close()
	var dom, log bytes.Buffer
	cmd := exec.Command(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
		"--user-data-dir="+t.TempDir(), "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--enable-logging=stderr", "--dump-dom", server.URL+"/")
	cmd.Stdout, cmd.Stderr = &dom, &log
	require.NoError(t, cmd.Run(), log.String())
	require.Contains(t, dom.String(), "</html>")
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, ":CONSOLE") {
			console = append(console, line)
		}
	}
	lock.Lock()
	defer lock.Unlock()
	return requests, console
}

// A browser requests nothing but the page, and reports no errors, whatever the figures.
func TestThePageInABrowser(t *testing.T) {
	requests, console := opened(t, `<!DOCTYPE html><html><img src="/leak"><script>console.log("said")</script></html>`)
	require.Contains(t, requests, "/leak", "else this would see nothing")
	require.NotEmpty(t, console)

	var f Figures
	fill(reflect.ValueOf(&f).Elem())
	for name, f := range map[string]Figures{"evil": f, "empty": Compute(nil, nil, Options{})} {
		requests, console := opened(t, HTML(f))
		require.Equal(t, []string{"/"}, requests, name)
		require.Empty(t, console, name)
	}
}
