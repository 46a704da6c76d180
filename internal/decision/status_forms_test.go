package decision_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

func statusOf(src string) decision.Status {
	return decision.ParseDocument("docs/adr/0004-use-a-queue.md", []byte(src)).Status()
}

// Where a status may be.
func TestStatusPlaces(t *testing.T) {
	for _, c := range []struct {
		name, src string
		kind      decision.StatusKind
	}{
		{"front matter", "---\nparent: x\nstatus: accepted\n---\n# A\n", decision.Accepted},
		{"quoted", "---\nstatus: \"superseded by [ADR-0005](0005-x.md)\" # see there\n---\n# A\n", decision.Superseded},
		{"single quotes and case", "---\nStatus: 'Rejected'\n---\n", decision.Rejected},
		{"a list", "---\nstatus:\n  - accepted\n  - superseded by 5\ndate: 2020-01-01\n---\n", decision.Superseded},
		{"a list at the margin", "---\nstatus:\n- deprecated\ndate: x\n---\n", decision.Superseded},
		{"a list in brackets", "---\nstatus: [draft]\n---\n", decision.Proposed},
		{"a folded text", "---\nstatus: >\n  superseded by\n  [5](0005-x.md)\n---\n", decision.Superseded},
		{"commented out", "---\n# status: rejected\ntitle: A\n---\n", decision.NoStatus},
		{"a key inside another", "---\nmeta:\n  status: rejected\n---\n", decision.NoStatus},
		{"superseded-by", "---\nstatus: accepted\nsuperseded-by: 0005-x.md\n---\n", decision.Superseded},
		{"superseded_by none", "---\nstatus: accepted\nsuperseded_by: null\n---\n", decision.Accepted},
		{"front matter before section", "---\nstatus: accepted\n---\n# A\n## Status\nRejected\n", decision.Accepted},
		{"front matter without a value", "---\nstatus:\n---\n# A\n## Status\nRejected\n", decision.Rejected},

		{"section", "# 4. A\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n\n## Context\nRejected\n", decision.Accepted},
		{"section below a setext title", "A\n===\n\nStatus\n------\n\nRejected\n", decision.Rejected},
		{"section with a number, in bold", "# A\n## 1. Status\n**Deprecated**\n", decision.Superseded},
		{"status in the title of the section", "# A\n### Status: Rejected\n### Context\nAccepted\n", decision.Rejected},
		{"section of level one", "# A\n# Status\n> Rejected\n# Context\n", decision.Rejected},
		{"the title is no section", "# Status\nRejected\n", decision.NoStatus},
		{"section of a list", "# A\n## Status\n* Accepted\n* Amended by [6. B](0006-b.md)\n", decision.Accepted},
		{"comment in the section", "# A\n## Status\n<!-- proposed | rejected\nsuperseded -->\nAccepted <!-- by all -->\n", decision.Accepted},
		{"code in the section", "# A\n## Status\n```\nRejected\n```\nAccepted\n", decision.Accepted},
		{"empty section", "# A\n## Status\n\n## Context\nRejected.\n", decision.NoStatus},

		{"line of MADR", "# A\n\n* Status: accepted\n* Date: 2020-01-01\n\n## Context\n* Status: rejected\n", decision.Accepted},
		{"bold", "# A\n\n**Status:** Rejected\n", decision.Rejected},
		{"above the title", "Status: draft\n\n# A\n", decision.Proposed},
		{"in a quote", "# A\n> STATUS: REJECTED\n", decision.Rejected},
		{"in a table", "# A\n\n| Status | Rejected |\n|---|---|\n| Date | 2020-01-01 |\n", decision.Rejected},
		{"below the label", "# A\n\nStatus:\nRejected\n", decision.Rejected},
		{"a line beside it, of none", "# A\n\nStatus: Accepted\nSuperseded by: N/A\n", decision.Accepted},
		{"no colon", "# A\n\nStatus quo is rejected.\n", decision.NoStatus},
		{"in code", "# A\n\n```\nStatus: rejected\n```\n", decision.NoStatus},
		{"CRLF and BOM", "\uFEFF# A\r\n\r\n## Status\r\n\r\nRejected\r\n", decision.Rejected},
		{"none", "# A\n\nText.\n", decision.NoStatus},

		{"TOML", "+++\ntitle = \"A\" # x\nstatus = 'rejected'\n+++\n# A\n", decision.Rejected},
		{"TOML, in a table", "+++\n[meta]\nstatus = 'rejected'\n+++\n# A\n", decision.NoStatus},
		{"JSON", "{\"title\": \"A\",\n \"status\": \"deprecated\"}\n# A\n", decision.Superseded},
		{"JSON list", "{\"status\": [\"accepted\", \"superseded by 5\"]}\n\n# A\n", decision.Superseded},
		{"JSON with text behind it", "{\"status\": \"rejected\"} x\n", decision.NoStatus},
		{"an unfinished object", "{\"status\": \"rejected\"\n# A\n", decision.NoStatus},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.kind, statusOf(c.src).Kind)
		})
	}
}

