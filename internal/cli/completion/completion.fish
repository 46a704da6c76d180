# Completes the command line of @PROGRAM@ in fish. Made by "@PROGRAM@ completion fish".

function __@FUNCTION@_complete
    set -l words '@WORDS@'
    set -l rows (string split \n -- $words)
    set -l path '@PROGRAM@'
    set -l flag ''
    set -l allowed ''
    for word in (commandline -opc)[2..]
        if test -n "$flag"
            set flag '' # this word is its value
            continue
        end
        for row in $rows
            set -l fields (string split -m 4 '|' -- $row)
            if test "$fields[1]" = "$path" -a "x$fields[2]" = "x$word"
                switch $fields[3]
                    case command
                        set path "$path $word"
                    case value
                        set flag $word
                        set allowed $fields[4]
                end
                break
            end
        end
    end
    set -l current (commandline -ct)
    set -l prefix ''
    if test -z "$flag"; and string match -qr -- '^--[a-z-]+=' $current
        set flag (string split -m 1 = -- $current)[1]
        set prefix $flag=
        set current (string split -m 1 = -- $current)[2]
        for row in $rows
            set -l fields (string split -m 4 '|' -- $row)
            if test "$fields[1]" = "$path" -a "x$fields[2]" = "x$flag"
                set allowed $fields[4]
            end
        end
    end
    if test -n "$flag"
        switch "$allowed"
            case FILE
                string replace -r -- '^' $prefix (__fish_complete_path $current)
            case DIR
                string replace -r -- '^' $prefix (__fish_complete_directories $current)
            case '*'
                string replace -r -- '^' $prefix (string split -n ' ' -- $allowed)
        end
        return
    end
    set -l files yes # if no word is offered
    for row in $rows
        set -l fields (string split -m 4 '|' -- $row)
        if test "$fields[1]" = "$path"; and test (string sub -l 1 -- "$current ") = - -o (string sub -l 1 -- $fields[2]) != -
            printf '%s\t%s\n' $fields[2] $fields[5]
            set files no
        end
    end
    if test $files = yes
        __fish_complete_path $current
    end
end

complete -c @PROGRAM@ -f -a '(__@FUNCTION@_complete)'
