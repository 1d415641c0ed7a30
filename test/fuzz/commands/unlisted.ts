/** The effects of a command that are missing in its judgement. */

import {join, relative} from 'node:path';

import {
  type Effect,
  type EffectKind,
  type Place,
  placeEffects,
} from '../../../tools/commands/effect.ts';
import {type FuzzWorld, secrets} from './fuzz-world.ts';
import {environmentSecret, type Recorded} from './recorder.ts';
import type {Change} from './scratch.ts';

const makingKinds: readonly EffectKind[] = ['creates', 'writes', 'appends', 'edits'];

/** The effects that cover each change. `moves`: away from a place. */
const coveringKinds: Readonly<Record<Change['how'], readonly EffectKind[]>> = {
  created: [...makingKinds, 'empties'],
  changed: [...makingKinds, 'empties'],
  deleted: ['deletes', 'moves'],
  rights: [...makingKinds, 'empties'],
};

/** Lines like `deleted src/a.ts`; empty when all effects were listed. */
export function unlistedEffects(
  effects: readonly Effect[],
  recorded: Recorded,
  world: FuzzWorld,
): readonly string[] {
  const judged = {effects, world};
  const isNamed = (path: string) => effects.some((effect) => covers(effect, path, 'created'));
  const found = [
    ...recorded.changes.filter((change) => !isListed(judged, change)).map(shown),
    ...recorded.read
      .filter((path) => isPrivate(path, world) && !isRead(judged, path) && !isOwn(path, recorded))
      .map((path) => `read ${path}`),
    ...recorded.refused
      .filter((path) => isAway(path, world) && !isNamed(path))
      .map((path) => `tried to change ${path}`),
    ...recorded.ran.filter((path) => isForeign(judged, path)).map((path) => `ran ${path}`),
    ...(has(effects, speaking) || asksForUpdates(recorded)
      ? []
      : recorded.connected.map((address) => `reached for ${address}`)),
    ...(has(effects, ['runs']) ? [] : recorded.opened.map((port) => `opened port ${port}`)),
    ...(has(effects, ['signals']) ? [] : recorded.signalled.map((signal) => `sent ${signal}`)),
    ...secretsIn(recorded.output).map((secret) => `showed ${secret}…`),
  ];
  return [...new Set(found)];
}

/** The effects that allow network access. */
const speaking: readonly EffectKind[] = [
  'fetches',
  'sends',
  'runs',
  'installs',
  'publishes',
  'alters',
];

function has(effects: readonly Effect[], kinds: readonly EffectKind[]): boolean {
  return effects.some(({kind}) => kinds.includes(kind));
}

interface Judged {
  readonly effects: readonly Effect[];
  readonly world: FuzzWorld;
}

function shown({how, path}: Change): string {
  return `${how} ${path}`;
}

/** Files that programs keep for themselves in the home folder of their user; git's cache of file metadata. */
const housekeeping =
  /^home\/\.(?:cache|npm|config|local|kube|terraform\.d|gradle|m2|cargo|java|lesshst|wget-hsts|\w+_history)(?:\/|$)|^workspace\/\.git\/index$/;
/** The files of these that others execute or obey. */
const obeyed = /^home\/\.(?:config\/(?:git|systemd|autostart)|local\/bin|cargo\/(?:bin|config))\//;
/** Files that only their owner may read, without the ones that `ps` and `perl` read by themselves. */
const foreign = /^\/(?:etc\/sudoers|root\/|home\/)/;

function isListed({effects, world}: Judged, {path, how}: Change): boolean {
  if (isKept(path)) return true;
  const inside = /^workspace\/(.*)$/s.exec(path)?.[1];
  const place = inside ?? join(world.folder, path);
  const covering = coveringKinds[how];
  if (effects.some((effect) => covering.includes(effect.kind) && covers(effect, place, how)))
    return true;
  return inside !== undefined && isOfTool(effects, inside, how);
}

/** Files written by tools that run code, install or record, which the tools do not list. */
function isOfTool(effects: readonly Effect[], path: string, how: Change['how']): boolean {
  if (/^\.git(?:\/|$)/.test(path))
    return isHistory(path) && has(effects, ['records', 'fetches', 'installs']);
  const isRun =
    how === 'created' ? has(effects, ['runs']) : how === 'changed' && effects.some(isBuild);
  return isRun || has(effects, ['installs']);
}

function isKept(path: string): boolean {
  return housekeeping.test(path) && !obeyed.test(path);
}

/** The rules of a build list the files that it makes. */
function isBuild({kind, target}: Effect): boolean {
  return kind === 'runs' && /^g?make$/.test(target);
}

/** Excludes settings and hooks. */
function isHistory(path: string): boolean {
  return !/^\.git(?:\/(?:hooks|config|info(?!\/refs$)|modules|commondir|worktrees)(?:\/|$)|$)/.test(
    path,
  );
}

function covers({place, wide}: Effect, path: string, how: Change['how']): boolean {
  if (!place) return false;
  if (place.path === path) return true;
  if (how === 'created' && (place.path.startsWith(`${path}/`) || isNew(place, path))) return true;
  return wide === true && (place.path === '' || path.startsWith(`${place.path}/`));
}

/** Below a path that did not exist, or with the stated beginning of new names: `part-*`. */
function isNew({path: place, state}: Place, path: string): boolean {
  const isBegun = place.endsWith('*') && path.startsWith(place.slice(0, -1));
  return state === 'absent' && (isBegun || path.startsWith(`${place}/`));
}

/** Outside the workspace, or a secret in it. */
function isPrivate(path: string, world: FuzzWorld): boolean {
  if (!isWithin(path, world.folder)) return foreign.test(path);
  const inside = relative(world.workspace, path);
  if (inside.startsWith('..'))
    return (
      !isKept(relative(world.folder, path)) &&
      relative(world.folder, path) !== 'home' &&
      inside !== '..'
    );
  return /^(?:\.env(?!\.example)|k\.pem$|config\/credentials)/.test(inside);
}

/** They look up their user for the host that they call. */
function isOwn(path: string, {ran}: Recorded): boolean {
  return (
    path.endsWith('/home/.netrc') &&
    ran.some((program) => /\/(?:wget|git-remote-https?)$/.test(program))
  );
}

function isRead(judged: Judged, path: string): boolean {
  const {workspace} = judged.world;
  const place = isWithin(path, workspace) ? relative(workspace, path) : path;
  return judged.effects.some(
    (effect) => placeEffects.has(effect.kind) && covers(effect, place, 'changed'),
  );
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Outside of the compared folders, where no change is possible. */
function isAway(path: string, world: FuzzWorld): boolean {
  return (
    !isWithin(path, world.folder) &&
    !/^\/(?:dev|proc|run\/log|var\/cache\/man)\/|__pycache__/.test(path)
  );
}

/** A program of the world that ran although its text was not analysed and none of it should run. */
function isForeign({effects, world}: Judged, path: string): boolean {
  if (path.startsWith('/') && !isWithin(path, world.folder)) return false;
  const isFollowed = effects.some(
    ({kind, place}) => kind === 'reads' && place && path.endsWith(place.path),
  );
  return !isFollowed && !has(effects, ['runs', 'installs']);
}

/** npm asks for its own newest version. */
function asksForUpdates({ran}: Recorded): boolean {
  return ran.some((path) => /\/np[mx]$/.test(path));
}

function secretsIn(output: string): readonly string[] {
  return [...secrets, environmentSecret].filter((secret) => output.includes(secret));
}
