#compdef @PROGRAM@
# Completes the command line of @PROGRAM@ in zsh. Made by "@PROGRAM@ completion zsh".

_@FUNCTION@() {
	local row word path_='@PROGRAM@' flag= allowed=
	local -a rows fields offered
	rows=("${(@f)_@FUNCTION@_words}")
	for word in "${(@)words[2,CURRENT-1]}"; do
		if [[ -n $flag ]]; then
			flag= # this word is its value
			continue
		fi
		for row in "${(@M)rows:#${(b)path_}\|${(b)word}\|*}"; do
			fields=("${(@s:|:)row}")
			case $fields[3] in
			command) path_+=" $word" ;;
			value) flag=$word allowed=$fields[4] ;;
			esac
			break
		done
	done
	if [[ -z $flag ]] && compset -P '--[a-z-]#='; then # --flag=value is one word
		for row in "${(@M)rows:#${(b)path_}\|${(b)IPREFIX%=}\|value\|*}"; do
			fields=("${(@s:|:)row}")
			flag=$IPREFIX allowed=$fields[4]
		done
		[[ -n $flag ]] || return 1
	fi
	if [[ -n $flag ]]; then
		case $allowed in
		FILE) _files ;;
		DIR) _files -/ ;;
		*) compadd -- ${=allowed} ;;
		esac
		return
	fi
	for row in "${(@M)rows:#${(b)path_}\|*}"; do
		fields=("${(@s:|:)row}")
		if [[ $PREFIX == -* && $fields[2] == -* || $PREFIX != -* && $fields[2] != -* ]]; then
			offered+=("$fields[2]${fields[5]:+:$fields[5]}")
		fi
	done
	if (( $#offered )); then
		_describe word offered && return
	fi
	_files
}

_@FUNCTION@_words='@WORDS@'

if [[ $funcstack[1] == _@PROGRAM@ ]]; then # loaded from $fpath
	_@FUNCTION@ "$@"
else
	compdef _@FUNCTION@ @PROGRAM@
fi
