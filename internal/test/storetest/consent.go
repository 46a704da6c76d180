// Package storetest prepares stores for tests: whose user has consented to capture, and with turns.
package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/store"
	"whence/internal/test/repotest"
)

// ConsentingHome is [repotest.Home] of a user who has consented to the capture of all agents' sessions.
func ConsentingHome(t testing.TB) string {
	t.Helper()
	dir := repotest.Home(t)
	Consent(t, dir)
	return dir
}

// ConsentingClaim is [repotest.ClaimHome] of such a user.
func ConsentingClaim(t testing.TB, dir string) string {
	t.Helper()
	Consent(t, repotest.ClaimHome(t, dir))
	return dir
}

// Consent has the user of a home consent to the capture of all agents' sessions, and of those of no agent ("").
func Consent(t testing.TB, dir string) {
	t.Helper()
	require.NoError(t, GiveConsent(context.Background(), dir))
}

// GiveConsent is Consent without a test.
func GiveConsent(ctx context.Context, dir string) error {
	s, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	for _, c := range append(agent.Clients, "") {
		err = errors.Join(err, s.GiveConsent(ctx, store.Consent{Agent: string(c)}))
	}
	return errors.Join(err, s.Close())
}
