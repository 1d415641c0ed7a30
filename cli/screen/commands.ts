/**
 * The commands of the screen: they change tabs and panes, never an interaction. A colon and a slash begin the same commands; all
 * others are those of the conversation.
 */

import {
  parseInteractionForm,
  type SpawnableForm,
  isSpawnable,
  spawnableForms,
} from '../../machines/domain/interaction-form.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {type Message, t} from '../../machines/message.ts';
import {meant} from '../line/usage-error.ts';
import {bare, type CommandSpec, isPlace, misread, type Reading} from '../talk/command.ts';
import {commandTable, type LineReading, noCommand, parseLine} from '../talk/parse.ts';
import {complete, type Completing} from '../talk/screen/prompt.ts';
import type {Completion} from '../terminal/line-editor.ts';
import {type Direction, type PaneView, paneViews} from './layout.ts';

export type ScreenCommand =
  | {
      readonly kind: 'open-tab';
      readonly form: SpawnableForm;
      /** Of an interview: its form. */
      readonly file?: string;
      /** False: its interaction begins below the focused one while that runs. */
      readonly isIndependent: boolean;
    }
  | {readonly kind: 'close-tab'}
  | {readonly kind: 'list-tabs'}
  | {
      readonly kind: 'split';
      readonly direction: Direction;
      /** Absent: as in the focused pane. */
      readonly view?: PaneView;
      /** See {@link isPlace}. */
      readonly place?: string;
    }
  | {readonly kind: 'only'}
  /** Closes the pane, else the tab, else the screen. */
  | {readonly kind: 'close'};

interface ScreenSpec extends CommandSpec<ScreenCommand> {
  /** The words that can follow it. */
  readonly words?: (there: Completing) => readonly string[];
}

const forms = spawnableForms.map((form) => (form === 'interview' ? 'interview FORM' : form));

const detail: Message = t`The tab is empty: your next line begins its interaction, below the focused one while that runs. With an exclamation
mark (:tabnew!) it is independent.`;

function opening(name: string, summary: Message, isIndependent: boolean): ScreenSpec {
  return {
    takes: forms.join('|'),
    summary,
    detail,
    words: () => spawnableForms,
    read: (rest) => readOpening(name, rest, isIndependent),
  };
}

function readOpening(name: string, rest: string, isIndependent: boolean): Reading<ScreenCommand> {
  const [, word = '', more = ''] = /^(\S*)\s*(.*)$/s.exec(rest) ?? [];
  const form = parseInteractionForm(word) ?? '';
  const known = spawnableForms.join(', ');
  if (word === '') return misread(t`/${name} needs a form of interaction after it: ${known}`);
  if (!isSpawnable(form)) {
    return misread(t`/${name} takes ${known}, not "${word}"${meant(word, spawnableForms)}`);
  }
  const command = {kind: 'open-tab', form, isIndependent} as const;
  if (form !== 'interview') {
    return more === ''
      ? {ok: true, command}
      : misread(t`/${`${name} ${form}`} takes nothing after it`);
  }
  if (more === '') return misread(t`/${`${name} ${form}`} needs a ${t`form{:operand}`} after it`);
  return {ok: true, command: {...command, file: more}};
}

function splitting(name: string, summary: Message, direction: Direction): ScreenSpec {
  return {
    takes: '[VIEW|N]',
    summary,
    detail: t`VIEW is one of ${paneViews.join(', ')}; N is the number of another interaction, such as 3.1.`,
    words: ({places}) => [...paneViews, ...places()],
    read: (rest) => {
      const command = {kind: 'split', direction} as const;
      const view = paneViews.find((each) => each === rest);
      if (rest === '') return {ok: true, command};
      if (view) return {ok: true, command: {...command, view}};
      if (isPlace(rest)) return {ok: true, command: {...command, place: rest}};
      const [known, near] = [paneViews.join(', '), meant(rest, paneViews)];
      return misread(t`/${name} takes ${known} or a number such as 3.1, not "${rest}"${near}`);
    },
  };
}

/** In the order of the help. */
export const screenTable: Readonly<Record<string, ScreenSpec>> = {
  tabnew: opening('tabnew', t`open a tab for another interaction`, false),
  'tabnew!': opening('tabnew!', t`open a tab for an independent interaction`, true),
  tabclose: bare('tabclose', t`close the tab; what runs in it continues`, {kind: 'close-tab'}),
  tabs: bare('tabs', t`all tabs with their states`, {kind: 'list-tabs'}),
  split: splitting('split', t`show a view or another interaction below`, 'rows'),
  vsplit: splitting('vsplit', t`show a view or another interaction side by side`, 'columns'),
  only: bare('only', t`close all other panes of the tab`, {kind: 'only'}),
  q: bare('q', t`close the pane; the last one closes the tab, and the last tab leaves`, {
    kind: 'close',
  }),
};

const screenNames = Object.keys(screenTable);

export type ScreenReading = {readonly ok: true; readonly screen: ScreenCommand} | LineReading;

/** Reads a line of insert mode: a command after a slash or a colon, else words. `isAnswer`: see {@link parseLine}. */
export function readLine(line: string, isAnswer = false): ScreenReading {
  const [, name = '', rest = ''] = /^[/:]([a-z-]+!?)(?=\s|$)(.*)$/is.exec(line.trim()) ?? [];
  return name === '' ? parseLine(line, isAnswer) : readNamed(name, rest.trim());
}

/** Reads a line of command mode, without its colon. Nothing in it is a task. */
export function readCommand(text: string): ScreenReading {
  const [, name = '', rest = ''] = /^(\S*)(.*)$/s.exec(text.trim()) ?? [];
  if (name === '') return {ok: true, commands: []};
  return readNamed(name, rest.trim());
}

function readNamed(typed: string, rest: string): ScreenReading {
  const name = typed.toLowerCase();
  const own = screenNames.includes(name) ? screenTable[name]?.read(rest) : undefined;
  if (own) return own.ok ? {ok: true, screen: own.command} : own;
  const names = [...Object.keys(commandTable), ...screenNames];
  const near = name.length > 1 ? nearest(name, names) : undefined;
  const isOfTalk = /^[a-z-]+$/.test(name) && !screenNames.includes(near ?? '');
  return isOfTalk ? parseLine(`/${typed} ${rest}`) : misread(noCommand(typed, near));
}

/** The candidates for the last word of a line of command mode, and the word. */
export function completeScreenCommand(text: string, there: Completing): Completion {
  const [, name = '', part = ''] = /^(?:(\S+)\s+)?(\S*)$/.exec(text) ?? [];
  const [others, last] = complete(`/${text}`, there);
  if (name !== '') {
    const own = screenTable[name]?.words?.(there) ?? [];
    return own.length === 0
      ? [others, last]
      : [own.filter((word) => word.startsWith(part)).map((word) => `${word} `), part];
  }
  const words = screenNames.filter((word) => word.startsWith(part));
  const all = [...words.map((word) => `${word} `), ...others.map((word) => word.slice(1))];
  return [[...new Set(all)], part];
}
