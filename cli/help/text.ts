/** Builds the text of `quorate help` from the commands and the options. */

import {type Message, t} from '../../machines/message.ts';
import {loadAll} from '../commands/index.ts';
import {type Reader, say} from '../language.ts';
import type {Command} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import {earlyOptions, globalOptions, obeyedOptions} from '../line/options.ts';
import {padTo, widthOfText} from '../render/text.ts';
import {type Terminal, widthOf, write} from '../terminal.ts';
import {fold} from './fold.ts';
import {topics} from './topics.ts';

/** The names of all help topics. */
export async function helpTopics(): Promise<readonly string[]> {
  const all = await loadAll();
  return ['all', ...new Set([...Object.keys(topics), ...all.map(([name]) => name)])];
}

/** Writes the text for a topic or a command, the overview without a topic, in lines that fit. */
export async function writeHelp(
  {stdout: output, language}: Pick<Terminal, 'stdout' | 'language'>,
  topic?: string,
): Promise<void> {
  const text = await helpText(topic, {language});
  await write(output, output.isTTY === true ? fold(text, widthOf(output)) : text);
}

/** The text for `all`, a topic, a command, or both if they share the name; the overview for none. */
export async function helpText(topic?: string, reader: Reader = {}): Promise<string> {
  const all = await loadAll();
  if (topic === 'all') return allText(all, reader);
  const named = all.find(([name]) => name === topic);
  const topicText = topic !== undefined && Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  const parts = [
    ...(topicText ? [say(topicText, reader)] : []),
    ...(named ? [commandText(...named, reader)] : []),
  ];
  return parts.length === 0 ? say(overview, reader) : parts.join('\n');
}

/** At most 24 lines of 80 columns: it fits on every terminal. */
const overview: Message = t`Quorate: models plan and act, a panel votes on what is risky, you decide.

  quorate                      start a conversation
  quorate "TASK"               plan it, vote on it, do it
  quorate ask "QUESTION"       answer from files or a database; only reads
  quorate discuss "QUESTION"   several models answer, rank each other, conclude
  quorate review < DIFF        vote on a change: exit 0 approved, 1 rejected
  quorate interview FORM       fill a form by conversation
  quorate serve, quorate mcp   forms and runs for browsers, programs and agents

  quorate runs                 what ran in this folder
  quorate show, inspect        a run's votes and diffs, here or in a browser
  quorate resume, fork, undo   continue, continue otherwise, take files back

  quorate demo, doctor         ten seconds without a key; what is missing here
  quorate models, config       what can be reached; every setting and its source

  -m MODEL                     for every role; -m review=A,B seats two reviewers
  -C DIR, -q, -v               work in this folder; less progress, more progress
  --plan-only                  stop after the vote on the plan
  --hil MODE                   who decides if the panel can't: quorate help gate
  --output json, --max-cost USD, --timeout TIME, --continue

More: quorate help all · quorate help COMMAND · quorate help exit-codes
`;

const heading: Message = t`Usage: quorate [options] TASK…
       quorate COMMAND [options]
`;

const footing: Message = t`A task that begins with the name of a command goes after two dashes: quorate -- show me the tests
Exit codes: 0 done · 1 failed, rejected or cancelled · 2 could not run · 3 limit reached · 4 waiting · 130 interrupted
`;

const commandsTitle: Message = t`Commands:`;

const optionsTitle: Message = t`Options (before or after a command; a command refuses options that it does not use):`;

function allText(all: readonly (readonly [string, Command])[], reader: Reader): string {
  const list = Object.keys(topics).join(', ');
  const names = t`topics: all, ${list}, and each command`;
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
    ...optionLines([...globalOptions, ...earlyOptions], reader),
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
    fold(`${say(t`Usage`, reader)}: ${line}`, maxWidth),
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

function alsoText(flags: readonly string[]): Message {
  const list = flags.join(' ');
  return t`Also: ${list};
see quorate help all.`;
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
