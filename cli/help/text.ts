/** Builds the text of `quorate help` from the commands and the options. */

import {loadAll} from '../commands/index.ts';
import {type Reader, say, type Texts} from '../language.ts';
import type {Command} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import {globalOptions, obeyedOptions} from '../line/options.ts';
import {padTo, widthOfText} from '../render/text.ts';
import {type Terminal, widthOf, write} from '../terminal.ts';
import {fold} from './fold.ts';
import {topics} from './topics.ts';

/** The names of all help topics. */
export async function helpTopics(): Promise<readonly string[]> {
  const all = await loadAll();
  return [...new Set([...Object.keys(topics), ...all.map(([name]) => name)])];
}

/** Writes the text for a topic or a command, the general one without a topic, in lines that fit. */
export async function writeHelp(
  {stdout: output, language}: Pick<Terminal, 'stdout' | 'language'>,
  topic?: string,
): Promise<void> {
  const text = await helpText(topic, {language});
  await write(output, output.isTTY === true ? fold(text, widthOf(output)) : text);
}

/** The text for a topic, a command, or both if they share the name; the general one for none. */
export async function helpText(topic?: string, reader: Reader = {}): Promise<string> {
  const all = await loadAll();
  const named = all.find(([name]) => name === topic);
  const topicText = topic !== undefined && Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  const parts = [
    ...(topicText ? [await topicText(reader)] : []),
    ...(named ? [commandText(...named, reader)] : []),
  ];
  return parts.length === 0 ? generalText(all, reader) : parts.join('\n');
}

const usage = `quorate [options] TASK…
       quorate COMMAND [options]

  quorate "Write an overview of this repository to OVERVIEW.md"
  quorate --plan-only "Rename the function load to read"
  quorate -m anthropic/claude-sonnet-4.5 -m review=gpt-5.2 "Fix the failing test"
  git diff | quorate ask "What does this change?"
`;

const heading: Texts = {
  en: `Quorate: models plan and act, a panel of models votes before anything risky happens, a person decides
where the panel can't.

Usage: ${usage}`,
  ja: `Quorate: モデルが計画して作業し、危険なことの前に合議体のモデルが投票し、合議体が決められない所は人が決めます。

使い方:
       ${usage}`,
};

const footing: Texts = {
  en: `A task that begins with the name of a command goes after two dashes: quorate -- show me the tests
Exit codes: 0 done · 1 failed, rejected or cancelled · 2 could not run · 3 limit reached · 4 waiting · 130 interrupted
`,
  ja: `コマンドの名前で始まるタスクは、2 つのダッシュの後に書きます: quorate -- show me the tests
終了コード: 0 完了 · 1 失敗・却下・取り消し · 2 実行できず · 3 上限 · 4 待機 · 130 中断
`,
};

const commandsTitle: Texts = {en: 'Commands:', ja: 'コマンド:'};

const optionsTitle: Texts = {
  en: 'Options (before or after a command; a command refuses options that it does not use):',
  ja: 'オプション（コマンドの前か後。コマンドは自分に関係のないものを拒否します）:',
};

const asking: readonly Option[] = [
  {
    name: 'continue',
    text: {
      en: 'continue the newest open run of this folder, as quorate resume does',
      ja: 'このフォルダの最新の未完了の実行を続ける（quorate resume と同じ）',
    },
  },
  {
    name: 'completion',
    takes: 'SHELL',
    text: {
      en: 'print the completion for bash, zsh or fish',
      ja: 'bash、zsh、fish の補完を出力する',
    },
  },
  {name: 'help', short: 'h', text: {en: 'this text', ja: 'この説明'}},
  {name: 'version', short: 'V', text: {en: 'the version', ja: '版'}},
];

function generalText(all: readonly (readonly [string, Command])[], reader: Reader): string {
  const list = Object.keys(topics).join(', ');
  const names = {en: `topics: ${list}, and each command`, ja: `トピック: ${list}。各コマンドも`};
  const rows = all.map(([name, {operands, summary}]) => [
    [name, operands?.usage ?? ''].join(' ').trim(),
    say(name === 'help' ? names : summary, reader),
  ]);
  return [
    say(heading, reader),
    say(commandsTitle, reader),
    ...columns(rows.map(([left = '', right = '']) => [`  ${left}`, right])).map((row) =>
      fold(row, maxWidth),
    ),
    '',
    say(optionsTitle, reader),
    ...optionLines([...globalOptions, ...asking], reader),
    '',
    say(footing, reader),
  ].join('\n');
}

function commandText(name: string, command: Command, reader: Reader): string {
  const {operands, summary, detail, options = [], examples = []} = command;
  const shown = options.filter(({text}) => text);
  const flags = shown.map(({name: flag, takes}) => `[--${flag}${takes ? ` ${takes}` : ''}]`);
  const line = ['quorate', name, ...flags, '[options]', operands?.usage ?? ''].join(' ').trim();
  return [
    fold(`${say({en: 'Usage', ja: '使い方'}, reader)}: ${line}`, maxWidth),
    '',
    fold(detail ? say(detail, reader).trimEnd() : sentence(say(summary, reader)), maxWidth),
    ...(shown.length > 0 ? ['', ...optionLines(shown, reader)] : []),
    ...(examples.length > 0 ? ['', ...examples.map((example) => `  ${example}`)] : []),
    '',
    ...say(alsoText(obeyed(command)), reader)
      .split('\n')
      .map((row) => fold(row)),
    '',
  ].join('\n');
}

const maxWidth = 125;

function sentence(summary: string): string {
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
}

function alsoText(flags: readonly string[]): Texts {
  const list = flags.join(' ');
  return {
    en: `Also: ${list};\nsee quorate --help.`,
    ja: `ほかに: ${list}\n説明は quorate --help にあります。`,
  };
}

/** The global options of a command, as they are written. */
function obeyed({obeys}: Command): readonly string[] {
  return obeyedOptions(obeys).map(({name, short}) =>
    short === undefined ? `--${name}` : `-${short}`,
  );
}

function optionLines(options: readonly Option[], reader: Reader): string[] {
  return columns(
    options.flatMap(({name, short, takes, text}) => {
      const left = `  ${short ? `-${short},` : '   '} --${name}${takes ? ` ${takes}` : ''}`;
      return text ? [[left, say(text, reader)]] : [];
    }),
  );
}

/** Two columns. A text of several lines continues below its beginning. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => widthOfText(left))) + 3;
  return rows.map(
    ([left, right]) => padTo(left, width) + right.replaceAll('\n', `\n${' '.repeat(width)}`),
  );
}
