package validate_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/validate"
)

func TestCountWordsInOtherLanguages(t *testing.T) {
	for field, want := range map[string]int{
		"处理支付回调": 2, "支付回调必须先保存幂等键": 4, "重复回调，幂等键，重复扣款": 4, "扫码事件按scan_id去重": 4, "修改 lock_timeout 配置": 3,
		"本番へデプロイする": 3, "エラー コード": 2, "รหัสลูกค้า": 3, "비밀번호는 일회용으로 발급한다": 3, "l'heure d'arrivée": 2, "déjà vu — encore": 4, "a | b": 2, "": 0,
	} {
		require.Equal(t, want, validate.CountWords(field), field)
	}
}

// Signs that words of other languages are spelt with are allowed in triggers.
func TestTriggersInOtherLanguages(t *testing.T) {
	for _, trigger := range []string{"changer l’heure d’arrivée", "می\u200cخواهم سفارش را لغو کنم", "क्\u200dषेत्र बदलना", "ドライバー・アプリ", "l'utente cambia l’ordine", "cancel·lar una comanda"} {
		found, err := check(fstest.MapFS{
			config.DefaultIndex:     {Data: []byte("# Index\n\n## agents/decisions/a.md\n\n/when " + trigger + " | Title | one two three four five six seven\n")},
			"agents/decisions/a.md": {Data: []byte("# A\n\n## Title\n\nText.\n")},
		}, config.Default())
		require.NoError(t, err)
		for _, f := range found {
			require.NotEqual(t, "trigger-format", f.Rule, f.Message)
		}
	}
}
