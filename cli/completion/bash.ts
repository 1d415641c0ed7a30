/** Completion for bash, 3.2 and newer. */

import {listRuns, pattern, shellString, optionsWithValue} from './shell.ts';
import type {OptionWord, Source, Vocabulary} from './vocabulary.ts';

export function bashScript(vocabulary: Vocabulary): string {
  const {commands, options} = vocabulary;
  const names = commands.map(({word}) => word);
  return `# Completion for bash: eval "$(quorate completion bash)"
_quorate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      ${names.join('|')}) command="$word"; break ;;
    esac
  done
  case "$before" in
${optionsWithValue(vocabulary)
  .map((option) => `    ${pattern(option)}) ${offer(option.value)}; return ;;`)
  .join('\n')}
  esac
  case "$current" in
    -*)
      case "$command" in
${commands.map(({word, options: own}) => `        ${word}) ${offerWords(own)} ;;`).join('\n')}
        *) ${offerWords(options)} ;;
      esac
      return ;;
  esac
  case "$command" in
${commands.map(({word, operand}) => `    ${word}) ${offer(operand)} ;;`).join('\n')}
    *) ${offer({from: 'words', words: names})} ;;
  esac
}
complete -o default -F _quorate quorate
`;
}

function offerWords(options: readonly OptionWord[]): string {
  return offer({from: 'words', words: options.map(({word}) => word)});
}

/** Without words to offer, bash completes names of files and folders itself, including those with blanks. */
function offer(source: Source = {from: 'anything'}): string {
  if (source.from === 'words') return compgen(`-W ${shellString(source.words.join(' '))}`);
  return source.from === 'run' ? compgen(`-W "$(${listRuns})"`) : ':';
}

function compgen(how: string): string {
  return `COMPREPLY=($(compgen ${how} -- "$current"))`;
}
