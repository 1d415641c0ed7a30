/** Collects the findings of a reading: effects, the places that words name, parts that are not known, scripts and simple commands. */

import {posix} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';
import {codeName} from './known.ts';
import type {Surroundings} from './surroundings.ts';
import {
  changes,
  type Effect,
  type EffectKind,
  type Followed,
  ignoredByGit,
  knownToGit,
  type Place,
  type SimpleCommand,
  type Understanding,
  type Unknown,
  type Word,
  wordOf,
} from './understanding.ts';

/** The state of a shell. */
export interface Shell {
  /** Absolute: it is in one of these. */
  folders: readonly string[];
  /** It is there also if the last command has failed. */
  isSure: boolean;
  /** Values that are known; any other variable may have any value. */
  readonly variables: Map<string, string>;
  readonly depth: number;
  /** Scripts that are being read. */
  readonly following: readonly string[];
}

/** A shell of its own: its changes are lost. */
export function copyOf(shell: Shell): Shell {
  return {...shell, variables: new Map(shell.variables)};
}

/** A new process of the shell: of the variables, it knows those of the environment. */
export function freshShell(shell: Shell): Shell {
  const kept = [...shell.variables].filter(([name]) => name === 'HOME' || name === 'PWD');
  return {...shell, variables: new Map(kept)};
}

/** A simple command that is about to run. */
export interface Call {
  /** Its index in `Understanding.commands`. */
  readonly at: number;
  readonly head: Word;
  readonly args: readonly Word[];
  readonly env: Readonly<Record<string, Word>>;
  readonly redirects: SimpleCommand['redirects'];
  readonly text: string;
  readonly piped: boolean;
  /** The text of a here-document. */
  readonly input: string | undefined;
  /** Absolute; undefined: one of several. */
  readonly folder: string | undefined;
}

/** Reads a simple command that a shell runs. */
export type ReadCall = (notes: Notes, call: Call, shell: Shell) => Promise<void>;

/** The parts of the reader that read what a command starts. */
interface Readers {
  readonly readCall: ReadCall;
  readonly readText: (notes: Notes, text: string, name: string, shell: Shell) => Promise<void>;
}

export interface Notes extends Readers {
  readonly surroundings: Surroundings;
  /** Paths that the run may have changed. */
  readonly written: ReadonlySet<string>;
  readonly add: (effect: Effect) => void;
  /** A part of the command is not known to only read. */
  readonly miss: (by: Pick<Call, 'text'> | string, why: string, mark?: Mark) => void;
  readonly follow: (followed: Followed) => void;
  readonly addCall: (call: Omit<Call, 'at'>) => Call;
  /** The command loads code of the workspace that it does not name. */
  readonly reachCode: (call: Call) => void;
  readonly addReachedCode: () => Promise<void>;
  readonly toUnderstanding: () => Understanding;
}

type Mark = Pick<Unknown, 'isCode' | 'evenConfined'>;

/** It may run code that nobody knows. */
export const isCode: Mark = {isCode: true};

const maxText = 160;
const maxCommands = 500;

export function byOf({text}: Pick<Call, 'text'>): string {
  return text.slice(0, maxText);
}

export function createNotes(
  surroundings: Surroundings,
  written: ReadonlySet<string>,
  readers: Readers,
): Notes {
  const effects: Effect[] = [];
  const unknown: Unknown[] = [];
  const followed: Followed[] = [];
  const commands: SimpleCommand[] = [];
  let reaching: Call | undefined;
  const notes: Notes = {
    ...readers,
    surroundings,
    written,
    add: (effect) => void effects.push(effect),
    miss: (by, why, mark = {}) => {
      const word = byOf(typeof by === 'string' ? {text: by} : by);
      unknown.push({word, why, ...mark});
    },
    follow: (one) => void followed.push(one),
    addCall: (call) => {
      const at = commands.length;
      if (at >= maxCommands) throw new Error(`it has more than ${maxCommands} commands`);
      commands.push(recordOf(call, surroundings.workspace));
      return {...call, at};
    },
    reachCode: (call) => {
      reaching ??= call;
    },
    addReachedCode: async () => {
      if (!reaching) return;
      const made = effects.filter(({kind, place}) => changes.has(kind) && place?.inside);
      const paths = made.map(({target}) => target);
      await addUnknownCode(notes, reaching, paths);
    },
    toUnderstanding: () => ({effects, unknown, followed, commands}),
  };
  return notes;
}

function recordOf({env, ...call}: Omit<Call, 'at'>, workspace: string): SimpleCommand {
  const {head, args, redirects, text, piped, input, folder} = call;
  const name = head.known ? head.text.slice(head.text.lastIndexOf('/') + 1) : head.text;
  return {
    name,
    args,
    assignments: env,
    redirects,
    text,
    folder: folder === undefined ? undefined : insideOf(folder, workspace),
    piped,
    ...(input === undefined ? {} : {input}),
  };
}

