/** What several entries of the table say of their words where their data can't. */

import type {Unknown} from '../effect.ts';
import type {Act, Arguments, Program, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';

type Refine = NonNullable<Program['refine']>;

/** One after the other. */
export function all(...refines: readonly Refine[]): Refine {
  return (reading, call, given) =>
    refines.reduce((result, refine) => refine(result, call, given), reading);
}

/** Each act becomes those acts and unknowns; the acts that it leaves as they are it returns. */
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

/** Sends what nobody has looked at, under a name for it. */
export function sendOf(target: Word, content: string): Act {
  const word: Word = {text: `(what ${content} holds)`, known: false, pattern: false, quoted: true};
  return {...act('sends', target), along: [word]};
}

/** To where a program goes of itself. */
export function ownFetch(target: string): Act {
  return {...act('fetches', target), isOwn: true};
}

export function has({options}: Arguments, names: string): boolean {
  const wanted = names.split(' ');
  return options.some(({name}) => wanted.includes(name));
}

/** Can't be judged, but with one of these options (space-separated). */
export function onlyWith(names: string, why: string): Refine {
  return (reading, call, given) =>
    has(given, names) ? reading : withUnknown(reading, call.name, why);
}

/** A word that has to be known: what it says is sent, or decides what the program is. */
export function knownOperands(why: string): Refine {
  return (reading, _call, {operands}) => {
    const open = operands.find(({known, pattern}) => !known || pattern);
    return open ? withUnknown(reading, open.text, why) : reading;
  };
}

/** The rest of a word. */
export function after(word: Word, index: number): Word {
  return {...word, text: word.text.slice(index)};
}

/** Its first operand, if there is one, is one of these. */
export function onlyTasks(known: RegExp): Refine {
  return (reading, {name}, {operands}) => {
    const [first] = operands;
    if (first && !(first.known && known.test(first.text)))
      return withUnknown(reading, `${name} ${first.text}`, 'is no subcommand that is known');
    return first?.text === 'test' ? {...reading, isTest: true} : reading;
  };
}

/** Files that a runner of tests is told to run: what is not called as tests are is code like any other. */
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

/** A server that others than this machine may reach is not understood. */
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
