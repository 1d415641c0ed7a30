/** Refinements shared by several entries of the table, for effects that data can't express. */

import type {Unknown} from '../effect.ts';
import type {Act, Arguments, Program, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';

type Refine = NonNullable<Program['refine']>;

/** Applies the refinements one after the other. */
export function all(...refines: readonly Refine[]): Refine {
  return (reading, call, given) =>
    refines.reduce((result, refine) => refine(result, call, given), reading);
}

/** Replaces each act by the returned acts and unknowns; an unchanged act is returned itself. */
export function eachAct(change: (act: Act) => readonly (Act | Unknown)[]): Refine {
  return (reading) => {
    const items = reading.acts.flatMap(change);
    return {
      ...reading,
      acts: items.filter((item) => 'role' in item),
      unknown: [...reading.unknown, ...items.filter((item) => 'why' in item)],
    };
  };
}

export function withUnknown(reading: Reading, word: string, why: string): Reading {
  return {...reading, unknown: [...reading.unknown, {word, why}]};
}

export function withActs(reading: Reading, ...acts: readonly Act[]): Reading {
  return {...reading, acts: [...reading.acts, ...acts]};
}

export function act(role: Act['role'], word: Word | string): Act {
  return {role, word: typeof word === 'string' ? wordOf(word) : word};
}

/** Sends content that was not looked at, under a name for it. */
export function sendOf(target: Word, content: string): Act {
  const word: Word = {text: `(what ${content} holds)`, known: false, pattern: false, quoted: true};
  return {...act('sends', target), along: [word]};
}

/** Fetches from a target that the program contacts by itself. */
export function ownFetch(target: string): Act {
  return {...act('fetches', target), isOwn: true};
}

export function has({options}: Arguments, names: string): boolean {
  const wanted = names.split(' ');
  return options.some(({name}) => wanted.includes(name));
}

/** Can't be judged, except with one of these options (space-separated). */
export function onlyWith(names: string, why: string): Refine {
  return (reading, call, given) =>
    has(given, names) ? reading : withUnknown(reading, call.name, why);
}

/** The word must be known: it is sent, or it decides which program runs. */
export function knownOperands(why: string): Refine {
  return (reading, _call, {operands}) => {
    const open = operands.find(({known, pattern}) => !known || pattern);
    return open ? withUnknown(reading, open.text, why) : reading;
  };
}

/** The rest of a word, after the index. */
export function after(word: Word, index: number): Word {
  return {...word, text: word.text.slice(index)};
}

/** The first operand, if there is one, must match. */
export function onlyTasks(known: RegExp): Refine {
  return (reading, {name}, {operands}) => {
    const [first] = operands;
    if (first && !(first.known && known.test(first.text)))
      return withUnknown(reading, `${name} ${first.text}`, 'is not a known subcommand');
    return first?.text === 'test' ? {...reading, isTest: true} : reading;
  };
}

/** Files that a test runner gets as operands: a file without a typical test name is ordinary code. */
export function runsFiles(
  reading: Reading,
  words: readonly Word[],
  role: 'code' | 'loads' = 'code',
): Reading {
  return withActs(
    reading,
    ...words.map((word) => {
      const file = {...word, text: word.text.replace(/(?:::.*|:\d+(?::\d+)?)$/s, '')};
      return act(isTestFile(file.text) ? 'lists' : role, file);
    }),
  );
}

function isTestFile(path: string): boolean {
  const isIn = /(?:^|\/)(?:__tests__|tests?|specs?|e2e|unit|integration|t)(?:\/|$)/.test(path);
  return isIn || /(?:^|[/._-])(?:tests?|specs?)[._-][^/]*$|[._-](?:tests?|specs?)$/i.test(path);
}

/** A server that other machines can reach is not understood. */
export function servesHere(names: string): Refine {
  return (reading, {name}, {options}) => {
    const wanted = names.split(' ');
    const open = options.find(
      (one) =>
        wanted.includes(one.name) &&
        !/^(?:localhost|127\.0\.0\.1|\[?::1\]?)$/.test(one.value?.text ?? ''),
    );
    return open
      ? withUnknown(reading, `${name} ${open.name}`, 'serves to other machines')
      : reading;
  };
}
