/** Scripts of the workspace that a command runs: files of the shell, package scripts, and Makefiles. */

import {createHash} from 'node:crypto';
import {posix} from 'node:path';

import {z} from 'zod';

import {commandText} from '../../machines/domain/program.ts';
import {
  inOrder,
  addEffect,
  type Call,
  freshShell,
  isCode,
  lineOf,
  notePlace,
  type Notes,
  pathFrom,
  type Shell,
} from './notes.ts';
import {type Place, type Word, wordOf} from './understanding.ts';

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
  const {folder, head} = call;
  const isLost = folder === undefined && !file.text.startsWith('/');
  if (!file.known || file.pattern || isLost) return miss(call, 'runs a computed file', isCode);
  const path = pathFrom(folder ?? '/', file.text);
  const place = await surroundings.placeOf(path, {written});
  await notePlace(notes, 'reads', file, {shell, call});
  const text = place.inside ? await surroundings.readFileText(path) : undefined;
  if (text === undefined) return miss(call, 'runs a file that can not be read', isCode);
  if (shell.following.includes(place.path)) return miss(call, 'runs itself', isCode);
  noteFollowed(notes, place.path, text);
  if (changedBefore(notes, place)) miss(place.path, 'this run may have changed it', isCode);
  else miss(call, 'runs a script');
  const isSourced = /^(?:\.|source)$/.test(head.text);
  await readFile(notes, place.path, text, {shell, isSourced});
}

/** A sourced file changes the shell. */
async function readFile(
  notes: Notes,
  path: string,
  text: string,
  {shell, isSourced}: {readonly shell: Shell; readonly isSourced: boolean},
): Promise<void> {
  const own = isSourced ? shell : freshShell(shell);
  const inner = {...own, following: [...shell.following, path]};
  await notes.readText(notes, text, path, inner);
  if (isSourced) shell.folders = inner.folders;
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
  const line = lineOf(call);
  const given = scriptLine.exec(line)?.[1];
  if (given === undefined || (!/ run(?:-script)? /.test(line) && ownVerbs.test(given)))
    return false;
  const name = shortNames[given] ?? given;
  const manifest = await manifestOf(notes, call);
  notes.reachCode(call);
  addEffect(notes, 'runs', 'a package script', call);
  if (manifest?.scripts[name] === undefined) {
    notes.miss(call, `no package.json has the script ${name}`);
    return true;
  }
  const at = call.args.findIndex((word) => word.text === given);
  const extra = call.args.slice(at + 1).filter((word) => word.text !== '--');
  for (const each of [`pre${name}`, name, `post${name}`]) {
    // oxlint-disable-next-line no-await-in-loop -- one script after the other
    await readPackageScript(notes, manifest, each, {shell, extra: each === name ? extra : []});
  }
  notes.miss(call, 'runs a package script');
  return true;
}

/** `extra`: words that follow the script's own. */
async function readPackageScript(
  notes: Notes,
  {place, text, folder, scripts}: Manifest,
  name: string,
  {shell, extra}: {readonly shell: Shell; readonly extra: readonly Word[]},
): Promise<void> {
  const script = scripts[name];
  const id = `${place.path}: ${name}`;
  if (script === undefined) return;
  if (shell.following.includes(id)) return notes.miss(id, 'runs itself', isCode);
  noteFollowed(notes, id, text, script);
  if (notes.written.has(place.path)) notes.miss(id, 'this run may have changed it', isCode);
  const words = extra.length > 0 ? [commandText(extra.map((word) => word.text))] : [];
  const inner = {...freshShell(shell), folders: [folder], following: [...shell.following, id]};
  await notes.readText(notes, [script, ...words].join(' '), id, inner);
}

/** In the order in which package managers run them after an installation. */
const installScripts = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
];

/** Scripts of the package that an installation runs. */
export async function followInstallScripts(notes: Notes, call: Call, shell: Shell): Promise<void> {
  const isOff = call.args.some(({text}) => text === '--ignore-scripts');
  if (isOff || !/^(?:npm|pnpm|yarn|bun)$/.test(call.head.text)) return;
  const manifest = await manifestOf(notes, call);
  if (!manifest) return;
  await inOrder(installScripts, async (name) =>
    readPackageScript(notes, manifest, name, {shell, extra: []}),
  );
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
  const {surroundings, written, miss} = notes;
  notes.reachCode(call);
  addEffect(notes, 'runs', 'the build', call);
  const texts = call.args.map(({text}) => text);
  const isPlain = call.args.every(
    ({known, text}) => known && /^(?:-[jksnB]\d*|-C|[\w./-]+)$/.test(text),
  );
  const inFolder = texts.includes('-C') ? (texts[texts.indexOf('-C') + 1] ?? '.') : '.';
  miss(call, 'runs a Makefile', isPlain ? {} : isCode);
  if (call.folder === undefined) return;
  const from = pathFrom(call.folder, inFolder);
  const texted = await Promise.all(
    makefiles.map(async (name) => surroundings.readFileText(`${from}/${name}`)),
  );
  const at = texted.findIndex((text) => text !== undefined);
  const path = `${from}/${makefiles[at] ?? ''}`;
  if (at < 0) return;
  const place = await surroundings.placeOf(path, {written});
  noteFollowed(notes, place.path, texted[at] ?? '');
  await notePlace(notes, 'runs', wordOf(path), {shell, call});
}
