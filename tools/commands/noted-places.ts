/** Records the places that words of a command name. */

import {posix} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';
import {type EffectKind, ignoredByGit, knownToGit, type Place} from './effect.ts';
import {codeName} from './known.ts';
import {byOf, type Call, inOrder, type Notes, pathFrom, type Shell} from './notes.ts';
import type {Surroundings} from './surroundings.ts';
import {type Word, wordOf} from './word.ts';

interface At {
  readonly shell: Shell;
  readonly call: Call;
  /** Everything below a folder. */
  readonly isTree?: boolean;
  /** The word is probably not a place: only existing ones count. */
  readonly isLoose?: boolean;
}

const streams = /^\/dev\/(?:null|std(?:in|out|err)|fd\/[0-2])$/;
const maxMatches = 200;
const keeping: ReadonlySet<EffectKind> = new Set(['reads', 'lists', 'runs']);
/** A link itself is removed, not its target. */
const unlinking: ReadonlySet<EffectKind> = new Set(['deletes', 'moves']);

/** Records the effect on the place that a word names, from each folder in which the shell may be. */
export async function notePlace(notes: Notes, kind: EffectKind, word: Word, at: At): Promise<void> {
  const {shell, call} = at;
  const {text, known, pattern} = word;
  if (!known) return notes.miss(call, `it ${kind} a computed place (${text.slice(0, 60)})`);
  if (text === '' || text === '-' || streams.test(text)) return;
  if (text.startsWith('~')) return notes.miss(call, 'it names the home folder of another user');
  await inOrder(text.startsWith('/') ? ['/'] : shell.folders, async (folder) => {
    const paths = pattern ? await matchesOf(notes, folder, text, call) : [pathFrom(folder, text)];
    await inOrder(paths, async (path) => noteOne(notes, kind, path, {...at, isPattern: pattern}));
  });
}

/** The folder of a pattern, and what it matches now. Without a match, a shell takes it as a name. */
async function matchesOf(
  {surroundings, miss}: Notes,
  folder: string,
  text: string,
  call: Call,
): Promise<readonly string[]> {
  const path = pathFrom(folder, text);
  const fixed = path.replace(/[^/]*[*?[].*$/s, '');
  // The characters in a range depend on the language.
  const found = await surroundings.matches(path.replaceAll(/\[[^\]]*-[^\]]*\]/g, '?'));
  if (!found || found.length > maxMatches) {
    miss(call, `${text} matches too many files`);
    return [fixed];
  }
  if (found.some((one) => /(?:^|\/)-/.test(one))) {
    miss(call, `${text} matches a name that begins with a dash`);
  }
  const all = found.map((one) => pathFrom(surroundings.workspace, one));
  return [fixed, ...(all.length > 0 ? all : [path])];
}

async function noteOne(
  notes: Notes,
  kind: EffectKind,
  path: string,
  at: At & {readonly isPattern: boolean},
): Promise<void> {
  const {surroundings, written, miss} = notes;
  const {call, isLoose} = at;
  const options = {isLinkItself: unlinking.has(kind), isKept: keeping.has(kind)};
  const place = await surroundings.placeOf(path, {written, ...options});
  if (isLoose && !(await isPlace(place, surroundings))) return;
  if (place.isSpecial) miss(call, `${place.path} is not a plain file`);
  await addPlace(notes, kind, place, at);
}

async function addPlace(
  notes: Notes,
  kind: EffectKind,
  place: Place,
  {call, isTree = false, isPattern}: At & {readonly isPattern: boolean},
): Promise<void> {
  const isFolderOnly = isPattern && place.isFolder && !isTree;
  const wide = isTree && (place.isFolder || isPattern) ? {wide: true as const} : {};
  const done = isFolderOnly ? 'lists' : kind;
  notes.add({kind: done, target: place.path, place, ...wide, by: byOf(call), at: call.at});
  if (wide.wide && kind === 'reads') await noteCredentialsBelow(notes, place, call);
}

/** It exists, or its folder does: `/api/users` is rather a pattern. */
async function isPlace(place: Place, {placeOf}: Surroundings): Promise<boolean> {
  if (place.state !== 'absent') return true;
  const folder = posix.dirname(posix.join('/', place.path));
  if (place.inside || folder === '/') return place.inside && isCredentialPlace(place.path);
  return (await placeOf(folder, {isKept: true})).state !== 'absent';
}

/** A search of a tree also reads the credentials in it. */
async function noteCredentialsBelow(notes: Notes, place: Place, call: Call): Promise<void> {
  const {surroundings, miss} = notes;
  if (!place.inside) return;
  const folder = place.path === '' ? '' : `${place.path}/`;
  const fits = isCredentialPlace;
  const found = await surroundings.matches(`${folder}**/*`, {isKept: true, fits});
  if (!found) return miss(call, 'it reads more files than are looked at');
  const mayShow = await readCredentials(notes, call, found);
  const [first] = mayShow;
  if (first !== undefined) miss(call, `it also reads ${first}`);
}

/** A file of rules that only searchers obey, which may bring back what git ignores. */
function isOwnRule(path: string): boolean {
  return /(?:^|\/)\.(?:rg)?ignore$/.test(path);
}

/** The credential files among `paths` that the program does not pass over. */
async function readCredentials(
  {surroundings}: Notes,
  {head}: Call,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return paths;
  const rules = await surroundings.matches('**/*', {isKept: true, fits: isOwnRule});
  const obeysGit = head.text === 'rg' && rules?.length === 0;
  const places = await Promise.all(paths.map(async (path) => surroundings.placeOf(path)));
  return places
    .filter(({state, holdsNoSecret}) => {
      if (holdsNoSecret || state === 'absent') return false;
      if (head.text === 'git') return knownToGit.has(state) && !ignoredByGit.has(state);
      return !(obeysGit && ignoredByGit.has(state));
    })
    .map(({path}) => path);
}

const outsideForm = /^(?:\/|~(?:\/|$)|\.\.(?:\/|$)|.*\/\.\.(?:\/|$))/;

/** Words of any program that name places outside, or code that git does not know, whatever the program makes of them. */
export async function noteWords(notes: Notes, call: Call, shell: Shell): Promise<void> {
  await inOrder(call.args, async ({text, known, pattern}) => {
    const path = text.replace(/^-{1,2}[\w-]*=/, '').replace(/^-[A-Z](?=\/)/, '');
    if (!known || path === '' || /\s|:\/\//.test(path)) return;
    if (!outsideForm.test(path)) return noteCode(notes, path, call, shell);
    const home = shell.variables.get('HOME') ?? '~';
    const word = {...wordOf(path.replace(/^~(?=\/|$)/, home)), pattern};
    await notePlace(notes, 'reads', word, {shell, call, isLoose: true});
  });
}

/** A file of code that git does not know: the command may run it. */
async function noteCode(notes: Notes, path: string, call: Call, shell: Shell): Promise<void> {
  const {surroundings, written, add} = notes;
  if (call.head.text === 'git' || !codeName.test(path)) return;
  await inOrder(shell.folders, async (folder) => {
    const place = await surroundings.placeOf(pathFrom(folder, path), {written});
    const isFile = place.inside && !place.isFolder && place.state !== 'absent';
    if (!isFile || knownToGit.has(place.state)) return;
    add({kind: 'runs', target: place.path, place, by: byOf(call), at: call.at});
  });
}
