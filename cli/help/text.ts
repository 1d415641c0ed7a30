/** Builds the text of `quorate help` from the commands and the options. */

import {loadAll} from '../commands/index.ts';
import type {Command} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import {globalOptions, obeyedOptions} from '../line/options.ts';
import {type Output, widthOf, write} from '../terminal.ts';
import {fold} from './fold.ts';
import {topics} from './topics.ts';

/** The names of all help topics. */
export async function helpTopics(): Promise<readonly string[]> {
  const all = await loadAll();
  return [...new Set([...Object.keys(topics), ...all.map(([name]) => name)])];
}

/** Writes the text for a topic or a command, the general one without a topic, in lines that fit. */
export async function writeHelp(output: Output, topic?: string): Promise<void> {
  const text = await helpText(topic);
  await write(output, output.isTTY === true ? fold(text, widthOf(output)) : text);
}

/** The text for a topic, a command, or both if they share the name; the general one for none. */
export async function helpText(topic?: string): Promise<string> {
  const all = await loadAll();
  const named = all.find(([name]) => name === topic);
  const topicText = topic !== undefined && Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  const parts = [
    ...(topicText ? [await topicText()] : []),
    ...(named ? [commandText(...named)] : []),
  ];
  return parts.length === 0 ? generalText(all) : parts.join('\n');
}

const heading = `Quorate: models plan and act, a panel of models votes before anything risky happens, a person decides
where the panel can't.

Usage: quorate [options] TASK…
       quorate COMMAND [options]

  quorate "Write an overview of this repository to OVERVIEW.md"
  quorate --scope plan-only "Rename the function load to read"
  quorate -m anthropic/claude-sonnet-4.5 -m review=gpt-5.2 "Fix the failing test"
  git diff | quorate ask "What does this change?"
  quorate "Follow @docs/style.md in src"
`;

const footing = `A task that begins with the name of a command goes after two dashes: quorate -- show me the tests
Exit codes: 0 done · 1 failed, rejected or cancelled · 2 could not run · 3 limit reached · 4 waiting · 130 interrupted
`;

const asking: readonly Option[] = [
  {name: 'continue', text: 'go on with the newest open run of this folder, as quorate resume does'},
  {name: 'help', short: 'h', text: 'this text'},
  {name: 'version', short: 'V', text: 'the version'},
];

function generalText(all: readonly (readonly [string, Command])[]): string {
  const names = `topics: ${Object.keys(topics).join(', ')}, and each command`;
  const rows = all.map(([name, {operands, summary}]) => [
    [name, operands?.usage ?? ''].join(' ').trim(),
    name === 'help' ? names : summary,
  ]);
  return [
    heading,
    'Commands:',
    ...columns(rows.map(([left = '', right = '']) => [`  ${left}`, right])),
    '',
    'Options (before or after a command, which refuses those that it has no use for):',
    ...optionLines([...globalOptions, ...asking]),
    '',
    footing,
  ].join('\n');
}

function commandText(name: string, command: Command): string {
  const {operands, summary, detail, options = [], examples = []} = command;
  const flags = options.map(({name: flag, takes}) => `[--${flag}${takes ? ` ${takes}` : ''}]`);
  const usage = ['quorate', name, ...flags, '[options]', operands?.usage ?? ''].join(' ').trim();
  return [
    `Usage: ${usage}`,
    '',
    detail?.trimEnd() ?? `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`,
    ...(options.length > 0 ? ['', ...optionLines(options)] : []),
    ...(examples.length > 0 ? ['', ...examples.map((line) => `  ${line}`)] : []),
    '',
    fold(`Also: ${obeyed(command).join(' ')};`),
    'see quorate --help.',
    '',
  ].join('\n');
}

/** The global options of a command, as they are written. */
function obeyed({obeys}: Command): readonly string[] {
  return obeyedOptions(obeys).map(({name, short}) =>
    short === undefined ? `--${name}` : `-${short}`,
  );
}

function optionLines(options: readonly Option[]): string[] {
  return columns(
    options.map(({name, short, takes, text}) => [
      `  ${short ? `-${short},` : '   '} --${name}${takes ? ` ${takes}` : ''}`,
      text,
    ]),
  );
}

/** Two columns. A text of several lines continues below its beginning. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 3;
  return rows.map(
    ([left, right]) => left.padEnd(width) + right.replaceAll('\n', `\n${' '.repeat(width)}`),
  );
}
