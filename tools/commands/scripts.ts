/** Scripts of the workspace that a command runs: files of the shell, package scripts, and Makefiles. */

import {createHash} from 'node:crypto';
import {posix} from 'node:path';

import {z} from 'zod';

import type {Place} from './effect.ts';
import {addEffect, byOf, type Call, notePlace, type Notes, type Shell} from './notes.ts';
import {type Word, wordOf} from './word.ts';

const maxShown = 20_000;

function noteFollowed({follow}: Notes, name: string, text: string, shown = text): void {
  const hash = createHash('sha256').update(text).digest('hex');
  follow({name, hash, text: shown.slice(0, maxShown)});
}

/** A file of the workspace that begins as a script of a shell. `path`: absolute. */
export async function readsAsShell({surroundings}: Notes, path: string): Promise<boolean> {
  const text = await surroundings.readFileText(path);
  return (
    text !== undefined &&
    (/^#!.*\b(?:ba|da|z|k)?sh\b/.test(text) || (path.endsWith('.sh') && !text.startsWith('#!')))
  );
}

/** `sh a.sh`, `. a.sh`, `./a.sh`. */
export async function followShellFile(
  notes: Notes,
  file: Word,
  call: Call,
  shell: Shell,
): Promise<void> {
  const {surroundings, written, miss} = notes;
  const {folder} = call;
  const odd = (why: string): void => miss({word: byOf(call), why, isCode: true});
  if (!file.known || file.pattern) return odd('runs a computed file');
  if (folder === undefined && !file.text.startsWith('/'))
    return odd('runs a file of a folder that is not known');
  const path = posix.resolve(folder ?? '/', file.text);
  const place = await surroundings.placeOf(path, {written});
  const text = place.inside ? await surroundings.readFileText(path) : undefined;
  await notePlace(notes, 'runs', file, {shell, call});
  if (text === undefined) return odd('runs a file that can not be read');
  if (shell.following.includes(place.path)) return odd('runs itself');
  noteFollowed(notes, place.path, text);
  if (changedBefore(notes, place))
    miss({word: place.path, why: 'this run may have changed it', isCode: true});
  else miss({word: byOf(call), why: 'runs a script'});
  const inner = call.head.text === '.' || call.head.text === 'source' ? shell : freshShell(shell);
  await notes.readText(text, place.path, {...inner, following: [...shell.following, place.path]});
}

function freshShell(shell: Shell): Shell {
  const kept = [...shell.variables].filter(([name]) => name === 'HOME' || name === 'PWD');
  return {...shell, variables: new Map(kept)};
}

function changedBefore({written}: Notes, {path, state}: Place): boolean {
  return state === 'untracked' || state === 'written' || written.has(path);
}

const scriptLine =
  /^(?:npm|pnpm|yarn|bun)(?: (?:-s|--silent|--if-present))*(?: run(?:-script)?)?(?: (?:-s|--silent|--if-present))* ([\w:.-]+)(?: --)?( .*)?$/s;
const shortNames: Readonly<Record<string, string>> = {t: 'test', tst: 'test'};
const ownVerbs =
  /^(?:ci|i|install|add|remove|rm|update|up|upgrade|exec|x|dlx|init|create|publish|pack|link|audit|view|info|outdated|ls|list|why|explain|config|cache|version|login|logout|whoami|pkg|root|prefix|bin|help|dedupe|prune|rebuild|docs|repo|search|fund|doctor|ping|set|get|import|patch|store|workspaces?|foreach|dist-tag|owner|access|token|deprecate|unpublish|uninstall|un|r|unlink|env|setup|server|fetch|deploy|completion|query|sbom|shrinkwrap|stars|team|hook|org|profile|edit|explore|bugs|start-server|plugin|node|constraints|rebuild|pm)$/;

const manifestForm = z.object({scripts: z.record(z.string(), z.string()).default({})});

/** `npm test`, `pnpm run build`. False: it is not a call of a package script. */
export async function followPackageScript(
  notes: Notes,
  call: Call,
  shell: Shell,
): Promise<boolean> {
  const line = [call.head.text, ...call.args.map(({text}) => text)].join(' ');
  const given = scriptLine.exec(line)?.[1];
  if (given === undefined || (!/ run(?:-script)? /.test(line) && ownVerbs.test(given)))
    return false;
  const name = shortNames[given] ?? given;
  const manifest = await manifestOf(notes, call);
  notes.reachCode(call);
  addEffect(notes, 'runs', 'a package script', call);
  const text = manifest?.scripts[name];
  if (!manifest || text === undefined) {
    notes.miss({word: byOf(call), why: `no package.json has the script ${name}`});
    return true;
  }
  const at = call.args.findIndex((word) => word.text === given);
  const words = call.args.slice(at + 1).filter((word) => word.text !== '--');
  const extra = words.map((word) => `'${word.text.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  for (const each of [`pre${name}`, name, `post${name}`]) {
    const script = manifest.scripts[each];
    const id = `${manifest.place.path}: ${each}`;
    if (script === undefined) continue;
    if (shell.following.includes(id)) {
      notes.miss({word: id, why: 'runs itself', isCode: true});
      continue;
    }
    noteFollowed(notes, id, manifest.text, script);
    if (notes.written.has(manifest.place.path))
      notes.miss({word: id, why: 'this run may have changed it', isCode: true});
    const inner = {
      ...freshShell(shell),
      folders: [manifest.folder],
      following: [...shell.following, id],
    };
    // oxlint-disable-next-line no-await-in-loop -- one script after the other
    await notes.readText(each === name ? `${script} ${extra}`.trim() : script, id, inner);
  }
  notes.miss({word: byOf(call), why: 'runs a package script'});
  return true;
}

interface Manifest {
  readonly place: Place;
  readonly text: string;
  /** Absolute. */
  readonly folder: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/** The nearest package.json, from the folder of the call upwards. */
async function manifestOf({surroundings}: Notes, {folder}: Call): Promise<Manifest | undefined> {
  for (const at of foldersFrom(folder, surroundings.workspace)) {
    const path = posix.join(at, 'package.json');
    // oxlint-disable-next-line no-await-in-loop -- the nearest one
    const text = await surroundings.readFileText(path);
    if (text === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    return {place: await surroundings.placeOf(path), text, folder: at, scripts: scriptsIn(text)};
  }
  return undefined;
}

function scriptsIn(text: string): Readonly<Record<string, string>> {
  try {
    return manifestForm.parse(JSON.parse(text)).scripts;
  } catch {
    return {};
  }
}

/** The folder and its parents up to the workspace; none if it lies outside. */
function foldersFrom(folder: string | undefined, workspace: string): readonly string[] {
  if (folder === undefined || !`${folder}/`.startsWith(`${workspace}/`)) return [];
  return folder === workspace
    ? [folder]
    : [folder, ...foldersFrom(posix.dirname(folder), workspace)];
}

/** A program of `node_modules/.bin` that this run has not changed. */
export async function isInstalled(
  {surroundings, written}: Notes,
  name: string,
  folder: string | undefined,
): Promise<boolean> {
  for (const at of foldersFrom(folder, surroundings.workspace)) {
    // oxlint-disable-next-line no-await-in-loop -- the nearest one
    const place = await surroundings.placeOf(posix.join(at, 'node_modules/.bin', name), {written});
    if (place.state !== 'absent' && place.state !== 'unknown')
      return place.state !== 'written' && !written.has(place.path);
  }
  return false;
}

const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];

/** A Makefile is not read: the vote is bound to its whole text. */
export async function followMake(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const {surroundings, written} = notes;
  addEffect(notes, 'runs', 'the build', call);
  const texts = call.args.map(({text}) => text);
  const isPlain = call.args.every(
    ({known, text}) => known && /^(?:-[jksnB]\d*|-C|[\w./-]+)$/.test(text),
  );
  const inFolder = texts.includes('-C') ? (texts[texts.indexOf('-C') + 1] ?? '.') : '.';
  notes.miss({
    word: byOf(call),
    why: 'runs a Makefile',
    ...(isPlain ? {} : {isCode: true as const}),
  });
  if (call.folder === undefined) return;
  for (const name of makefiles) {
    const path = posix.resolve(call.folder, inFolder, name);
    // oxlint-disable-next-line no-await-in-loop -- the first one
    const text = await surroundings.readFileText(path);
    if (text === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const place = await surroundings.placeOf(path, {written});
    noteFollowed(notes, place.path, text);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await notePlace(notes, 'runs', wordOf(path), {shell, call});
    return;
  }
}
