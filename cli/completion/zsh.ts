/** Completion for zsh. */

import {listRuns, pattern, shellString, optionsWithValue} from './shell.ts';
import type {Source, Vocabulary, Word} from './vocabulary.ts';

export function zshScript(vocabulary: Vocabulary): string {
  const {commands, options} = vocabulary;
  return `#compdef quorate
# Completion for zsh: eval "$(quorate completion zsh)", below compinit
_quorate() {
  local command="" word before="\${words[CURRENT-1]}" current="\${words[CURRENT]}"
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in
      ${commands.map(({word}) => word).join('|')}) command="$word"; break ;;
    esac
  done
  case "$before" in
${optionsWithValue(vocabulary)
  .map((option) => `    ${pattern(option)}) ${offer(option.value)}; return ;;`)
  .join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    case "$command" in
${commands.map(({word, options: own}) => `      ${word}) ${describe(own)} ;;`).join('\n')}
      *) ${describe(options)} ;;
    esac
    return
  fi
  case "$command" in
${commands.map(({word, operand}) => `    ${word}) ${offer(operand)} ;;`).join('\n')}
    *) ${describe(commands)} ;;
  esac
}
compdef _quorate quorate
`;
}

/** Words with descriptions. A colon separates the two; a colon in a word is escaped. */
function describe(words: readonly Word[]): string {
  const entries = words.map(({word, text}) =>
    shellString(`${word.replaceAll(':', '\\:')}:${text}`),
  );
  return `local -a offered=(${entries.join(' ')}); _describe -o quorate offered`;
}

function offer(source: Source = {from: 'anything'}): string {
  if (source.from === 'words') return `compadd -- ${source.words.map(shellString).join(' ')}`;
  if (source.from === 'run') return `compadd -- \${(f)"$(${listRuns})"}`;
  return source.from === 'folder' ? '_files -/' : '_files';
}
