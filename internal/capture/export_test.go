package capture

// Filter is the filter, by itself.
type Filter = filter

// TranscriptName names a transcript as an event does.
var TranscriptName = transcriptName
