# Completes the command line of @PROGRAM@ in bash 3.2 and later. Made by "@PROGRAM@ completion bash".

_@FUNCTION@_words='@WORDS@'

_@FUNCTION@() {
	local words path='@PROGRAM@' cur=${COMP_WORDS[COMP_CWORD]} flag='' word p w kind values usage offered='' allowed=''
	COMPREPLY=()
	words=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
	[ "$cur" != = ] || cur='' # of --flag=
	for word in "${words[@]}"; do
		[ "$word" != = ] || continue
		if [ -n "$flag" ]; then
			flag='' # this word is its value
			continue
		fi
		while IFS='|' read -r p w kind values usage; do
			if [ "$p" = "$path" ] && [ "$w" = "$word" ]; then
				case $kind in
				command) path="$path $word" ;;
				value) flag=$word allowed=$values ;;
				esac
				break
			fi
		done <<<"$_@FUNCTION@_words"
	done
	if [ -n "$flag" ]; then
		case $allowed in
		FILE) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
		DIR) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
		*) COMPREPLY=($(compgen -W "$allowed" -- "$cur")) ;;
		esac
		return
	fi
	while IFS='|' read -r p w kind values usage; do
		if [ "$p" = "$path" ]; then
			case $cur:$kind in
			-*:flag | -*:value) offered="$offered $w" ;;
			-*) ;;
			*:command | *:argument) offered="$offered $w" ;;
			esac
		fi
	done <<<"$_@FUNCTION@_words"
	COMPREPLY=($(compgen -W "$offered" -- "$cur"))
}

complete -o default -F _@FUNCTION@ @PROGRAM@
