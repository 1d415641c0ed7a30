/** Collects what a reading of a command finds. */

import {posix} from 'node:path';

import {isCredentialPlace} from '../../machines/places/places.ts';
import {
  type Effect,
  type EffectKind,
  ignoredByGit,
  knownToGit,
  type Place,
  type Unknown,
} from './effect.ts';
import {codeName} from './known.ts';
import type {Surroundings} from './surroundings.ts';
import type {Followed, SimpleCommand, Understanding} from './understanding.ts';
import type {Word} from './word.ts';

/** The state of a shell. */
export interface Shell {
  /** Absolute: it is in one of these. */
  folders: readonly string[];
  readonly variables: Map<string, string>;
  readonly depth: number;
  /** Scripts that are being read. */
  readonly following: readonly string[];
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

export interface Notes {
  readonly surroundings: Surroundings;
  /** Paths that the run may have changed. */
  readonly written: ReadonlySet<string>;
  readonly add: (effect: Effect) => void;
  readonly miss: (unknown: Unknown) => void;
  readonly follow: (followed: Followed) => void;
  readonly addCall: (call: Omit<Call, 'at'>) => Call;
  /** The call whose text is a redirected group. */
  readonly lastCall: (text: string) => Call;
  /** The command loads code of the workspace that it does not name. */
  readonly reachCode: (call: Call) => void;
  readonly addReachedCode: () => Promise<void>;
  /** Reads a text that the shell given runs. */
  readonly readText: (text: string, name: string, shell: Shell) => Promise<void>;
  readonly toUnderstanding: () => Understanding;
}

const maxText = 160;
const maxCommands = 500;

export function byOf({text}: Pick<Call, 'text'>): string {
  return text.slice(0, maxText);
}

export function createNotes(
  surroundings: Surroundings,
  written: ReadonlySet<string>,
  readText: (notes: Notes, text: string, name: string, shell: Shell) => Promise<void>,
): Notes {
  const effects: Effect[] = [];
  const unknown: Unknown[] = [];
  const followed: Followed[] = [];
  const commands: SimpleCommand[] = [];
  const reaching: Call[] = [];
  const {workspace} = surroundings;
  const addCall: Notes['addCall'] = (call) => {
    const at = commands.length;
    if (at >= maxCommands) throw new Error(`it has more than ${maxCommands} commands`);
    const {head, args, env: assignments, redirects, text, piped, input, folder} = call;
    const name = head.text.slice(head.text.lastIndexOf('/') + 1);
    commands.push({
      name: head.known ? name : head.text,
      args,
      assignments,
      redirects,
      text,
      folder: folder === undefined ? undefined : insideOf(folder, workspace),
      piped,
      ...(input === undefined ? {} : {input}),
    });
    return {...call, at};
  };
  const notes: Notes = {
    surroundings,
    written,
    add: (effect) => void effects.push(effect),
    miss: (one) => void unknown.push({...one, word: one.word.slice(0, maxText)}),
    follow: (one) => void followed.push(one),
    addCall,
    lastCall: (text) => addCall({...noWords, text}),
    reachCode: (call) => void reaching.push(call),
    addReachedCode: async () => {
      const [call] = reaching;
      if (call) await addUnknownCode(notes, call);
    },
    readText: async (text, name, shell) => await readText(notes, text, name, shell),
    toUnderstanding: () => ({effects, unknown, followed, commands}),
  };
  return notes;
}

const noWords: Omit<Call, 'at' | 'text'> = {
  head: {text: '', known: true, pattern: false, quoted: true},
  args: [],
  env: {},
  redirects: [],
  piped: false,
  input: undefined,
  folder: undefined,
};

function insideOf(path: string, workspace: string): string | undefined {
  if (path === workspace) return '';
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : undefined;
}

/** Interpreters, tests and builds load any code: files of code that git does not know, or that this run may have changed. */
async function addUnknownCode(
  {surroundings, written, add, miss}: Notes,
  call: Call,
): Promise<void> {
  const found = await surroundings.files();
  if (!found) {
    miss({word: byOf(call), why: 'there are too many files that git does not know', isCode: true});
    return;
  }
  const paths = new Set([...found.untracked, ...written].filter((path) => codeName.test(path)));
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    const place = await surroundings.placeOf(path, {written});
    if (place.state === 'absent' || !place.inside) continue;
    add({kind: 'runs', target: path, place, isReached: true, by: byOf(call), at: call.at});
  }
}

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

const streams = /^\/dev\/(?:null|std(?:in|out|err)|tty|fd\/[0-2])$/;
const maxMatches = 200;
const keeping: ReadonlySet<EffectKind> = new Set(['reads', 'lists', 'runs']);

