/** The commands of an interview: words that begin with a slash. */

import {nearest} from '../../machines/domain/nearest.ts';
import {commandOf} from '../../tools/interview/phrases.ts';

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

const plainKinds = ['submit', 'quit', 'help'] as const;

/** The terminal has commands of its own; the interview reads the others. A line that begins with one slash and is not a command is not sent. */
export function readSpoken(line: string): Spoken {
  const text = line.trim();
  if (text === '') return {kind: 'nothing'};
  return text.startsWith('/') && !text.startsWith('//') ? readCommand(text) : {kind: 'say', text};
}

function readCommand(text: string): Spoken {
  const [word = '', ...rest] = text.slice(1).split(/\s+/);
  const name = rest.join(' ');
  if (word === 'review' || (word === 'back' && name !== '')) return {kind: word, name};
  const kind = plainKinds.find((each) => each === word);
  if (kind) return {kind};
  if (commandOf(text) !== undefined) return {kind: 'say', text};
  return {kind: 'unknown', word, near: nearest(word, commandNames)};
}
