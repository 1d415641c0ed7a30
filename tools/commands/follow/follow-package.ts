/** Scripts of a package.json, and the programs that its packages provide. */

import {posix} from 'node:path';

import {z} from 'zod';

import {missChanged} from '../acts/miss-changed.ts';
import type {Place} from '../effect.ts';
import type {Act} from '../program.ts';
import {bylineOf, deeper, enclosed, type Call, type Scope, type Shell} from '../walk/shell.ts';
import {wordOf, type Word} from '../word.ts';
import type {World} from '../words/world.ts';
import {childWorld, isAround, noteFollowed} from './follow-file.ts';

/** In the package to which the folder belongs; for a pattern instead of a folder, in each package below it. */
export async function followPackageScript(
  shell: Shell,
  act: Act,
  call: Call,
  world: World,
  scope: Scope,
): Promise<void> {
  if (!act.from?.pattern) return followIn(shell, act, call, world, scope);
  const {workspace, matches} = shell.places;
  const found = await matches(`${act.from.text}/package.json`, workspace, {isKept: true});
  if (found === undefined || found === 'many') {
    return shell.ledger.miss({
      word: act.word.text,
      why: 'a script of more packages than are looked at',
    });
  }
  for (const path of found) {
    const folder = posix.dirname(posix.resolve(workspace, path));
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await followIn(shell, act, call, {...world, folder}, scope);
  }
}

async function followIn(
  shell: Shell,
  {word, rest = []}: Act,
  call: Call,
  world: World,
  scope: Scope,
): Promise<void> {
  const manifest = await manifestOf(shell, call, world);
  if (!manifest || !word.known || word.pattern) {
    return shell.ledger.miss({word: word.text, why: 'a package script that can not be found'});
  }
  const {scripts, folder} = manifest;
  if (!scripts.has(word.text)) {
    const installed = await installedAt(shell, word.text, folder);
    const command = {role: 'package-command' as const, word, rest};
    if (installed) await followPackageCommand(shell, command, call, {...world, folder}, scope);
    return;
  }
  for (const name of [`pre${word.text}`, word.text, `post${word.text}`]) {
    const words = name === word.text ? rest : [];
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await followOne(shell, manifest, {name, words}, {...childWorld(world, call), folder}, scope);
  }
}

interface OneScript {
  readonly name: string;
  /** Words appended to its line. */
  readonly words: readonly Word[];
}

async function followOne(
  shell: Shell,
  {scripts, place, text}: Manifest,
  {name, words}: OneScript,
  start: World,
  scope: Scope,
): Promise<void> {
  const line = scripts.get(name);
  const id = `${place.path}: ${name}`;
  if (line === undefined || isAround(shell, id, scope)) return;
  if (words.some(({known: isKnown, pattern}) => !isKnown || pattern)) {
    shell.ledger.miss({word: id, why: 'gets words that are not known'});
  }
  missChanged(shell, id);
  noteFollowed(shell, id, text, line);
  const whole = [line, ...words.map(quotedWord)].join(' ');
  await shell.runText(whole, id, start, {...deeper(scope, id), frames: []});
}

function quotedWord({text}: Word): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

interface Manifest {
  readonly place: Place;
  readonly text: string;
  /** Absolute. */
  readonly folder: string;
  readonly scripts: ReadonlyMap<string, string>;
}

/** The nearest package.json, from the folder upwards. Undefined: not inside, or changed since it was looked at. */
async function manifestOf(
  shell: Shell,
  call: Call,
  {folder}: World,
): Promise<Manifest | undefined> {
  const {workspace, makings} = shell.places;
  const start = folder === undefined ? undefined : await shell.places.realFolder('.', folder);
  const folders = foldersFrom(start, workspace);
  if (folders.length === 0) return undefined;
  for (const at of folders) {
    // oxlint-disable-next-line no-await-in-loop -- the nearest
    const place = await shell.places.look('package.json', at);
    if (makings.touches(place)) {
      shell.ledger.miss({
        word: bylineOf(call),
        why: 'this command changes package.json before it runs',
      });
      return undefined;
    }
    if (place.state === 'absent') continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const text = place.inside ? await shell.places.readFileText(place) : undefined;
    return text === undefined ? undefined : {place, text, folder: at, scripts: scriptsOf(text)};
  }
  const place = await shell.places.look('package.json', workspace);
  return {place, text: '', folder: workspace, scripts: new Map()};
}

/** The folder and its parents up to the workspace; none if it lies outside. */
function foldersFrom(folder: string | undefined, workspace: string): readonly string[] {
  const start = folder === undefined ? '/' : posix.resolve(folder);
  if (!`${start}/`.startsWith(`${workspace}/`)) return [];
  return start === workspace ? [start] : [start, ...foldersFrom(posix.dirname(start), workspace)];
}

const manifestForm = z.object({scripts: z.record(z.string(), z.string()).default({})});

function scriptsOf(text: string): ReadonlyMap<string, string> {
  try {
    return new Map(Object.entries(manifestForm.parse(JSON.parse(text)).scripts));
  } catch {
    return new Map();
  }
}

/** A program of node_modules/.bin, by the name it is called by; a missing program would be fetched. */
export async function followPackageCommand(
  shell: Shell,
  {word, rest = []}: Act,
  call: Call,
  world: World,
  scope: Scope,
): Promise<void> {
  if (!word.known || word.pattern)
    return shell.ledger.miss({word: word.text, why: 'a computed program name'});
  const place = /^[\w.-]+$/.test(word.text)
    ? await installedAt(shell, word.text, world.folder)
    : undefined;
  if (!place)
    return shell.ledger.miss({
      word: word.text,
      why: 'is not installed in node_modules: it would be fetched and run',
    });
  missChanged(shell, word.text);
  const {isWritten, makings} = shell.places;
  if (isWritten(place.path) || makings.touches(place)) {
    return shell.ledger.miss({word: word.text, why: 'this run has written the program'});
  }
  const text = [word, ...rest].map((each) => each.text).join(' ');
  await shell.runCall(
    {...call, name: wordOf(word.text), args: rest, text, isProgram: true},
    world,
    enclosed(scope),
  );
}

async function installedAt(
  shell: Shell,
  name: string,
  folder: string | undefined,
): Promise<Place | undefined> {
  for (const at of foldersFrom(folder, shell.places.workspace)) {
    // oxlint-disable-next-line no-await-in-loop -- the nearest
    const place = await shell.places.look(`node_modules/.bin/${name}`, at);
    if (!/^(?:absent|unknown)$/.test(place.state)) return place;
  }
  return undefined;
}
