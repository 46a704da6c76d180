package learning_test

import (
	"testing"
	"testing/quick"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
)

func TestDecay(t *testing.T) {
	day := func(n int) time.Time { return now.AddDate(0, 0, -n) }
	for name, test := range map[string]struct {
		l    learning.Learning
		want learning.Confidence
	}{
		"fresh":                 {learning.Learning{Confidence: learning.High, Created: day(30)}, learning.High},
		"a month":               {learning.Learning{Confidence: learning.High, Created: day(31)}, learning.Medium},
		"a quarter":             {learning.Learning{Confidence: learning.High, Created: day(91)}, learning.Low},
		"medium lasts longer":   {learning.Learning{Confidence: learning.Medium, Created: day(60)}, learning.Medium},
		"medium":                {learning.Learning{Confidence: learning.Medium, Created: day(61)}, learning.Low},
		"low stays":             {learning.Learning{Confidence: learning.Low, Created: day(400)}, learning.Low},
		"import":                {learning.Learning{Confidence: learning.High, Created: day(400), Source: learning.Import}, learning.High},
		"shown is not used":     {learning.Learning{Confidence: learning.High, Created: day(40), LastRecalled: day(1), Recalls: 9}, learning.Medium},
		"used":                  {learning.Learning{Confidence: learning.High, Created: day(40), LastUsed: day(1)}, learning.High},
		"observed":              {learning.Learning{Confidence: learning.High, Created: day(40), Updated: day(1)}, learning.High},
		"unknown is medium":     {learning.Learning{Confidence: "??", Created: day(1)}, learning.Medium},
		"a clock that is wrong": {learning.Learning{Confidence: learning.High, Created: day(-5)}, learning.High},
	} {
		require.Equal(t, test.want, learning.Decay(test.l, now), name)
	}
}

func TestReinforce(t *testing.T) {
	for name, test := range map[string]struct {
		l        learning.Learning
		distinct bool
		want     learning.Confidence
	}{
		"second":           {learning.Learning{Confidence: learning.Low, Observations: 1}, true, learning.Low},
		"third":            {learning.Learning{Confidence: learning.Low, Observations: 2}, true, learning.Medium},
		"the same session": {learning.Learning{Confidence: learning.Low, Observations: 9}, false, learning.Low},
		"retro, fourth":    {learning.Learning{Confidence: learning.Medium, Observations: 3, Source: learning.Retro}, true, learning.Medium},
		"retro, fifth":     {learning.Learning{Confidence: learning.Medium, Observations: 4, Source: learning.Retro}, true, learning.High},
		"manual, fifth":    {learning.Learning{Confidence: learning.Medium, Observations: 4, Source: learning.Manual}, true, learning.Medium},
		"one step":         {learning.Learning{Confidence: learning.Low, Observations: 40, Source: learning.Retro}, true, learning.Medium},
	} {
		require.Equal(t, test.want, learning.Reinforce(test.l, test.distinct), name)
	}
}

func TestVet(t *testing.T) {
	for name, test := range map[string]struct {
		l    learning.Learning
		want learning.Confidence
	}{
		"low":             {learning.Learning{Confidence: learning.Low}, learning.Medium},
		"medium":          {learning.Learning{Confidence: learning.Medium}, learning.Medium},
		"high":            {learning.Learning{Confidence: learning.High}, learning.High},
		"what was import": {learning.Learning{Confidence: learning.Low, Source: learning.Import}, learning.Low},
	} {
		require.Equal(t, test.want, learning.Vet(test.l), name)
	}
}

// TestProminence: time and display never raise it, use and observations never lower it.
func TestProminence(t *testing.T) {
	require.NoError(t, quick.Check(func(observations, recalls, created, used, later uint8, isUsed bool, confidence uint8, source uint8) bool {
		l := learning.Learning{
			Observations: int(observations), Recalls: int(recalls),
			Confidence: learning.Confidences()[confidence%3], Source: learning.Sources()[source%4], Created: now.AddDate(0, 0, -int(created)),
		}
		if isUsed {
			l.LastUsed = now.AddDate(0, 0, -min(int(used), int(created)))
		}
		p := learning.Prominence(l, 255, now)
		shown, used2, observed := l, l, l
		shown.Recalls++
		used2.LastUsed = now
		observed.Observations, observed.Updated = l.Observations+1, now
		return p > 0 && p < 1 &&
			learning.Prominence(l, 255, now.AddDate(0, 0, int(later))) <= p &&
			learning.Prominence(shown, 255, now) <= p &&
			learning.Prominence(used2, 255, now) >= p &&
			learning.Prominence(observed, 255, now) >= p
	}, &quick.Config{MaxCount: 5000}))
}
