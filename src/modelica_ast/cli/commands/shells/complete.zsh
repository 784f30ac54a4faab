# Completion of modelica-patch for zsh.
#
# compadd compares what it gets as text, and quotes it where it is inserted; nothing of it is expanded or run.
_modelica_patch() {
    local word=$PREFIX at='' index
    local -a known files
    [[ -n $compstate[quote] ]] || word=${(Q)PREFIX}

    for ((index = 2; index < CURRENT; index++)); do
        case $at in
            (@GROUPS@) at+=" ${(Q)words[index]}" ;;
            (*) break ;;
        esac
    done

    # A word with a dot that no file starts with may be the name of a class of a library.
    files=("$word"*(N))
    if [[ $word == *::* || ( $word == [[:alpha:]_]*.* && $word != */* && $#files == 0 ) ]]; then
        known=(${(f)"$(modelica-patch completion names -- "$word" </dev/null 2>/dev/null)"})
        compadd -S '' -a known
        return
    fi
    case $at in
        (@GROUPS@) ;;
        (*) [[ $word == -* ]] || { _files; return } ;;
    esac
    case $at in
@CASES@
    esac
    compadd -a known
}
compdef _modelica_patch modelica-patch