/** Records the effect on the place that a word names, from each folder in which the shell may be. */
export async function notePlace(notes: Notes, kind: EffectKind, word: Word, at: At): Promise<void> {
  const {shell, call} = at;
  if (!word.known) {
    notes.miss({word: byOf(call), why: `it ${kind} a computed place (${word.text.slice(0, 60)})`});
    return;
  }
  if (word.text === '' || word.text === '-' || streams.test(word.text)) return;
  if (word.text.startsWith('~')) {
    notes.miss({word: byOf(call), why: 'it names the home folder of another user'});
    return;
  }
  const from = word.text.startsWith('/') ? ['/'] : shell.folders;
  for (const folder of from) {
    // oxlint-disable-next-line no-await-in-loop -- one folder after the other
    for (const path of await pathsOf(notes, posix.join(folder, word.text), word, call)) {
      // oxlint-disable-next-line no-await-in-loop -- one path after the other
      await noteOne(notes, kind, path, {...at, isPattern: word.pattern});
    }
  }
}

/** A pattern is expanded as the shell does it now. */
async function pathsOf(
  {surroundings, miss}: Notes,
  path: string,
  {pattern, text}: Word,
  call: Call,
): Promise<readonly string[]> {
  if (!pattern) return [path];
  const fixed = path.replace(/[^/]*[*?[].*$/s, '');
  const found = await surroundings.matches(path, {isKept: true});
  if (!found || found.length > maxMatches) {
    miss({word: byOf(call), why: `${text} matches too many files`});
    return [fixed];
  }
  if (found.some((one) => /(?:^|\/)-[^/]*$/.test(one))) {
    miss({word: byOf(call), why: `${text} matches a name that begins with a dash`});
  }
  const {workspace} = surroundings;
  return [fixed, ...found.map((one) => posix.resolve(workspace, one))];
}

async function noteOne(
  notes: Notes,
  kind: EffectKind,
  path: string,
  {call, isTree, isLoose, isPattern}: At & {readonly isPattern: boolean},
): Promise<void> {
  const {surroundings, written, add} = notes;
  const place = await surroundings.placeOf(path, {
    written,
    isLinkItself: kind === 'deletes' || kind === 'moves',
    isKept: keeping.has(kind),
  });
  if (isLoose && !(await isPlace(place, surroundings))) return;
  const isWide = isTree === true && (place.isFolder || isPattern);
  add({
    kind: isPattern && place.isFolder && !isTree ? 'lists' : kind,
    target: place.path,
    place,
    ...(isWide ? {wide: true as const} : {}),
    by: byOf(call),
    at: call.at,
  });
  if (isWide && kind === 'reads') await noteCredentialsBelow(notes, place, call);
}

/** It exists, or its folder does: `/api/users` is rather a pattern. */
async function isPlace(place: Place, {placeOf}: Surroundings): Promise<boolean> {
  if (place.state !== 'absent') return true;
  const folder = posix.dirname(posix.join('/', place.path));
  if (place.inside || folder === '/') return place.inside && isCredentialPlace(place.path);
  return (await placeOf(folder, {isKept: true})).state !== 'absent';
}

const credentialNames = [
  '.*',
  '*.env',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  'id_*',
  'secret*',
  'credential*',
];

/** A search of a tree also reads the credentials in it. */
async function noteCredentialsBelow(
  {surroundings, miss}: Notes,
  place: Place,
  call: Call,
): Promise<void> {
  if (!place.inside) return;
  const folder = place.path === '' ? '' : `${place.path}/`;
  const lists = await Promise.all(
    credentialNames.map(async (name) =>
      surroundings.matches(`${folder}**/${name}`, {isKept: true}),
    ),
  );
  const word = byOf(call);
  if (lists.includes(undefined)) {
    miss({word, why: 'it reads more files than are looked at'});
    return;
  }
  for (const path of new Set(lists.flatMap((list) => list ?? []).filter(isCredentialPlace))) {
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    const found = await surroundings.placeOf(path);
    const isTracked = knownToGit.has(found.state) && !ignoredByGit.has(found.state);
    const isHidden = ignoredByGit.has(found.state) || /(?:^|\/)\./.test(path);
    const isSkipped =
      call.head.text === 'git' ? !isTracked : searchers.test(call.head.text) && isHidden;
    if (!found.holdsNoSecret && found.state !== 'absent' && !isSkipped) {
      miss({word, why: `it also reads ${path}`});
      return;
    }
  }
}

/** They skip hidden and ignored files; `git grep` skips files that git does not know. */
const searchers = /^(?:rg|ag)$/;
