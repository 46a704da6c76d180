// Package server has what memory-remember does with servers: embeddings, and the exchange with a team.
// Programs that don't import it link neither net/http nor a client of PostgreSQL.
package server

import (
	"context"

	"whence/internal/store"
	"whence/internal/team"
	"whence/remember"
)

// Parts returns the parts of memory-remember that reach servers, beside an MCP server for its agent.
func Parts(serve remember.ServeFunc) remember.Parts {
	return remember.Parts{Serve: serve, Embed: embed, Team: teamCommand, Exchange: team.Sync, SearchTeam: searchTeam}
}

// searchTeam returns the turns of a repository that its team shares, best first. It waits for the server.
func searchTeam(ctx context.Context, t store.Team, question string, maxHits int) (found []remember.TeamTurn, err error) {
	hits, err := team.Search(ctx, t, question, maxHits)
	for _, h := range hits {
		turn := store.Turn{Session: h.Session, Role: h.Role, Kind: h.Kind, Text: h.Text, At: h.At}
		found = append(found, remember.TeamTurn{Login: h.Login, Turn: turn})
	}
	return found, err
}