/** A call of nothing: assignments alone, or the redirections of a group. */
export function emptyCall(text: string): Omit<Call, 'at'> {
  return {
    head: wordOf(''),
    args: [],
    env: {},
    redirects: [],
    text,
    piped: false,
    input: undefined,
    folder: undefined,
  };
}

/** A command that another one starts. */
export function innerCall(notes: Notes, call: Call, head: Word, args: readonly Word[]): Call {
  return notes.addCall({...call, head, args, redirects: [], env: {}});
}

/** The command as a line. */
export function lineOf({head, args}: Pick<Call, 'head' | 'args'>): string {
  return [head.text, ...args.map(({text}) => text)].join(' ');
}

/** The path from a folder, not simplified: after a link, `..` is the parent of its target. */
export function pathFrom(folder: string, text: string): string {
  return text.startsWith('/') ? text : `${folder}/${text}`;
}

function insideOf(path: string, workspace: string): string | undefined {
  if (path === workspace) return '';
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : undefined;
}

/** One after the other, in the order of the list. */
export async function inOrder<One>(
  list: Iterable<One>,
  read: (one: One, at: number) => Promise<void>,
): Promise<void> {
  let at = 0;
  for (const one of list) {
    // oxlint-disable-next-line no-await-in-loop -- the order decides
    await read(one, at);
    at += 1;
  }
}

function isLoaded(path: string): boolean {
  return codeName.test(path) && !isCredentialPlace(path);
}

/**
 * Interpreters, tests and builds load any code: files of code that git does not know, or that this run may have changed.
 * `made`: paths that the command itself changes.
 */
async function addUnknownCode(
  {surroundings, written, add, miss}: Notes,
  call: Call,
  made: readonly string[],
): Promise<void> {
  const found = await surroundings.files();
  if (!found) return miss(call, 'there are too many files that git does not know', isCode);
  const known = new Set([...written, ...made]);
  const paths = new Set([...found.untracked, ...known].filter(isLoaded));
  await inOrder(paths, async (path) => {
    const place = await surroundings.placeOf(path, {written: known});
    const isMade = made.includes(path);
    if ((place.state === 'absent' && !isMade) || !place.inside) return;
    const state = isMade ? 'written' : place.state;
    const one = {...place, state};
    add({kind: 'runs', target: path, place: one, isReached: true, by: byOf(call), at: call.at});
  });
}

/** An effect on something other than a place. */
export function addEffect({add}: Notes, kind: EffectKind, target: string, call: Call): void {
  const isOwn = !/^(?:an address|another computer)$/.test(target);
  add({kind, target, ...(isOwn ? {isOwn} : {}), by: byOf(call), at: call.at});
}

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
    const isBroad = pattern && !namesCredentials(text);
    await inOrder(paths, async (path) =>
      noteOne(notes, kind, path, {...at, isPattern: pattern, isBroad}),
    );
  });
}

/** `.env*`, `*.pem`, `.ssh/*`; not `.e*`, which only happens to match. */
function namesCredentials(pattern: string): boolean {
  return ['', 'x'].some((part) =>
    isCredentialPlace(pattern.replaceAll(/\*+|\?|\[[^\]]*\]/g, part)),
  );
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
  at: At & {readonly isPattern: boolean; readonly isBroad: boolean},
): Promise<void> {
  const {surroundings, written, miss} = notes;
  const {call, isLoose, isBroad} = at;
  const options = {isLinkItself: unlinking.has(kind), isKept: keeping.has(kind)};
  const place = await surroundings.placeOf(path, {written, ...options});
  if (isLoose && !(await isPlace(place, surroundings))) return;
  if (place.isSpecial) miss(call, `${place.path} is not a plain file`);
  if (isBroad && kind === 'reads' && isCredentialPlace(place.path) && !place.holdsNoSecret) {
    return miss(call, `it also reads ${place.path}`);
  }
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
  const found = await surroundings.matches(`${folder}**/*`, {
    isKept: true,
    fits: (path) => isCredentialPlace(path) || isOwnRule(path),
  });
  if (!found) return miss(call, 'it reads more files than are looked at');
  const paths = found.filter(isCredentialPlace);
  const isSearched = folder === '' || paths.length === 0 || call.head.text !== 'rg';
  const all = isSearched
    ? found
    : await surroundings.matches('**/*', {isKept: true, fits: isOwnRule});
  const obeysGit = call.head.text === 'rg' && all?.some(isOwnRule) === false;
  const [first] = await readCredentials(notes, call, paths, obeysGit);
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
  obeysGit: boolean,
): Promise<readonly string[]> {
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
