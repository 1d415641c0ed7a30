/** The words of the command line, for the completion of shells. */

import {loadAll, loadTask} from '../commands/index.ts';
import {topics} from '../help/topics.ts';
import type {Command} from '../line/command.ts';
import type {Option, Values} from '../line/option.ts';
import {obeyedOptions} from '../line/options.ts';

export interface Word {
  readonly word: string;
  /** One line. */
  readonly text: string;
}

/** The possible values of an option, or operands of a command. */
export type Source =
  | {readonly from: 'words'; readonly words: readonly string[]}
  | {readonly from: 'file' | 'folder' | 'run' | 'anything'};

export interface OptionWord extends Word {
  readonly long: string;
  readonly short?: string;
  /** Absent: it takes no value. */
  readonly value?: Source;
}

export interface CommandWord extends Word {
  readonly options: readonly OptionWord[];
  readonly operand: Source;
}

export interface Vocabulary {
  readonly commands: readonly CommandWord[];
  /** The options of a task, valid without a command. */
  readonly options: readonly OptionWord[];
}

export async function vocabulary(): Promise<Vocabulary> {
  const all = await loadAll();
  const topicWords = [...Object.keys(topics), ...all.map(([name]) => name)];
  const commandWord = (word: string, command: Command): CommandWord => ({
    word,
    text: command.summary.en,
    options: [...(command.options ?? []), ...obeyedOptions(command.obeys), ...everywhere].map(
      (option) => optionWord(option, topicWords),
    ),
    operand: sourceOf(command.operands?.values, topicWords),
  });
  return {
    commands: all.map(([name, command]) => commandWord(name, command)),
    options: [
      ...commandWord('', await loadTask()).options,
      ...atTheBeginning.map((option) => optionWord(option, topicWords)),
    ],
  };
}

const everywhere: readonly Option[] = [
  {name: 'help', short: 'h', text: {en: 'the help', ja: '説明'}},
];
const atTheBeginning: readonly Option[] = [
  {
    name: 'continue',
    text: {en: 'resume the newest open run of this folder', ja: '最新の未完了の実行を続ける'},
  },
  {name: 'version', short: 'V', text: {en: 'the version', ja: '版'}},
];

function optionWord(
  {name, short, takes, values, text}: Option,
  topicWords: readonly string[],
): OptionWord {
  return {
    word: `--${name}`,
    long: name,
    ...(short === undefined ? {} : {short}),
    text: text.en.split('\n')[0] ?? '',
    ...(takes === undefined ? {} : {value: sourceOf(values, topicWords)}),
  };
}

function sourceOf(values: Values | undefined, topicWords: readonly string[]): Source {
  if (values === undefined) return {from: 'anything'};
  if (values === 'topic') return {from: 'words', words: topicWords};
  return typeof values === 'string' ? {from: values} : {from: 'words', words: values};
}
