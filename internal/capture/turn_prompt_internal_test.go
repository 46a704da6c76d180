package capture

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A short prompt in Chinese, Japanese or Korean says as much as a longer one in letters.
func TestPromptsOfOtherLanguagesAreLongEnough(t *testing.T) {
	for prompt, long := range map[string]bool{
		"支付回调要先存幂等键再处理": true, "金曜日にはデプロイしない": true, "배포 전에 캐시를 비워": true, "go on, please": false, "好的，继续": false, "ja, mach das": false,
	} {
		require.Equal(t, long, isLong(prompt, minPromptChars), prompt)
	}
}
