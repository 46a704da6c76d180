package postgres

import (
	"context"
	"database/sql"
	"fmt"

	"whence/internal/store"
)

// Of the newest rows of each table some stems are checked that few rows have.
const (
	sampledRows  = 20
	sampledStems = 100
	fewRows      = 1000
)

// Check describes the connection, and checks row-level security and the words.
func (engine) Check(ctx context.Context, c store.Conn) (facts []store.Fact, faults []string, err error) {
	var server, schema, database, login, team, role string
	var vector sql.NullString
	var above bool
	var open int
	if err := refreshStatistics(ctx, c); err != nil {
		return nil, nil, err
	}
	if err := c.QueryRowContext(ctx, `SELECT current_setting('server_version'), (SELECT number::text FROM version), current_database()::text, session_user::text, team(),
		(SELECT role FROM members WHERE login = session_user::text AND team = team()), (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
		(SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user) OR pg_has_role(session_user, 'whence', 'USAGE'),
		(SELECT count(*) FROM pg_class WHERE relnamespace = 'whence'::regnamespace AND relkind = 'r' AND relname <> 'version' AND NOT relrowsecurity)`).
		Scan(&server, &schema, &database, &login, &team, &role, &vector, &above, &open); err != nil {
		return nil, nil, err
	}
	facts = []store.Fact{{Name: "engine", Value: "PostgreSQL " + server}, {Name: "schema", Value: schema}, {Name: "database", Value: database}, {Name: "login", Value: login}, {Name: "team", Value: team}, {Name: "role", Value: role}}
	if !vector.Valid {
		vector.String = "not there: embeddings are compared one by one"
	}
	facts = append(facts, store.Fact{Name: "pgvector", Value: vector.String})
	if open > 0 {
		faults = append(faults, fmt.Sprintf("%d tables are without row-level security, so that members see what is personal: ALTER TABLE … ENABLE ROW LEVEL SECURITY, as their owner", open))
	} else {
		facts = append(facts, store.Fact{Name: "row-level security", Value: "on for all tables"})
	}
	if above {
		faults = append(faults, fmt.Sprintf("row-level security does not hold %s, who owns the store or is above it: work as a member (memory-remember store admit)", login))
	}
	for _, table := range []string{"entries", "turns"} {
		fault, err := checkWords(ctx, c, table)
		if err != nil {
			return facts, faults, err
		}
		if fault != "" {
			faults = append(faults, fault)
		} else {
			facts = append(facts, store.Fact{Name: "words of " + table, Value: "agree with the rows"})
		}
	}
	return facts, faults, nil
}

// checkWords compares the counts of rows, words and stems of some rows with the rows that the login
// sees.
func checkWords(ctx context.Context, c store.Conn, table string) (fault string, err error) {
	var bare, wrong int
	var same bool
	if err := c.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE tsv IS NULL), count(*) FILTER (WHERE tsv IS NOT NULL) = (SELECT rows FROM size($1)) AND coalesce(sum(words), 0) = (SELECT words FROM size($1)) FROM `+table, table).
		Scan(&bare, &same); err != nil {
		return "", err
	}
	if err := c.QueryRowContext(ctx, `WITH asked AS MATERIALIZED (SELECT DISTINCT l.stem FROM (SELECT tsv FROM `+table+` ORDER BY seq DESC LIMIT $2) t, unnest(tsvector_to_array(t.tsv)) AS l (stem)),
		counts AS MATERIALIZED (SELECT stem, coalesce(f.rows, 0) AS rows FROM asked LEFT JOIN frequencies($1, (SELECT array_agg(stem) FROM asked)) f USING (stem) WHERE coalesce(f.rows, 0) <= $4 ORDER BY stem LIMIT $3)
		SELECT count(*) FROM counts JOIN counted($1, (SELECT coalesce(array_agg(stem), '{}') FROM counts)) r USING (stem) WHERE counts.rows <> r.rows`, table, sampledRows, sampledStems, fewRows).
		Scan(&wrong); err != nil {
		return "", err
	}
	switch {
	case bare > 0:
		return fmt.Sprintf("%d rows of %s have no words, and are not found: edit them, or copy the store (memory-remember store copy)", bare, table), nil
	case !same || wrong > 0:
		return fmt.Sprintf("the counts of words do not agree with the rows of %s (%d of those looked at): searches rank a little worse; copy the store (memory-remember store copy) to count anew", table, wrong), nil
	}
	return "", nil
}
