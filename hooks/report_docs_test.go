package hooks_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The console example of docs/hooks.md, run over the scripted sessions in a copy of
// examples/ferry, prints what it shows.
func TestDocumentedReport(t *testing.T) {
	r := newReporter(t)
	documented(t, "../docs/hooks.md", func(command string) string {
		_, out, errs := r.run(strings.Fields(command)[2:]...)
		return out + errs
	})
}

// The picture of the page in docs/hooks.md shows the same sessions. A browser draws it only on request, since fonts
// differ between machines.
func TestPictureOfTheReport(t *testing.T) {
	picture := os.Getenv("WHENCE_PICTURES")
	if picture == "" {
		t.Skip("WHENCE_PICTURES does not name a folder: make recording does")
	}
	page := filepath.Join(t.TempDir(), "report.html")
	status, _, errs := newReporter(t).run("--since", "2026-01-01", "--html", page)
	require.Zero(t, status, errs)
	out, err := exec.Command("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=900,850",
		"--user-data-dir="+t.TempDir(), "--screenshot="+filepath.Join(picture, "report.png"), "file://"+page).CombinedOutput()
	require.NoError(t, err, string(out))
}
