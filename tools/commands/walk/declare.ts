/** `export A=1`, `local x`, `readonly y=2`: shells differ in whether they split the words. */

import type {RawWord, Simple} from '../grammar/grammar.ts';
import type {Word} from '../word.ts';
import {expandText, expandWord} from '../words/expand.ts';
import {unknownValue, valueOf, withStatus, withVariable, type World} from '../words/world.ts';
import {note} from './note.ts';
import type {Call, Scope, Shell} from './shell.ts';
import {assignmentProblem} from './variables.ts';

export const declarers: ReadonlySet<string> = new Set(['export', 'local', 'readonly']);

export async function declare(
  shell: Shell,
  {words}: Simple,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  let after = world;
  if (words.length === 1) reveal(shell, call.name.text);
  const args: Word[] = [];
  for (const word of words.slice(1)) {
    // oxlint-disable-next-line no-await-in-loop -- each may use variables that the previous one has set
    const one = await declareOne(shell, call.name.text, word, after, scope);
    args.push(one.is);
    after = one.world;
  }
  note(shell, {...call, args}, world, scope);
  return [withStatus(after, 'any')];
}

const declaration = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/;

function noName(shell: Shell, declarer: string, {written}: RawWord, word: Word): void {
  if (word.known && word.text === '-p') reveal(shell, declarer);
  else shell.ledger.miss({word: written, why: 'sets an unknown variable'});
}

/** Without a name it prints all variables. */
function reveal(shell: Shell, by: string): void {
  shell.ledger.add({kind: 'reveals', target: 'variables of the environment', by});
}

interface Declared {
  readonly is: Word;
  readonly world: World;
}

async function declareOne(
  shell: Shell,
  declarer: string,
  raw: RawWord,
  world: World,
  scope: Scope,
): Promise<Declared> {
  const {is: word, world: after} = await expandText(raw, world, shell.expander(scope));
  const [name, text] = nameIn(raw, word);
  if (name === undefined) {
    noName(shell, declarer, raw, word);
    return {is: word, world: after};
  }
  if (declarer === 'local') for (const frame of scope.frames) frame.locals.add(name);
  if (text === undefined) return {is: word, world: exported(shell, declarer, name, after)};
  const {is: fields} = await expandWord(raw, world, shell.expander(scope));
  const isAlike = isSame(fields, word);
  if (!isAlike) {
    shell.ledger.miss({word: raw.written, why: 'may fall apart into several assignments'});
  }
  const isPlain = isAlike && !/^~|:~/.test(text);
  const value = isPlain ? {...word, text} : {...word, text: raw.written, known: false};
  const problem = assignmentProblem(name, value);
  if (problem) shell.ledger.miss(problem);
  return {is: word, world: withVariable(after, name, valueOf(value))};
}

/** The name in the text, and the value assigned to it. */
function nameIn({parts: [first]}: RawWord, word: Word): readonly (string | undefined)[] {
  const isNamed = first?.kind === 'text' && declaration.test(first.text);
  return isNamed ? (declaration.exec(word.text) ?? []).slice(1) : [];
}

function isSame([field, ...more]: readonly Word[], word: Word): boolean {
  return more.length === 0 && field?.quoted === true && field.text === word.text;
}

/** Without a value: a variable that is already set is exported. */
function exported(shell: Shell, declarer: string, name: string, world: World): World {
  if (declarer === 'local') return withVariable(world, name, unknownValue(`$${name}`));
  const value = world.variables.get(name);
  const word = value && {...value, quoted: true};
  const problem = word && name !== 'HOME' ? assignmentProblem(name, word) : undefined;
  if (problem) shell.ledger.miss(problem);
  return world;
}
