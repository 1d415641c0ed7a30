/** Lists the names of a repository's files: those known to git, and those neither known nor ignored. */

import type {WorkspaceFiles} from '../surroundings.ts';
import {belowRoot, type GitState, isIgnoredWhole, type Repository} from './git-state.ts';
import {createPause, type Look} from './look.ts';

const maxUntracked = 5_000;

interface Finder extends Pick<Look, 'entriesOf'>, Pick<GitState, 'repositoryOf'> {}

interface Open {
  readonly folder: string;
  readonly repository: Repository;
}

/** Names only, relative to the folder. Undefined: there are too many, or git's index can't be read. */
export async function listRepository(
  start: string,
  finder: Finder,
): Promise<WorkspaceFiles | undefined> {
  const repository = await finder.repositoryOf(start);
  if (repository === 'none') return {tracked: [], untracked: []};
  if (repository === 'odd') return undefined;
  const untracked: string[] = [];
  const pause = createPause();
  const open: Open[] = [{folder: start, repository}];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other, within a time
    const listed = (await pause()) ? await listFolder(one, start, finder) : undefined;
    if (!listed) return undefined;
    untracked.push(...listed.untracked);
    open.push(...listed.open);
    if (untracked.length > maxUntracked) return undefined;
  }
  return {tracked: trackedBelow(start, repository), untracked};
}

function trackedBelow(start: string, repository: Repository): readonly string[] {
  const {paths} = repository.index;
  const below = belowRoot(repository, start);
  if (below === '') return paths;
  return paths
    .filter((path) => path.startsWith(`${below}/`))
    .map((path) => path.slice(below.length + 1));
}

interface Listed {
  readonly untracked: readonly string[];
  readonly open: readonly Open[];
}

async function listFolder(
  {folder, repository: outer}: Open,
  start: string,
  {entriesOf, repositoryOf}: Finder,
): Promise<Listed | undefined> {
  const entries = entriesOf(folder);
  const has = (name: string) => entries.some((entry) => entry.name === name);
  const found = folder !== start && has('.git') ? await repositoryOf(folder) : outer;
  if (found === 'odd') return undefined;
  const repository = found === 'none' ? outer : found;
  if (has('pyvenv.cfg')) return {untracked: [], open: []};
  const folders = entries.filter((entry) => entry.isDirectory() && !passedBy.test(entry.name));
  const files = entries.filter((entry) => !entry.isDirectory() && entry.name !== '.git');
  return {
    untracked: files
      .map(({name}) => `${folder}/${name}`)
      .filter((path) => isUntracked(repository, path))
      .map((path) => path.slice(start.length + 1)),
    open: folders
      .map(({name}) => ({folder: `${folder}/${name}`, repository}))
      .filter((one) => !isIgnoredWhole(repository, one.folder)),
  };
}

/** Git's own folder, and packages, even where git does not ignore them. */
const passedBy = /^(?:\.git|node_modules)$/i;

function isUntracked(repository: Repository, path: string): boolean {
  const below = belowRoot(repository, path);
  return !repository.index.entries.has(below) && !repository.ignoring.isIgnored(below, false);
}
