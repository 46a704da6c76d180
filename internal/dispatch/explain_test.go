package dispatch_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// What is near is looked up once, and judged by the limits of the event.
func TestExplainLooksUpOnce(t *testing.T) {
	var asked []dispatch.Limits
	find := func(_ context.Context, _ *dispatch.Request, _ string, l dispatch.Limits) ([]dispatch.Item, error) {
		asked = append(asked, l)
		return []dispatch.Item{{Kind: dispatch.Learning, Key: "near", P: 0.29, Text: "a"}, {Kind: dispatch.Learning, Key: "applies", P: 0.3, Text: "b"}}, nil
	}
	r := &dispatch.Request{Event: agent.Event{Name: agent.UserPromptSubmit, Prompt: "why?"}}
	r.Config.Injection = true
	_, all, err := dispatch.Explain(t.Context(), r, find)
	require.NoError(t, err)
	require.Len(t, asked, 1)
	require.Positive(t, asked[0].Session)
	require.Len(t, all, 2)
	require.Equal(t, "applies", all[0].Key)
	require.True(t, all[0].Shown)
	require.Equal(t, "p is below 0.3", all[1].Reason)
}
