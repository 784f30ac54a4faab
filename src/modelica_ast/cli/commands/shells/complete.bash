# Completion of modelica-patch for bash.
#
# What is in files and names is compared as text, and quoted where it is inserted; nothing of it is expanded or run.
# The line is taken apart here, because bash breaks words at the colons of FILE.mo::Name. What is offered goes on from
# the word that readline sees, which is $2; so COMP_WORDBREAKS stays as it is.
_modelica_patch() {
    local line=${COMP_LINE:0:COMP_POINT} word='' quote='' is_word='' at='' character next index candidate rest
    local -a words=() known=()
    COMPREPLY=()

    for ((index = 0; index < ${#line}; index++)); do
        character=${line:index:1}
        if [[ -z $quote && $character == [[:space:]] ]]; then
            [[ -z $is_word ]] || words+=("$word")
            word='' is_word=''
            continue
        fi
        is_word=yes
        if [[ -z $quote && $character == [\'\"] ]]; then
            quote=$character
        elif [[ $character == "$quote" ]]; then
            quote=''
        elif [[ $character == \\ && $quote != \' ]]; then
            index=$((index + 1))
            next=${line:index:1}
            [[ $quote != \" || $next == [\"\\\$\`] ]] || word+=$character
            word+=$next
        else
            word+=$character
        fi
    done

    for ((index = 1; index < ${#words[@]}; index++)); do
        case $at in
            @GROUPS@) at+=" ${words[index]}" ;;
            *) break ;;
        esac
    done

    # A word with a dot that no file starts with may be the name of a class of a library.
    if [[ $word == *::* || ( $word == [[:alpha:]_]*.* && $word != */* && -z $(compgen -f -- "$word") ) ]]; then
        compopt -o nospace 2>/dev/null
        while IFS= read -r candidate; do
            known+=("$candidate")
        done < <(modelica-patch completion names -- "$word" </dev/null 2>/dev/null)
    else
        case $at in
            @GROUPS@) ;;
            *) [[ $word == -* ]] || { compopt -o default 2>/dev/null; return; } ;;
        esac
        case $at in
@CASES@
        esac
    fi

    for candidate in "${known[@]}"; do
        [[ $candidate == "$word"* ]] || continue
        rest=${candidate:${#word}}
        case $quote in
            '') [[ -z $rest ]] || printf -v rest %q "$rest" ;;
            # A quoted name ends with the quote that is open here. Readline takes that for the end of the word.
            \') [[ $rest != *\'* ]] || printf -v rest "'%q" "$rest" ;;
            *)
                next=$rest rest=''
                for ((index = 0; index < ${#next}; index++)); do
                    character=${next:index:1}
                    case $character in
                        [\"\\\$\`]) rest+=\\$character ;;
                        !) rest+='"\!"' ;; # the history is looked up inside of these quotes, too
                        *) rest+=$character ;;
                    esac
                done
                ;;
        esac
        COMPREPLY+=("$2$rest")
    done
}
complete -F _modelica_patch modelica-patch
