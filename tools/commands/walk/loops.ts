/** Loops: over known words one by one; otherwise until an iteration adds nothing new. */

import type {Node, Script} from '../grammar/grammar.ts';
import type {Word} from '../word.ts';
import {expandWords} from '../words/expand.ts';
import {
  distinct,
  keyOf,
  merged,
  unknownValue,
  valueOf,
  withStatus,
  withVariable,
  type Value,
  type World,
} from '../words/world.ts';
import {frameOf, type Scope, type Shell} from './shell.ts';
import {guarded, isGuarded} from './variables.ts';

const maxUnrolled = 40;
const maxRounds = 3;

export async function followLoop(
  shell: Shell,
  {name, words, body}: Extract<Node, {readonly kind: 'for'}>,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const {is: over, world: start} = words
    ? await expandWords(words, world, shell.expander(scope))
    : {is: operandsOf(world), world};
  if (isGuarded(name)) shell.ledger.miss(guarded(name));
  const isPlain = over.length <= maxUnrolled && over.every((word) => word.known && !word.pattern);
  if (isPlain) return unroll(shell, name, over, body, start, scope);
  const values = await Promise.all(over.map(async (word) => valueOver(shell, name, word, start)));
  const set = (worlds: readonly World[]) =>
    worlds.flatMap((each) => values.map((value) => withVariable(each, name, value)));
  return untilSettled([start], scope, async (worlds, inner) => shell.run(body, set(worlds), inner));
}

function operandsOf({operands}: World): readonly Word[] {
  const all = operands?.map(({text, known, pattern}) => ({text, known, pattern, quoted: true}));
  return all ?? [{text: '$@', known: false, pattern: false, quoted: false}];
}

/** A pattern stays a pattern if all its matches are plain names, which can't be split. */
async function valueOver(shell: Shell, name: string, word: Word, world: World): Promise<Value> {
  if (word.known && !word.pattern) return valueOf(word);
  const isPlain = word.known && (await shell.places.isPlainPattern(word.text, world.folder));
  return isPlain ? valueOf(word) : unknownValue(`$${name}`);
}

async function unroll(
  shell: Shell,
  name: string,
  over: readonly Word[],
  body: Script,
  start: World,
  scope: Scope,
): Promise<readonly World[]> {
  const frame = frameOf('loop');
  const inner = {...scope, frames: [...scope.frames, frame]};
  let worlds: readonly World[] = [start];
  for (const word of over) {
    const set = worlds.map((world) => withVariable(world, name, valueOf(word)));
    // oxlint-disable-next-line no-await-in-loop -- each round may use variables that the previous one has set
    worlds = distinct([...(await shell.run(body, set, inner)), ...frame.leaps]);
  }
  return distinct(worlds.map((world) => withStatus(world, 'any')));
}

export async function followWhile(
  shell: Shell,
  {test, body, isUntil}: Extract<Node, {readonly kind: 'while'}>,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const ends = isUntil ? 'success' : 'failure';
  const goes = isUntil ? 'failure' : 'success';
  return untilSettled([world], scope, async (worlds, inner) => {
    const tested = await shell.run(test, worlds, inner);
    const taken = tested.filter(({status}) => status !== ends);
    const after = await shell.run(body, taken, inner);
    return [...after, ...tested.filter(({status}) => status !== goes)];
  });
}

function neutral(worlds: readonly World[]): readonly World[] {
  return worlds.map((world) => withStatus(world, 'any'));
}

/** All worlds after any number of rounds. After a few rounds they are merged into one. */
async function untilSettled(
  start: readonly World[],
  scope: Scope,
  round: (worlds: readonly World[], scope: Scope) => Promise<readonly World[]>,
): Promise<readonly World[]> {
  const frame = frameOf('loop');
  const inner = {...scope, frames: [...scope.frames, frame]};
  let all = distinct(neutral(start));
  for (let rounds = 1; ; rounds += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each round begins in the worlds after the previous one
    const after = neutral([...(await round(all, inner)), ...frame.leaps]);
    const next = distinct([...all, ...after]);
    if (next.map(keyOf).join('\n') === all.map(keyOf).join('\n')) return all;
    const whole = merged(next);
    if (all[0] && all.length === 1 && keyOf(whole) === keyOf(all[0])) return all;
    all = rounds < maxRounds ? next : [whole];
  }
}
