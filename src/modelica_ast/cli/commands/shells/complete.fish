# Completion of modelica-patch for fish.
#
# Each line that a function prints is offered as it is, and quoted where it is inserted; nothing of it is expanded or run.
function __modelica_patch_at --description 'the command that the words before the cursor lead to'
    set -l words (commandline -opc)
    set -e words[1]
    set -l at ''
    for word in $words
        switch $at
            case @GROUPS@
                set at "$at $word"
            case '*'
                break
        end
    end
    echo -- $at
end

function __modelica_patch_is_bare --description 'a word with a dot that no file starts with: perhaps a class'
    string match -q -r -- '^[A-Za-z_][^/]*\\.' $argv; or return 1
    set -l files $argv*
    test (count $files) -eq 0
end

function __modelica_patch_takes_file
    switch (__modelica_patch_at)
        case @GROUPS@
            return 1
    end
    set -l word (commandline -ct | string collect)
    not string match -q -r -- '^-|::' $word; and not __modelica_patch_is_bare $word
end

function __modelica_patch_words --description 'all that can be at the cursor'
    set -l word (string unescape -- (commandline -ct | string collect) | string collect)
    if string match -q -- '*::*' $word; or __modelica_patch_is_bare $word
        modelica-patch completion names -- $word </dev/null 2>/dev/null
        return
    end
    switch (__modelica_patch_at)
@CASES@
    end
end

complete -c modelica-patch -f -a '(__modelica_patch_words)'
complete -c modelica-patch -n __modelica_patch_takes_file -F
