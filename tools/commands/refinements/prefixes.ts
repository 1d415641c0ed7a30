/** Programs that run another program, given by the following words. */

import type {Act, Arguments, Invocation, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {isSure, joinedWords, valueOf} from './given.ts';
import {act, after, has, withUnknown} from './refine.ts';

const about = '--help --version';

/** `env CI=1 npm test` */
function readEnv(reading: Reading, given: Arguments): Reading {
  const {operands} = given;
  const at = operands.findIndex(({text}) => !/^\w+=/.test(text));
  const command = operands[at];
  const folder = valueOf(given, '-C --chdir');
  if (reading.unknown.length > 0 || has(given, about)) return reading;
  if (!command) return {...reading, acts: [act('reveals', 'all variables')]};
  const set = operands.slice(0, at).map((word): readonly [string, Word] => {
    const equals = word.text.indexOf('=');
    return [word.text.slice(0, equals), after(word, equals + 1)];
  });
  const run: Act = {
    role: 'command',
    word: command,
    rest: operands.slice(at + 1),
    ...(set.length > 0 ? {env: Object.fromEntries(set)} : {}),
    ...(folder ? {from: folder} : {}),
  };
  return {...reading, acts: [run]};
}

/** `flock FILE CMD …`, `flock FILE -c TEXT`, `flock 9`. */
function readLock(reading: Reading, {operands: [lock, command, ...rest]}: Arguments): Reading {
  if (reading.unknown.length > 0 || !lock) return reading;
  const isNumber = lock.known && /^\d+$/.test(lock.text);
  const place = isNumber ? [] : [act('creates', lock)];
  if (!command) return {...reading, acts: place};
  const isText = command.known && (command.text === '-c' || command.text === '--command');
  const run: Act = isText
    ? act('shell', joinedWords(rest))
    : {role: 'command', word: command, rest};
  return {...reading, acts: [...place, run]};
}

/** The words that xargs appends, or substitutes for a word. */
function itemsOf(input: Invocation['input']): Word {
  return typeof input !== 'string' && input.pattern
    ? input
    : {text: '(what xargs reads)', known: false, pattern: false, quoted: false};
}

function readXargs(reading: Reading, {input}: Invocation, given: Arguments): Reading {
  const [command = wordOf('echo'), ...rest] = given.operands;
  const place = valueOf(given, '-I');
  if (reading.unknown.length > 0 || has(given, about)) return reading;
  if (!isSure(command) || (place && !isPlace(place, command)))
    return withUnknown(reading, command.text, 'is computed');
  const items = itemsOf(has(given, '-a --arg-file') ? 'pipe' : input);
  const one: Word = {...items, quoted: true};
  const words = place ? rest.map((word) => filled(word, place.text, one)) : [...rest, items];
  const lists = reading.acts.filter(({role}) => role === 'reads');
  return {...reading, acts: [...lists, {role: 'command', word: command, rest: words}]};
}

/** The placeholder of an item must be known, and not part of the program's name. */
function isPlace(place: Word, command: Word): boolean {
  return isSure(place) && place.text !== '' && !command.text.includes(place.text);
}

function filled(word: Word, place: string, item: Word): Word {
  if (word.text === place) return item;
  return word.text.includes(place) ? {...word, known: false} : word;
}

export const prefixes: Refinements = {
  readEnv: (reading, _, given) => readEnv(reading, given),
  timeOutput: (reading, _, given) => {
    const output = valueOf(given, '-o');
    if (!output) return reading;
    const isProgram = !isSure(output) || /^[|!]/.test(output.text);
    return isProgram
      ? withUnknown(reading, output.text, 'may be a program that gets the output')
      : {...reading, acts: [...reading.acts, act('writes', output)]};
  },
  watchesCommand: (reading, _, given) =>
    has(given, '-x --exec')
      ? reading
      : {...reading, acts: [act('shell', joinedWords(given.operands))]},
  readLock: (reading, _, given) => readLock(reading, given),
  recordsTerminal: (reading, _, given) => {
    const run = has(given, '-c --command')
      ? reading
      : withUnknown(reading, 'script', 'opens a shell');
    return given.operands.length > 0
      ? run
      : {...run, acts: [...run.acts, act('writes', 'typescript')]};
  },
  readXargs,
};