// What a status may say: its first word counts.
func TestStatusKinds(t *testing.T) {
	for text, want := range map[string]decision.StatusKind{
		"Accepted": decision.Accepted, "ACCEPTED": decision.Accepted, "✅ Accepted": decision.Accepted, "`accepted`": decision.Accepted,
		"Accepted on 2020-01-01 by John Doe, Foo Bar": decision.Accepted, "2020-01-01: approved": decision.Accepted, "Implemented 🎉": decision.Accepted,
		"Accepted (supersedes ADR-001)": decision.Accepted, "Accepted, supersedes ADR-001": decision.Accepted,
		"Accepted (supersedes the rejected [ADR 3](0003-x.md))": decision.Accepted, "Accepted. Rejected alternatives are below": decision.Accepted,
		"![Accepted](https://img.shields.io/badge/status-accepted-green)": decision.Accepted,

		"Partly superseded": decision.Accepted, "Partially superseded by [5](0005-x.md)": decision.Accepted, "Amended by [5](0005-x.md)": decision.Accepted,
		"Will be superseded by [5](0005-x.md)": decision.Accepted, "Accepted, not superseded by anything": decision.Accepted, "Accepted, to be superseded by ADR 9": decision.Accepted,
		"Accepted, superseded in part by ADR 5": decision.Accepted,

		"Proposed": decision.Proposed, "Draft": decision.Proposed, "In review": decision.Proposed, "On hold": decision.Proposed, "Not yet accepted": decision.Proposed,
		"🟡 pending": decision.Proposed, "⚠️ Not yet decided": decision.Proposed,

		"Rejected": decision.Rejected, "❌ declined by @jane": decision.Rejected, "Not accepted": decision.Rejected,
		"~~Accepted~~ Withdrawn": decision.Rejected, "Status: rejected": decision.Rejected, "Won't do": decision.Rejected,

		"Deprecated": decision.Superseded, "Obsolete since 2021-05-01": decision.Superseded, "No longer valid": decision.Superseded,
		"Superseded": decision.Superseded, "Superseded by [5. Use X](0005-x.md)": decision.Superseded, "superceded by 5": decision.Superseded,
		"Replaced by ADR-0005": decision.Superseded, "superseded_by ADR-5": decision.Superseded, "Superseded (see ADR 0002)": decision.Superseded,
		"Accepted, superseded by [5](0005-x.md)": decision.Superseded, "Accepted (superseded by ADR 5)": decision.Superseded,
		"[Superseded by 5](0005-x.md)": decision.Superseded, "~~Accepted~~, **Superseded by** [5](0005-x.md)": decision.Superseded,

		"Akzeptiert": decision.Accepted, "Vorgeschlagen": decision.Proposed, "Abgelehnt": decision.Rejected, "Veraltet": decision.Superseded, "Ersetzt durch [3](0003-x.md)": decision.Superseded, "Durch ADR-3 ersetzt": decision.Superseded, "Superseded durch ADR-3": decision.Superseded, "Wird durch ADR-3 ersetzt": decision.NoStatus,
		"Acceptée": decision.Accepted, "Accepte\u0301": decision.Accepted, "Brouillon": decision.Proposed, "Rejeté": decision.Rejected, "Remplacé par 3": decision.Superseded, "Obsolète": decision.Superseded,
		"Aceptado": decision.Accepted, "Propuesta": decision.Proposed, "Rechazado": decision.Rejected, "Reemplazado por ADR-3": decision.Superseded,
		"Aprovado": decision.Accepted, "Rascunho": decision.Proposed, "Rejeitado": decision.Rejected, "Substituído por ADR-3": decision.Superseded,
		"Accettato": decision.Accepted, "Bozza": decision.Proposed, "Rifiutato": decision.Rejected, "Sostituita da 3": decision.Superseded,
		"Geaccepteerd": decision.Accepted, "Voorgesteld": decision.Proposed, "Afgewezen": decision.Rejected, "Vervangen door 3": decision.Superseded,
		"Godkjent": decision.Accepted, "Foreslått": decision.Proposed, "Avvist": decision.Rejected, "Erstattet av 3": decision.Superseded,
		"已接受": decision.Accepted, "已被批准。": decision.Accepted, "草案": decision.Proposed, "已拒绝": decision.Rejected, "已取代": decision.Superseded, "已被ADR-0005取代": decision.Superseded, "由 ADR-5 替换": decision.Superseded, "已接受；由 ADR-5 取代": decision.Superseded, "由架构组批准，取代 ADR-5": decision.NoStatus,
		"承認済み": decision.Accepted, "提案中": decision.Proposed, "却下": decision.Rejected, "廃止": decision.Superseded, "非推奨": decision.Superseded, "5に置き換え済み": decision.Superseded, "承認（ADR-5を置き換える）": decision.Accepted, "ADR-5に置き換える案": decision.NoStatus,

		"승인됨": decision.Accepted, "제안됨": decision.Proposed, "검토 중": decision.Proposed, "거부됨": decision.Rejected, "반려 (보안 문제)": decision.Rejected, "대체됨": decision.Superseded, "폐기됨": decision.Superseded, "ADR-5로 대체되었습니다": decision.Superseded, "ADR-5로 대체 예정": decision.NoStatus, "승인되지 않음": decision.NoStatus,

		"Whatever": decision.NoStatus, "See below": decision.NoStatus, "🤷": decision.NoStatus, "[](": decision.NoStatus,
	} {
		t.Run(text, func(t *testing.T) {
			assert.Equal(t, want, statusOf("# A\n\n## Status\n\n"+text+"\n\n## Context\n").Kind, "in a section")
			assert.Equal(t, want, statusOf("# A\n\n* Status: "+text+"\n").Kind, "in a line")
			assert.Equal(t, want, statusOf("# A\n\n**Status**: "+text+"\n").Kind, "in a line")
		})
	}
	for _, heading := range []string{"Status", "1. Statut", "Estado", "Stato", "状态", "状態", "ステータス", "상태"} {
		require.Equal(t, decision.Rejected, statusOf("# A\n\n## "+heading+"\n\nRejected\n").Kind, heading)
	}
}
