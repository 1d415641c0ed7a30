/**
 * Confinement by Landlock, on Linux without an installed program: weaker than bubblewrap, because it can only allow.
 *
 * A command has no ports, Unix sockets and /tmp of its own: they are closed. It can't read what it makes in a folder that contains a
 * closed file. Guarded places are kept, and restored after it; where a command of unknown effects could change installed packages,
 * they are read-only instead, and it can make nothing in a folder that contains one.
 */

import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {isBelow, realPathOf} from '../../containment/guarded.ts';
import {temporaryFolder} from '../../temporary-folder.ts';
import {type Confiner, problemWith} from './confiner.ts';
import {enclosingRepository} from './enclosing.ts';
import {gitIdentity, gitSettings, withGitSettings} from './git-identity.ts';
import {keepPlaces, type KeptPlaces} from './kept-places.ts';
import {
  type LandlockOrder,
  type LandlockRule,
  systemRules,
  workspaceRules,
} from './landlock-rules.ts';
import {unremovable} from './reserved-paths.ts';
import {watchPlaces, nothingToRevert} from './revert.ts';
import {systemPlaces} from './system.ts';
import {toolchainsOf} from './toolchains.ts';
import {guardWorkspace} from './workspace.ts';

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
    const [guard, identity, home] = await Promise.all([
      guardWorkspace(enclosure),
      isTrial ? '' : gitIdentity(env),
      makeHome(),
    ]);
    const isStrict = isTrial || guard.packages.length > 0;
    const kept = isStrict ? undefined : keepPlaces(workspace, guard.places);
    const revert = isTrial ? nothingToRevert : watchPlaces(workspace, guard.links, []);
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
        return [...restored(kept), ...revert()];
      },
    };
  },
};

function restored(kept: KeptPlaces | undefined): readonly string[] {
  return kept?.restore() ?? [];
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
