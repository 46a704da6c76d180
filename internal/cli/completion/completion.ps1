# Completes the command line of @PROGRAM@ in PowerShell. Made by "@PROGRAM@ completion powershell".

Register-ArgumentCompleter -Native -CommandName @PROGRAM@ -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $rows = '@WORDS@' -split "`r?`n" | ForEach-Object { , ($_ -split '\|', 5) }
    $path = '@PROGRAM@'
    $flag = $null
    $before = $commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition }
    foreach ($element in $before) {
        if ($flag) { $flag = $null; continue } # this word is its value
        $word = $element.Extent.Text
        $row = $rows | Where-Object { $_[0] -ceq $path -and $_[1] -ceq $word } | Select-Object -First 1
        if (-not $row) { continue }
        if ($row[2] -eq 'command') { $path = "$path $word" }
        if ($row[2] -eq 'value') { $flag = $row }
    }
    $prefix = ''
    if (-not $flag -and $wordToComplete -match '^(--[a-z-]+)=(.*)$') {
        $name, $wordToComplete = $Matches[1], $Matches[2]
        $prefix = "$name="
        $flag = $rows | Where-Object { $_[0] -ceq $path -and $_[1] -ceq $name } | Select-Object -First 1
        if (-not $flag) { return }
    }
    if ($flag) { # without a result, PowerShell completes files
        if ($flag[3] -cin 'FILE', 'DIR', '') { return }
        foreach ($value in $flag[3] -split ' ') {
            if ($value.StartsWith($wordToComplete)) {
                [System.Management.Automation.CompletionResult]::new("$prefix$value", $value, 'ParameterValue', $value)
            }
        }
        return
    }
    foreach ($row in $rows) {
        if ($row[0] -ceq $path -and $row[1].StartsWith($wordToComplete) -and ($wordToComplete.StartsWith('-') -or $row[1] -notlike '-*')) {
            $usage = if ($row[4]) { $row[4] } else { $row[1] }
            [System.Management.Automation.CompletionResult]::new($row[1], $row[1], 'ParameterValue', $usage)
        }
    }
}
