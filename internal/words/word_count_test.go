package words_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/words"
)

func TestCount(t *testing.T) {
	for field, want := range map[string]int{
		"处理支付回调": 2, "支付回调必须先保存幂等键": 4, "重复回调，幂等键，重复扣款": 4, "扫码事件按scan_id去重": 4, "修改 lock_timeout 配置": 3,
		"本番へデプロイする": 3, "エラー コード": 2, "รหัสลูกค้า": 3, "비밀번호는 일회용으로 발급한다": 3, "l'heure d'arrivée": 2, "déjà vu — encore": 4, "a | b": 2, "": 0,
	} {
		require.Equal(t, want, words.Count(field), field)
	}
}

// A cut field is the beginning of the field, and has as many words, by Count, as are allowed.
func TestCutToCount(t *testing.T) {
	for _, field := range []string{"支付回调必须先保存幂等键 重复回调", "扫码事件按scan_id去重", "keep attempts below 七次八次九次 always", "รหัสลูกค้าต้องไม่ซ้ำ", "one two three four five six", "本番へデプロイする前に"} {
		for maxCount := range 6 {
			cut := words.CutToCount(strings.Fields(field), maxCount)
			require.LessOrEqual(t, words.Count(strings.Join(cut, " ")), maxCount)
			require.True(t, strings.HasPrefix(field, strings.Join(cut, " ")), "%s %d %q", field, maxCount, cut)
			if maxCount > 0 {
				require.GreaterOrEqual(t, words.Count(strings.Join(cut, " ")), min(maxCount, words.Count(field))-1)
			}
		}
	}
}
