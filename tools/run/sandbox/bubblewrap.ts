/** Confinement by bubblewrap, on Linux. */

import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';

import {type Guarded, merged, namesIn, statsOf} from '../../containment/guarded.ts';
import {temporaryFolder} from '../../temporary-folder.ts';
import {confine} from './bubblewrap-arguments.ts';
import {type Confiner, type Enclosure, ownFiles, problemWith} from './confiner.ts';
import type {Destination} from './destination.ts';
import {gitIdentity, gitSettings, withGitSettings} from './git-identity.ts';
import {enclosingRepository} from './repository.ts';
import {reservePaths, unremovable} from './reserved-paths.ts';
import {watchPlaces} from './revert.ts';
import {openSandboxEgress} from './sandbox-egress.ts';
import {guardWorkspace} from './workspace.ts';

export function createBubblewrap(file: string, rules: readonly Destination[]): Confiner {
  return {
    by: 'bubblewrap',
    problemWith,
    ...ownFiles,
    confine: async (argv, enclosure) => {
      const {workspace, folder, env, isTrial = false, closesNetwork = false} = enclosure;
      const [guard, identity, way] = await Promise.all([
        guardWorkspace(enclosure),
        isTrial ? '' : gitIdentity(env),
        openSandboxEgress(closesNetwork ? [] : rules),
      ]);
      const shown = enclosingRepository(workspace, env['HOME']);
      const held = reservePaths(placesFor(enclosure, guard.places), workspace);
      const revert = watchPlaces(enclosure, guard.links, held.paths);
      const empty = await makeEmptyFile();
      const args = confine({
        workspace,
        folder,
        env,
        places: held.places,
        emptyFile: empty.path,
        shown,
        more: way.mounts,
      });
      const settings = gitSettings(identity, {
        ignored: unremovable(guard, held, enclosure),
        versions: enclosure.versions,
        places: guard.places,
        root: shown[0] ?? workspace,
      });
      const inner = isTrial ? argv : ['/bin/sh', '-c', withGitSettings, 'sh', ...settings, ...argv];
      return {
        file,
        args: [...args, '--', ...way.before, ...inner],
        env: {...env, ...way.env},
        closed: guard.closed,
        release: async () => {
          await way.close();
          held.release();
          await empty.remove();
          return revert();
        },
      };
    },
  };
}

/** Without a placeholder, nothing is made in a folder in which a protected place could be made: it is read-only, its folders are not. */
function placesFor(
  {isTrial, isLasting}: Enclosure,
  places: readonly Guarded[],
): readonly Guarded[] {
  if (isTrial !== true && isLasting !== true) return places;
  const {there = [], missing = []} = Object.groupBy(places, ({held}) =>
    held === undefined ? 'there' : 'missing',
  );
  if (isLasting !== true) return there;
  const parents = [...new Set(missing.map(({path}) => dirname(path)))].filter(isFolder);
  const inside = parents.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  return merged([
    ...there,
    ...parents.map((path): Guarded => ({path, as: 'shut'})),
    ...inside.filter(isFolder).map((path): Guarded => ({path, as: 'pinned'})),
  ]);
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

/** A masked file is readable and empty: programs that read a whole tree continue. */
async function makeEmptyFile(): Promise<{path: string; remove: () => Promise<void>}> {
  const folder = await mkdtemp(join(temporaryFolder(), 'quorate-empty-'));
  const path = join(folder, 'empty');
  await writeFile(path, '', {mode: 0o444});
  return {path, remove: async () => await rm(folder, {recursive: true, force: true})};
}
