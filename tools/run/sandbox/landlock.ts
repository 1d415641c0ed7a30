/**
 * Confinement by Landlock, on Linux without an installed program: weaker than bubblewrap, because it can only allow.
 *
 * A command has no ports, Unix sockets and /tmp of its own: they are closed. It can't read what it makes in a folder that contains a
 * closed file. Guarded places are kept, and restored after it; where a command of unknown effects could change git's data or installed
 * packages, they are read-only instead, and it can make nothing in a folder that contains one.
 */

import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {repositories} from '../../../machines/places/places.ts';
import {type Guarded, isBelow, namesIn, realPathOf, statsOf} from '../../containment/guarded.ts';
import {temporaryFolder} from '../../temporary-folder.ts';
import {type Confiner, problemWith} from './confiner.ts';
import {gitIdentity, gitSettings, withGitSettings, enclosingRepository} from './repository.ts';
import {unremovable} from './reserved-paths.ts';
import {keepPlaces, watchPlaces} from './revert.ts';
import {systemPlaces, toolchainsOf, guardWorkspace} from './workspace.ts';

/** Beside this module in the sources; in the package, at a path of its own, as the build merges modules into a few. */
const inSources = new URL('./landlock-process.ts', import.meta.url);
const inPackage = new URL('../tools/run/sandbox/landlock-process.js', import.meta.url);
const program = fileURLToPath(import.meta.url.endsWith('.ts') ? inSources : inPackage);

/** Undefined when the package koffi, which calls the kernel, is not installed. */
export async function loadLandlock(): Promise<Confiner | undefined> {
  try {
    await import('koffi');
    return createLandlock([program, fileURLToPath(import.meta.resolve('koffi'))]);
  } catch {
    return undefined;
  }
}

/** `trusted`: the files that run unconfined before each command. */
function createLandlock(trusted: readonly string[]): Confiner {
  return {
    ...landlock,
    problemWith: (workspace) =>
      trusted.some((path) => isBelow(workspace, realPathOf(path) ?? path))
        ? 'commands could change Quorate itself, which lies in their workspace'
        : problemWith(workspace),
  };
}

const landlock: Omit<Confiner, 'problemWith'> = {
  by: 'landlock',
  trialScript: 'cat "$HOME.closed" 2>/dev/null || echo closed; test -w . && echo writable',
  isProof: (output) => output.startsWith('closed'),
  confine: async (argv, enclosure) => {
    const {workspace, folder, env, isTrial = false, isUnknown = false} = enclosure;
    const isAlone = !isTrial && enclosure.isLasting !== true;
    const [guard, identity, home] = await Promise.all([
      guardWorkspace({...enclosure, holdsGit: isUnknown, holdsPlaces: enclosure.holdsGit}),
      isTrial ? '' : gitIdentity(env),
      makeHome(),
    ]);
    const changeable = changeableAmong(guard.places, workspace);
    const isStrict = !isAlone || guard.packages.length > 0 || changeable.some(isRepositoryData);
    const kept = isStrict ? undefined : keepPlaces(workspace, changeable);
    const revert = watchPlaces(enclosure, guard.links, []);
    const order = join(home.folder, 'order.json');
    const shown = [
      ...systemPlaces().shown,
      ...toolchainsOf({env, home: env['HOME'], workspace}),
      ...enclosingRepository(workspace, env['HOME']),
    ];
    const rules: readonly LandlockRule[] = [
      ...systemRules,
      ...shown.map((path): LandlockRule => ({path: realPathOf(path) ?? path, rights: 'read'})),
      {path: home.path, rights: 'write'},
      ...workspaceRules({workspace, places: guard.places, isStrict: kept === undefined}),
    ];
    await writeFile(order, JSON.stringify({rules, keepsModes: isUnknown} satisfies LandlockOrder));
    const settings = gitSettings(identity, {
      ignored: unremovable(guard, {paths: guard.closed}, enclosure),
      versions: enclosure.versions,
      places: guard.places,
      root: workspace,
    });
    const inFolder = `cd "$0" && ${withGitSettings}`;
    const inner = ['/bin/sh', '-c', inFolder, folder, ...settings, ...argv];
    return {
      file: process.execPath,
      args: ['--no-warnings', program, order, ...inner],
      env: Object.fromEntries(
        Object.entries({...env, HOME: home.path, TMPDIR: join(home.path, 'tmp')}).map(
          ([name, value]) => [`COMMAND_${name}`, value],
        ),
      ),
      closed: guard.closed,
      narrow: {
        fixed: rules.flatMap(({path, rights}) => (rights === 'list' ? [path] : [])),
        unread: rules.flatMap(({path, rights}) => (rights === 'change' ? [path] : [])),
      },
      release: async () => {
        await rm(home.folder, {recursive: true, force: true});
        return [...(kept?.restore() ?? []), ...revert()];
      },
    };
  },
};

