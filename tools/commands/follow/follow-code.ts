/**
 * Code of the workspace that a runner loads without naming it: tests, modules, configuration.
 *
 * Only files unknown to git and files that this run may have written become effects: all others are known code. A runner is assumed
 * to load every such file of its language, unless the files that it starts with can be followed.
 */

import {posix} from 'node:path';

import type {Worker} from '../acts/place-acts.ts';
import {type EffectKind, ignoredByGit, type Place} from '../effect.ts';
import {bareName, type Reach, reachOf, runsOnInstall} from '../refinements/code-reach.ts';
import type {WorkspaceFiles} from '../surroundings.ts';
import type {Shell} from '../walk/shell.ts';
import {loadedFrom} from './imports.ts';
import {isByKnownScript} from './known-scripts.ts';

const maxFiles = 300;
const maxStarts = 60;

/** `what`: the code that the runner runs, as its effect names it: `the tests`. */
export async function runWorkspaceCode(shell: Shell, what: string, worker: Worker): Promise<void> {
  const reach = reachOf(worker.name, what);
  if (reach) missMade(shell, reach, worker);
  const strange = reach ? await strangeFiles(shell, reach, worker) : [];
  if (!reach || strange.length === 0) return;
  const starts = await startsOf(shell, reach, strange);
  addReached(shell, await loadedBy(shell, starts, strange), worker);
}

/** A named file and the files that it loads. */
export async function runFileCode(shell: Shell, place: Place, worker: Worker): Promise<void> {
  const {ledger} = shell;
  ledger.add({kind: 'runs', target: place.path, place: asTouched(shell, place), by: worker.by});
  const reach = reachOf(worker.name, '');
  const strange = reach ? await strangeFiles(shell, reach, worker) : [];
  if (strange.length === 0) return;
  const starts = place.isFolder ? undefined : [place.path];
  const loaded = await loadedBy(shell, starts, strange);
  addReached(
    shell,
    loaded.filter(({path}) => path !== place.path),
    worker,
  );
}

/** Some package managers run settings and build scripts of the workspace. */
export async function runInstallCode(shell: Shell, what: string, worker: Worker): Promise<void> {
  const isOfHere = what === 'declared' || /^\.{0,2}\/|^\.{1,2}(?:\[|$)/.test(what);
  if (isOfHere && runsOnInstall(worker.name)) await runWorkspaceCode(shell, what, worker);
}

const brings: ReadonlySet<EffectKind> = new Set(['writes', 'appends', 'edits']);

/** A file that git ignores is not known code after this command has written it. */
function missMade({ledger, places}: Shell, {files}: Reach, {name}: Worker): void {
  const {effects, followed} = ledger.toUnderstanding();
  const made = effects.find((effect) => {
    const {kind, place, wide} = effect;
    if (!place?.inside || wide || !brings.has(kind) || !files.test(place.path)) return false;
    const isIgnored = ignoredByGit.has(place.state) || place.isIgnored === true;
    return isIgnored && !isByKnownScript(effect, followed, places.touched());
  });
  if (made) ledger.miss({word: name, why: `runs after this command has changed ${made.target}`});
}

/** Undefined: any file may be the first. */
async function startsOf(
  shell: Shell,
  {starts}: Reach,
  strange: readonly Place[],
): Promise<readonly string[] | undefined> {
  const {tracked = []} = (await shell.places.files()) ?? {};
  if (!starts || tracked.length === 0) return undefined;
  const all = [...tracked, ...strange.map(({path}) => path)];
  const found = all.filter((path) => starts.test(path));
  return found.length > maxStarts ? undefined : found;
}

async function loadedBy(
  shell: Shell,
  starts: readonly string[] | undefined,
  strange: readonly Place[],
): Promise<readonly Place[]> {
  const paths = strange.map(({path}) => path);
  const loaded = starts && (await loadedFrom(shell, starts, paths));
  return loaded ? strange.filter(({path}) => loaded.has(path)) : strange;
}

function addReached(shell: Shell, code: readonly Place[], {name, by}: Worker): void {
  const {ledger} = shell;
  if (code.length > maxFiles)
    ledger.miss({word: name, why: 'may run more files that git does not know than are looked at'});
  for (const place of code.slice(0, maxFiles)) {
    const known = asTouched(shell, place);
    ledger.add({kind: 'runs', target: place.path, place: known, isReached: true, by});
  }
}

/** This run may have written the file, even if git knows it. */
function asTouched({places}: Shell, place: Place): Place {
  const isTouched = places.touched().has(place.path) && place.state !== 'absent';
  return isTouched ? {...place, state: 'written'} : place;
}

/** Files of the language that are unknown to git or that this run may have written. */
async function strangeFiles(
  shell: Shell,
  {files: isCode}: Reach,
  {name}: Worker,
): Promise<readonly Place[]> {
  const files = await shell.places.files();
  if (!files)
    shell.ledger.miss({word: name, why: 'runs code, and git can not say which of it is known'});
  const candidates = new Set([...shell.places.touched(), ...untrackedIn(files)]);
  const code = [...candidates].filter((path) => isCode.test(path) || bareName.test(path));
  const looked = await Promise.all(
    code.slice(0, maxFiles + 1).map(async (path) => strangePlace(shell, path, isCode)),
  );
  return looked.filter((place) => place !== undefined);
}

function untrackedIn(files: WorkspaceFiles | undefined): readonly string[] {
  return files?.untracked ?? [];
}

/** Undefined: such code does not exist. */
async function strangePlace(
  {places}: Shell,
  path: string,
  isCode: RegExp,
): Promise<Place | undefined> {
  const place = await places.look(posix.join(places.workspace, path), undefined, {isKept: true});
  if (place.state === 'absent' || (place.inside && place.isFolder)) return undefined;
  const text = isCode.test(path) ? '#!' : await places.readFileText(place);
  if (text !== undefined && !text.startsWith('#!')) return undefined;
  const isKnown = place.inside && place.path !== path && /^(?:clean|changed)$/.test(place.state);
  return isKnown ? undefined : place;
}
