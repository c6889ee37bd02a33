/** The shells that have a script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/**
 * The scripts call `stagecraft complete` at every Tab, so they are always up to date. It prints a line for each
 * candidate, value and description separated by a tab, and `:file` or `:folder` if paths are allowed too. In bash, `=`
 * and `:` start a new word, so the text before them is not inserted again.
 */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# Completion of stagecraft for bash. In ~/.bashrc: source <(stagecraft completion bash)
_stagecraft() {
  local line value before current typed=\${COMP_LINE:0:COMP_POINT}
  local -a words
  read -ra words <<<"$typed"
  [[ $typed == *[[:space:]] ]] && words+=('')
  current=\${words[\${#words[@]} - 1]}
  before=\${current%"\${current##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    case $value in
      :file) while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "\${current#"$before"}") ;;
      :folder) while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -d -- "\${current#"$before"}") ;;
      "$current"*) COMPREPLY+=("\${value#"$before"}") ;;
    esac
  done < <(stagecraft complete -- "\${words[@]:1}" 2>/dev/null)
  if ((\${#COMPREPLY[@]} == 1)) && [[ -d \${COMPREPLY[0]} ]]; then
    COMPREPLY[0]+=/
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _stagecraft stagecraft
`,
  zsh: `#compdef stagecraft
# Completion of stagecraft for zsh. In ~/.zshrc, after compinit: source <(stagecraft completion zsh)
_stagecraft() {
  local line value text paths=''
  local -a candidates
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    text=\${line#*$'\\t'}
    case $value in
      :*) paths=$value ;;
      *) candidates+=("\${value//:/\\\\:}\${text:+:$text}") ;;
    esac
  done < <(stagecraft complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#candidates} )) && _describe -t stagecraft 'stagecraft' candidates
  [[ -n $paths ]] && compset -P '*='
  case $paths in
    :file) _files ;;
    :folder) _files -/ ;;
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _stagecraft "$@"
else
  compdef _stagecraft stagecraft
fi
`,
  fish: `# Completion of stagecraft for fish: stagecraft completion fish > ~/.config/fish/completions/stagecraft.fish
function __stagecraft_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l current (commandline -ct)
  set -l path (string replace -r '^--[\\w-]+=' '' -- $current)
  set -l before (string sub -l (math (string length -- "$current") - (string length -- "$path")) -- "$current")
  for line in (stagecraft complete -- $words[2..] 2>/dev/null)
    switch $line
      case ':file'
        for found in (__fish_complete_path "$path")
          echo "$before$found"
        end
      case ':folder'
        for found in (__fish_complete_directories "$path")
          echo "$before$found"
        end
      case '*'
        echo $line
    end
  end
end
complete -c stagecraft -f -a '(__stagecraft_complete)'
`,
}
