/** The commands of an interview: words that begin with a slash. */

import {nearest} from '../../machines/domain/nearest.ts';

export type Spoken =
  | {readonly kind: 'say'; readonly text: string}
  /** `name`: a field, as the person names it. */
  | {readonly kind: 'back' | 'review'; readonly name: string}
  | {readonly kind: 'submit'}
  | {readonly kind: 'quit'}
  | {readonly kind: 'help'}
  | {readonly kind: 'nothing'}
  | {readonly kind: 'unknown'; readonly word: string; readonly near: string | undefined};

export const commandNames = [
  'skip',
  'why',
  'back',
  'review',
  'submit',
  'pause',
  'restart',
  'quit',
  'help',
] as const;

export type CommandName = (typeof commandNames)[number];

/** Commands sent as words that an interview understands in every language. */
const sayings: ReadonlyMap<string, string> = new Map([
  ['skip', 'skip'],
  ['why', 'why?'],
  ['pause', 'pause'],
  ['restart', 'start over'],
]);

const plainKinds = ['submit', 'quit', 'help'] as const;

/** A line that begins with two slashes is sent with one. A line that begins with one and is not a command is not sent. */
export function readSpoken(line: string): Spoken {
  const text = line.trim();
  if (text === '') return {kind: 'nothing'};
  if (!text.startsWith('/')) return {kind: 'say', text};
  return text.startsWith('//') ? {kind: 'say', text: text.slice(1)} : readCommand(text);
}

function readCommand(text: string): Spoken {
  const [word = '', ...rest] = text.slice(1).split(/\s+/);
  const saying = sayings.get(word);
  if (saying !== undefined) return {kind: 'say', text: saying};
  if (word === 'back' || word === 'review') return {kind: word, name: rest.join(' ')};
  const kind = plainKinds.find((each) => each === word);
  if (kind) return {kind};
  return {kind: 'unknown', word, near: nearest(word, commandNames)};
}
