/** Common parts of JavaScript's package managers: scripts of package.json, and programs of packages. */

import type {Act, Arguments, Invocation, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {has, withActs, withUnknown} from './refine.ts';

/** A package that is a folder or an archive on this machine: its own scripts run. */
export function fromHere(reading: Reading): Reading {
  const here = reading.acts.filter(
    ({role, word}) =>
      role === 'installs' && /^(?:\.|~|\/|file:|link:)|\.t(?:ar\.)?gz$/.test(word.text),
  );
  return withActs(reading, ...here.map(({word}) => ({role: 'code' as const, word})));
}

/** In each package of the workspace. */
export const everyPackage: Word = {text: '**', known: true, pattern: true, quoted: true};

export function scripts(names: string): readonly Act[] {
  return names.split(' ').map((name) => scriptOf(wordOf(name)));
}

export function scriptOf(word: Word, rest: readonly Word[] = []): Act {
  return {role: 'package-script', word, rest};
}

/** If the words of a script only ask for help or the version, the script has no other effects. */
export function unlessAsked(reading: Reading, words: readonly Word[]): Reading {
  const isAsked = words.some(({text}) =>
    /^-(?:h|v|-help|-version|-?list\w*|-collect-only)$/i.test(text),
  );
  if (!isAsked || !reading.isTest) return reading;
  const {acts, unknown} = reading;
  return {acts, unknown};
}

/** In the folder that the manager's option names. */
export function inFolder(acts: readonly Act[], {options}: Arguments): readonly Act[] {
  const folder = options.find(({name}) => /^(?:-C|--prefix|--dir|--cwd)$/.test(name))?.value;
  return folder ? acts.map((one) => ({...one, from: folder})) : acts;
}

/** The scripts of several packages: the selection depends on names in manifests, so all packages count. */
export function everywhere(reading: Reading, _call: Invocation, given: Arguments): Reading {
  if (!has(given, '-w --workspace --workspaces -r --recursive -F --filter')) return reading;
  return {
    ...reading,
    acts: reading.acts.map((one) =>
      one.role === 'package-script' ? {...one, from: everyPackage} : one,
    ),
  };
}

/** `npx NAME ARGS`: an installed program. With a version or an address after its name it would be fetched. */
export function ofPackage(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const [word, ...rest] = given.operands;
  const acts = reading.acts.filter(({role}) => role !== 'command' && role !== 'text');
  const result = {...reading, acts};
  if (!word) return result;
  const name = programsOfPackages[word.text] ?? word.text;
  if (!word.known || !/^[\w.-]+$/.test(name))
    return withUnknown(result, word.text, 'would be fetched and run');
  return withActs(
    result,
    ...inFolder([{role: 'package-command', word: wordOf(name), rest}], given),
  );
}

/** Programs whose names differ from their packages' names. */
const programsOfPackages: Readonly<Record<string, string>> = {
  '@angular/cli': 'ng',
  '@biomejs/biome': 'biome',
  '@changesets/cli': 'changeset',
  '@playwright/test': 'playwright',
};
