/** Files whose text a shell runs: `sh a.sh`, `. a.sh`, `./a.sh`. */

import {createHash} from 'node:crypto';

import type {Place} from '../effect.ts';
import {bylineOf, deeper, frameOf, type Call, type Scope, type Shell} from '../walk/shell.ts';
import type {Word} from '../word.ts';
import {
  distinct,
  known,
  sharedInput,
  unknownValue,
  valueOf,
  withStatus,
  type Value,
  type World,
} from '../words/world.ts';

const maxShown = 20_000;

interface Looked {
  readonly place: Place;
  readonly text: string;
}

/** The file that is to be run. When it is unknown what will run, that is recorded as missed. */
async function lookAtScript(
  shell: Shell,
  word: Word,
  folder: string | undefined,
  by: string,
): Promise<Looked | undefined> {
  const miss = (why: string): undefined => {
    shell.ledger.miss({word: word.text, why});
  };
  if (!word.known || word.pattern) return miss('a computed file to run');
  if (folder === undefined && !word.text.startsWith('/'))
    return miss('the folder it lies in is not known');
  const place = await shell.places.look(word.text, folder);
  if (shell.places.makings.touches(place)) return miss('this command changes it before it runs');
  if (place.state === 'absent') return miss('does not exist, so its content is unknown');
  shell.ledger.add({kind: 'reads', target: place.path, place, by});
  if (!place.inside) return miss('a file outside the workspace');
  const text = await shell.places.readFileText(place);
  return text === undefined ? miss('a file that can not be read') : {place, text};
}

/** `text` is the whole file, `shown` the part of it that runs. */
export function noteFollowed({ledger}: Shell, name: string, text: string, shown = text): void {
  const hash = createHash('sha256').update(text).digest('hex');
  ledger.follow({name, hash, text: shown.slice(0, maxShown)});
}

/** The file is already being followed: it runs itself. */
export function isAround(shell: Shell, name: string, {following}: Scope): boolean {
  if (!following.includes(name)) return false;
  shell.ledger.miss({word: name, why: 'runs itself'});
  return true;
}

/** Runs the script in a shell of its own. */
export async function followScript(
  shell: Shell,
  {word, rest = []}: {readonly word: Word; readonly rest?: readonly Word[] | undefined},
  call: Call,
  world: World,
  scope: Scope,
): Promise<void> {
  const looked = await lookAtScript(shell, word, world.folder, bylineOf(call));
  if (!looked || isAround(shell, looked.place.path, scope)) return;
  const {place, text} = looked;
  noteFollowed(shell, place.path, text);
  const inner = {...deeper(scope, place.path), frames: []};
  await shell.runText(
    text,
    place.path,
    {...childWorld(world, call), self: known(word.text), operands: operandsOf(rest)},
    inner,
  );
}

function operandsOf(words: readonly Word[]): readonly Value[] | undefined {
  return words.every(({known: isKnown, quoted, pattern}) => (isKnown || quoted) && !pattern)
    ? words.map(valueOf)
    : undefined;
}

/** The start of a child shell: variables set for it, and the exported ones of this shell. */
export function childWorld(world: World, {env, input}: Call): World {
  const {folder, variables} = world;
  const handedOn = [...variables].map(([name, value]): [string, Value] => [
    name,
    name === 'HOME' ? value : unknownValue(`$${name}`),
  ]);
  const set = Object.entries(env).map(([name, word]): [string, Value] => [name, valueOf(word)]);
  return {
    folder,
    variables: new Map([...handedOn, ...set].filter(([name]) => name !== 'IFS')),
    functions: new Map(),
    operands: [],
    self: known('sh'),
    input: sharedInput(input, world),
    status: 'any',
  };
}

/** `. a.sh`: runs in the shell that reads it. */
export async function followSource(
  shell: Shell,
  call: Call,
  world: World,
  scope: Scope,
): Promise<readonly World[]> {
  const [word, ...args] = call.args;
  if (!word?.text.includes('/')) {
    shell.ledger.miss({word: bylineOf(call), why: 'a file that is looked for in several places'});
    return [world];
  }
  const looked = await lookAtScript(shell, word, world.folder, bylineOf(call));
  if (!looked || isAround(shell, looked.place.path, scope)) return [world];
  const {place, text} = looked;
  if (isEnvironment(shell, place)) {
    shell.ledger.add({kind: 'runs', target: place.path, place, by: bylineOf(call)});
    return [withStatus(world, 'any')];
  }
  noteFollowed(shell, place.path, text);
  const frame = frameOf('function');
  const inner = deeper({...scope, frames: [...scope.frames, frame]}, place.path);
  const start = args.length > 0 ? withoutOperands(world) : world;
  const after = await shell.runText(text, place.path, start, inner);
  const left = [...after, ...frame.leaps];
  return distinct(args.length > 0 ? left.map(withoutOperands) : left);
}

/** Shells differ in whether the operands of a sourced file stay set afterwards. */
function withoutOperands(world: World): World {
  return {...world, operands: undefined};
}

/** `. .venv/bin/activate` of an environment that git ignores and in which this run has written nothing. */
function isEnvironment(shell: Shell, {path, state}: Place): boolean {
  const folder = /^(.*)\/bin\/activate$/s.exec(path)?.[1];
  return folder !== undefined && state === 'ignored' && !shell.places.isWritten(folder);
}
