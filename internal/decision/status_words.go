package decision

import (
	"strings"
	"sync"

	"whence/internal/lazyregexp"
)

// statusTable lists the words with which a status begins, in English, German, French, Spanish,
// Portuguese, Italian, Dutch, Norwegian, Chinese, Japanese and Korean. A hyphen joins two words.
var statusTable = map[StatusKind]string{
	Accepted: `accepted approved decided agreed adopted implemented active final done ratified confirmed valid enacted in-force
		akzeptiert angenommen beschlossen genehmigt entschieden umgesetzt gültig aktiv
		accepté acceptée approuvé approuvée adopté adoptée validé validée décidé décidée
		aceptado aceptada aprobado aprobada adoptado adoptada decidido decidida vigente
		aceito aceita aceite aprovado aprovada adotado adotada
		accettato accettata approvato approvata adottato adottata
		geaccepteerd aanvaard goedgekeurd besloten aangenomen vastgesteld
		akseptert godkjent vedtatt besluttet godtatt
		接受 采纳 通过 批准 生效 採納 通過 已接受 已采纳 已通过 已批准 已生效 已採納 已通過 已被接受 已被采纳 已被批准
		承認 採用 採択 決定 合意 受理
		승인 승인됨 승인되었음 승인되었습니다 채택 채택됨 채택되었습니다 확정 확정됨 결정됨 수락됨`,
	Proposed: `proposed draft drafted pending wip open deferred postponed rfc in-review under-review in-discussion under-discussion in-progress on-hold not-yet
		vorgeschlagen entwurf vorschlag offen in-diskussion in-prüfung in-arbeit
		proposé proposée brouillon en-attente en-discussion en-cours
		propuesto propuesta borrador pendiente en-revisión
		proposto proposta rascunho pendente em-revisão em-discussão
		bozza in-revisione in-attesa
		voorgesteld concept voorstel
		foreslått utkast forslag
		提议 提案 草案 草稿 提議 待定 讨论中 討論中
		検討中 ドラフト 下書き 保留
		제안 제안됨 제안되었습니다 초안 보류 보류됨 검토중 검토-중 논의중 논의-중 승인-대기`,
	Rejected: `rejected declined withdrawn abandoned cancelled canceled discarded dropped dismissed won't-do not-accepted
		abgelehnt verworfen zurückgezogen nicht-akzeptiert nicht-angenommen
		rejeté rejetée refusé refusée abandonné abandonnée retiré retirée
		rechazado rechazada descartado descartada retirado retirada
		rejeitado rejeitada recusado recusada
		rifiutato rifiutata respinto respinta scartato scartata
		afgewezen verworpen ingetrokken
		avvist forkastet avslått
		拒绝 否决 拒絕 否決 驳回 撤回 已拒绝 已否决 已拒絕 已否決 已驳回 已撤回 已被拒绝 已被否决 被拒绝 被否决
		却下 不採用 棄却
		거부 거부됨 거부되었습니다 거절 거절됨 거절되었습니다 반려 반려됨 반려되었습니다 기각 기각됨 철회 철회됨`,
	Superseded: `superseded superceded superseeded replaced overridden supplanted deprecated obsolete obsoleted retired expired outdated inactive archived revoked reverted no-longer
		ersetzt abgelöst veraltet überholt obsolet ungültig aufgehoben
		remplacé remplacée obsolète déprécié dépréciée caduc caduque périmé périmée
		reemplazado reemplazada remplazado remplazada sustituido sustituida obsoleto obsoleta derogado derogada
		substituído substituída descontinuado descontinuada
		sostituito sostituita superato superata deprecato deprecata
		vervangen verouderd achterhaald vervallen
		erstattet avløst utdatert foreldet
		已取代 已替代 已替换 已替換 已废弃 已弃用 已过时 已失效 已廢棄 已棄用 已過時 已被 被取代 被替代 被 废弃 弃用 作废 过时 廢棄 棄用
		廃止 置き換え 置換 非推奨 破棄
		대체 대체됨 대체되었음 대체되었습니다 교체됨 폐기 폐기됨 폐기되었음 폐기되었습니다 만료됨`,
}

var statusWords = sync.OnceValue(func() map[string]StatusKind {
	words := map[string]StatusKind{}
	for kind, list := range statusTable {
		for _, word := range strings.Fields(list) {
			words[word] = kind
		}
	}
	return words
})

// recordName matches a link or a word that may name a record.
const recordName = "[`*_「『]*" + `(\[\[[^\[\]]+\]\]|\[[^\[\]]*\]\([^()]*\)|(?:(?:adr|rfc|no)[ .#]*)?[\p{Latin}\d#/._%-]+)` + "[`*_」』]*"

// These verbs follow the record by which another is superseded.
const (
	chineseVerbs  = "取代|替代|替换|替換|代替"
	japaneseVerbs = "置き換え|置換|廃止|非推奨|破棄|取って代わ"
	koreanVerbs   = "대체됨|대체되었|대체됐|교체됨|교체되었|교체됐"
	germanicVerbs = "ersetzt|abgelöst|vervangen"
)

// lastVerbs are all of them.
var lastVerbs = strings.Split(chineseVerbs+"|"+japaneseVerbs+"|"+koreanVerbs+"|"+germanicVerbs, "|")

var (
	// statusLabel names a chapter or a line with a status.
	statusLabel = lazyregexp.New(`(?i)^[^\pL]*(?:decision\s)?(?:status|statut|estado|stato|状态|狀態|状況|状態|ステータス|상태)[*_` + "`" + ` ]*(?:[:：|]|$)`)

	// recordFirst matches "superseded by" where the record precedes the verb: 2に置き換え済み, 由 2 取代, durch 2 ersetzt.
	recordFirst = lazyregexp.New(`(?i)(?:` +
		`已?[由为為]\s*` + recordName + `\s*所?(?:` + chineseVerbs + `)|` +
		recordName + `\s*(?:に|で|により|によって|로|으로|에\s*의해)\s*(?:` + japaneseVerbs + `|` + koreanVerbs + `)|` +
		`(?:wurde |is |werd )?(?:durch|door)\s` + recordName + `\s(?:` + germanicVerbs + `)` +
		`)(済|られ|さ|し|ま|た|了|습|음|다|\PL|$)`)

	// supersedingWords are followed by the record that the one in which they are replaces; 取代 and 替代 too.
	supersedingWords = strings.Fields("supersedes supercedes replaces ersetzt remplace reemplaza sustituye substitui sostituisce vervangt erstatter")
)