/** The others lie outside the workspace, and are only readable. */
function changeableAmong(places: readonly Guarded[], workspace: string): readonly Guarded[] {
  const folders = [workspace, ...places.flatMap(({path, as}) => (as === 'pinned' ? [path] : []))];
  return places.filter(({path}) => folders.some((folder) => isBelow(folder, path)));
}

/** Others may change it while a command runs, so it can't be restored. */
function isRepositoryData({path, as, held}: Guarded): boolean {
  if (as !== 'shut' || held !== undefined || !Object.hasOwn(repositories, basename(path)))
    return false;
  return statsOf(path)?.isDirectory() === true;
}

interface Home {
  /** Not reachable from inside. */
  readonly folder: string;
  readonly path: string;
}

/** Beside the home lies a file that the trial must not be able to read. */
async function makeHome(): Promise<Home> {
  const folder = await mkdtemp(join(await realpath(temporaryFolder()), 'quorate-landlock-'));
  const path = join(folder, 'home');
  await mkdir(join(path, 'tmp'), {recursive: true, mode: 0o700});
  await writeFile(`${path}.closed`, 'open\n');
  return {folder, path};
}

/** `list`: names only. `read`: also contents, and running. `change`: everything except reading contents. `write`: everything. */
export type Rights = 'list' | 'read' | 'change' | 'write';

export interface LandlockRule {
  /** Absolute. */
  readonly path: string;
  readonly rights: Rights;
}

/** The restrictions of a command: whatever no rule names is closed. */
export interface LandlockOrder {
  readonly rules: readonly LandlockRule[];
  /** Owners, modes and extended attributes of files can't be changed by path, as Landlock does not restrict that. */
  readonly keepsModes: boolean;
}

export interface WorkspaceGround {
  readonly workspace: string;
  readonly places: readonly Guarded[];
  /** Guarded places are read-only, at the price that nothing can be made in a folder that directly contains one. */
  readonly isStrict: boolean;
}

const maxRules = 20_000;

/** Entries beyond {@link maxRules} beside closed places are closed, too. */
export function workspaceRules(ground: WorkspaceGround): LandlockRule[] {
  return [...insideRules(ground), ...outsideRules(ground)];
}

/** The data of a linked worktree's repository. */
function outsideRules({workspace, places, isStrict}: WorkspaceGround): LandlockRule[] {
  return places
    .filter(({path, as}) => !isBelow(workspace, path) && (as === 'pinned' || as === 'shut'))
    .map(({path, as}) => ({path, rights: as === 'pinned' && !isStrict ? 'write' : 'read'}));
}

function insideRules({workspace, places, isStrict}: WorkspaceGround): LandlockRule[] {
  const special = places.filter(({as}) => as !== 'pinned' && (isStrict || as !== 'shut'));
  const byPath = new Map(special.map((place) => [place.path, place]));
  const rules: LandlockRule[] = [];
  const add = (path: string): void => {
    if (rules.length > maxRules) return;
    const place = byPath.get(path);
    if (place) {
      if (place.as === 'shut' && place.held === undefined) rules.push({path, rights: 'read'});
      return;
    }
    if (!special.some((one) => isBelow(path, one.path))) {
      rules.push({path, rights: 'write'});
      return;
    }
    rules.push({path, rights: isStrict ? 'list' : 'change'});
    for (const name of namesIn(path)) {
      const entry = join(path, name);
      if (statsOf(entry)?.isSymbolicLink() === false) add(entry);
    }
  };
  add(workspace);
  return rules;
}

/** Files of /proc and /dev that programs need, and that say nothing about other processes. */
export const systemRules: readonly LandlockRule[] = [
  ...'cpuinfo filesystems loadavg meminfo stat sys uptime version'
    .split(' ')
    .map((name): LandlockRule => ({path: `/proc/${name}`, rights: 'read'})),
  ...'null zero full random urandom'
    .split(' ')
    .map((name): LandlockRule => ({path: `/dev/${name}`, rights: 'write'})),
];
