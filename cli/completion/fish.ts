/** Completion for fish. */

import {listRuns} from './shell.ts';
import type {CommandWord, OptionWord, Source, Vocabulary} from './vocabulary.ts';

export function fishScript({commands, options}: Vocabulary): string {
  const names = commands.map(({word}) => word).join(' ');
  const isTask = `not __fish_seen_subcommand_from ${names}`;
  const lines = [
    ...options.map((option) => optionLine(isTask, option)),
    ...commands.map(({word, text}) =>
      complete(isTask, ['-f', `-a ${word}`, `-d ${fishString(text)}`]),
    ),
    ...commands.flatMap(commandLines),
  ];
  return `# Completion for fish: quorate completion fish > ~/.config/fish/completions/quorate.fish
${lines.join('\n')}
`;
}

function commandLines({word, options, operand}: CommandWord): readonly string[] {
  const isHere = `__fish_seen_subcommand_from ${word}`;
  return [
    ...options.map((option) => optionLine(isHere, option)),
    ...(operand.from === 'anything' ? [] : [complete(isHere, [offer(operand)])]),
  ];
}

function optionLine(condition: string, {long, short, text, value}: OptionWord): string {
  return complete(condition, [
    ...(short === undefined ? [] : [`-s ${short}`]),
    `-l ${long}`,
    ...(value ? [`-r ${offer(value)}`] : []),
    `-d ${fishString(text)}`,
  ]);
}

function complete(condition: string, parts: readonly string[]): string {
  return `complete -c quorate -n ${fishString(condition)} ${parts.join(' ')}`;
}

function offer(source: Source): string {
  if (source.from === 'words') return `-f -a ${fishString(source.words.join(' '))}`;
  if (source.from === 'run') return `-f -a ${fishString(`(${listRuns})`)}`;
  return source.from === 'folder' ? "-f -a '(__fish_complete_directories)'" : '-F';
}

/** Quotes for fish, where a backslash escapes a quote and itself. */
function fishString(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
