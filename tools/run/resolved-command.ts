/** Resolves a command to the scripts and code files that it currently runs, and the restrictions that follow from them. */

import {hash} from 'node:crypto';

import {
  type Address,
  addressesIn,
  isThisMachine,
  namesHost,
  parseAddress,
} from '../../machines/places/address.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
import type {CommandAsked, Reading} from '../commands/reading.ts';
import type {Surroundings} from '../commands/surroundings.ts';
import {
  type Effect,
  type Followed,
  knownToGit,
  type SimpleCommand,
  usesGit,
} from '../commands/understanding.ts';
import type {Attempt} from '../containment/denial.ts';
import {escapeForTerminal, escapeLine} from '../escape.ts';
import {type FileText, readInside, sha256} from '../read/read.ts';
import type {PendingFiles} from '../tool.ts';

export interface ResolvedCommand {
  /** SHA-256 over the scripts and code files that it runs; undefined if it runs none. */
  readonly digest: string | undefined;
  /** It may not change git's data: it is not a known command of git, or runs code of the workspace or of packages. */
  readonly holdsGit: boolean;
  /** It only reads, as far as its words show: git's data need not be recorded. */
  readonly onlyReads: boolean;
  /** It is understood and may have git compare or commit files: see `Opening`. */
  readonly leavesTracked: boolean;
  /** It runs unknown code, or may, for another purpose than to install declared packages. */
  readonly isUnknown: boolean;
  /** Addresses that it would reach on its own network, and that no manifest of the project names. */
  readonly unnamed: readonly string[];
  /** It runs a file that is unknown to git, or that this run may have written: it gets no network. */
  readonly closesNetwork: boolean;
  /** Such files, and scripts that this run has changed, relative to the workspace: those that the run has written first. */
  readonly unknownFiles: readonly string[];
  /** In any position, also in scripts that it runs. */
  readonly commands: readonly SimpleCommand[];
  /** The scripts, and the files with their hashes, for its reviewers. Unknown code with its content. */
  readonly shown: readonly string[];
}

const maxShown = 12_000;

/** Never rejects. */
export async function resolveCommand(asked: CommandAsked): Promise<ResolvedCommand> {
  const {readCommand} = await import('../commands/reading.ts');
  const {workspace, pending = new Map()} = asked;
  const reading = await readCommand(asked);
  const {understanding, surroundings, written: own} = reading;
  const {effects, unknown, followed, commands} = understanding;
  const runsCode = effects.some(({kind}) => kind === 'runs' || kind === 'installs');
  const hasGit = effects.some(isOfUnknownCode) && (await isVersioned(surroundings));
  const code = codeIn(effects, {workspace, hasGit, pending});
  const holdsGit = unknown.length > 0 || runsCode;
  const runsFile = code.some(({isUnknown}) => isUnknown);
  const mayRunAny = unknown.some(({isCode}) => isCode);
  return {
    digest: digestOf(followed, code),
    holdsGit,
    onlyReads: unknown.length === 0 && effects.every(({kind}) => /^(?:reads|lists)$/.test(kind)),
    leavesTracked: !holdsGit && usesGit({commands}),
    closesNetwork: runsFile,
    unknownFiles: unknownFiles(code, followed, own),
    isUnknown: mayRunAny || runsUnknownCode(effects, code),
    unnamed: await unnamedAddresses(reading),
    commands,
    shown: [...shownOf(followed, own), ...shownCode(code)],
  };
}

/** Package managers run the code that the workspace declares, and change packages: that is their purpose. */
function runsUnknownCode(effects: readonly Effect[], code: readonly Code[]): boolean {
  const installers = new Set(effects.flatMap(({kind, by}) => (kind === 'installs' ? [by] : [])));
  const unknown = new Set(code.flatMap(({isUnknown, path}) => (isUnknown ? [path] : [])));
  return effects.some(
    ({kind, place, by}) => kind === 'runs' && unknown.has(place?.path ?? '') && !installers.has(by),
  );
}

function unknownFiles(
  code: readonly Code[],
  followed: readonly Followed[],
  own: readonly string[],
): readonly string[] {
  const scripts = followed.flatMap(({name}) => own.filter((path) => isIn(name, [path])));
  const files = code.filter(({isUnknown}) => isUnknown).toSorted((a, b) => rank(a) - rank(b));
  return [...new Set([...scripts, ...files.map(({path}) => path)])];
}

/** Git does not know it, so this run may have written it. */
function isOfUnknownCode({kind, place}: Effect): boolean {
  return (
    kind === 'runs' && place !== undefined && place.path !== '' && !knownToGit.has(place.state)
  );
}

interface Code {
  readonly path: string;
  /** SHA-256, or the reason why it can't be read. */
  readonly held: string;
  /** Undefined: it is not to be shown. */
  readonly text: string | undefined;
  readonly isOwn: boolean;
  /** Git does not know it, or this run may have written it. */
  readonly isUnknown: boolean;
  readonly isReached: boolean;
}

/** Without git every file counts as known, unless this run wrote it. */
async function isVersioned({files}: Surroundings): Promise<boolean> {
  const found = await files();
  return !found || found.tracked.length + found.untracked.length > 0;
}

const maxFiles = 1_000;

interface CodePlace {
  readonly workspace: string;
  readonly hasGit: boolean;
  readonly pending: PendingFiles;
}

/** Files that a program of another language runs: `node a.js`, and unknown files that a runner loads. */
function codeIn(
  effects: readonly Effect[],
  {workspace, hasGit, pending}: CodePlace,
): readonly Code[] {
  const runs = effects.filter(
    ({kind, place, wide}) => kind === 'runs' && place?.inside && !place.isFolder && !wide,
  );
  const byPath = new Map(runs.toReversed().map((effect) => [effect.place?.path ?? '', effect]));
  return [...byPath]
    .toReversed()
    .slice(0, maxFiles)
    .map(([path, effect]) => {
      const file = codeFile(workspace, path, pending);
      const isOwn = effect.place?.state === 'written';
      const isUnknown = isOwn || (hasGit && isOfUnknownCode(effect));
      return {
        path,
        held: heldText(file),
        text:
          file.ok && isUnknown && !isCredentialPlace(path) ? textIn(file.value.bytes) : undefined,
        isOwn,
        isUnknown,
        isReached: effect.isReached === true,
      };
    });
}

const notThere = 'that does not exist yet';

function heldText(file: ReturnType<typeof codeFile>): string {
  if (file.ok) return `with the SHA-256 ${sha256(file.value.bytes)}`;
  return file.denial.code === 'not_found' ? notThere : `that can't be read: ${file.denial.code}`;
}

function codeFile(
  workspace: string,
  path: string,
  pending: PendingFiles,
): Attempt<Pick<FileText, 'bytes'>> {
  const text = pending.get(path);
  return text === undefined
    ? readInside(workspace, path)
    : {ok: true, value: {bytes: Buffer.from(text)}};
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Covers only the scripts in a manifest, as its other parts may change. Unknown code follows after a `+`; a person's
 * standing rule is bound to the part before it.
 */
function digestOf(followed: readonly Followed[], code: readonly Code[]): string | undefined {
  const scripts = followed.map(({name, text, hash: whole}) => [name, isCut(text) ? whole : text]);
  const files = (isWanted: (each: Code) => boolean) =>
    code.filter(isWanted).map(({path, held}) => [path, held]);
  const named = hashOf([...scripts, ...files(({isReached}) => !isReached)]);
  const unknown = hashOf(files(({isReached, isUnknown}) => isReached || isUnknown));
  return unknown === undefined ? named : `${named ?? ''}+${unknown}`;
}

function hashOf(parts: readonly (readonly string[])[]): string | undefined {
  return parts.length === 0 ? undefined : hash('sha256', JSON.stringify(parts));
}

/** `Followed.text` was cut. */
function isCut(text: string): boolean {
  return text.length >= 20_000;
}

function shownOf(followed: readonly Followed[], changed: readonly string[]): readonly string[] {
  let room = maxShown;
  return followed.flatMap(({name, hash: whole, text}) => {
    const most = room;
    room -= Math.min(text.length, room);
    const file = `a file${authorOf(isIn(name, changed))} with the SHA-256 ${whole}`;
    return [`it runs ${escapeLine(name)}, of ${file}:`, ...quotedLines(text, most)];
  });
}

/** Unknown code first, with its content: the files share the room. */
function shownCode(code: readonly Code[]): readonly string[] {
  const first = code.toSorted((a, b) => rank(a) - rank(b));
  const most = shareOf(first.map(({text = ''}) => text.length));
  return first.map(({path, held, text, isOwn, isUnknown}) => {
    const author = isUnknown && !isOwn ? ' that git does not know,' : authorOf(isOwn);
    const line = `it runs ${escapeLine(path)}, a file${held === notThere ? '' : author} ${held}`;
    return text === undefined ? line : `${line}:\n${quotedLines(text, most).join('\n')}`;
  });
}

function rank({isOwn, isUnknown}: Code): number {
  if (isOwn) return 0;
  return isUnknown ? 1 : 2;
}

/** The length limit of each text with which all of them together fit into the room. */
function shareOf(lengths: readonly number[]): number {
  let room = maxShown;
  const sorted = lengths.toSorted((a, b) => a - b);
  for (const [at, length] of sorted.entries()) {
    const share = Math.floor(room / (sorted.length - at));
    if (length > share) return share;
    room -= length;
  }
  return maxShown;
}

/** Each line is prefixed, so that it can't be mistaken for one of Quorate's own. */
function quotedLines(text: string, most: number): readonly string[] {
  const part = text.slice(0, most).toWellFormed();
  const cut =
    part.length < text.length ? [`  [cut: ${text.length - part.length} more characters]`] : [];
  const lines = escapeForTerminal(part.trimEnd())
    .split('\n')
    .map((line) => `  ${line}`);
  return [...lines, ...cut];
}

function isIn(name: string, changed: readonly string[]): boolean {
  return changed.some((path) => name === path || name.startsWith(`${path}: `));
}

function authorOf(isOwn: boolean): string {
  return isOwn ? ' that was written in this run,' : '';
}

// Addresses that a command would contact and that no manifest of the project names.

/**
 * If the command contacts any address, all addresses in its words count: a proxy, a registry, a setting that leads elsewhere.
 * Manifests that the run has changed name none. Never rejects.
 */
async function unnamedAddresses({
  understanding: {effects, commands},
  surroundings,
  written,
}: Reading): Promise<readonly string[]> {
  if (!effects.some((effect) => goesOut(effect) || effect.kind === 'installs')) return [];
  const known = await projectAddresses(surroundings, (path) => written.includes(path));
  const strange = reachingUnknown(effects, known);
  const texts = strange.map(({target}) => target);
  return [...new Set([...texts, ...addressesGiven(commands, known, texts)])];
}

function addressesGiven(
  commands: readonly SimpleCommand[],
  known: readonly Address[],
  listed: readonly string[],
): readonly string[] {
  const words = commands.flatMap(({args, assignments}) => [...args, ...Object.values(assignments)]);
  return words
    .flatMap(({text}) => addressesIn(text))
    .filter((address) => !isThisMachine(address) && !namesHost(known, address))
    .filter(({host}) => !listed.some((text) => text.toLowerCase().includes(host)))
    .map(({host, rest}) => host + rest);
}

/** It reaches a computer. Packages come from their managers' registries, unless an address names them. */
function goesOut({kind, target}: Effect): boolean {
  return kind === 'fetches' || kind === 'sends' || (kind === 'installs' && isSource(target));
}

/** An address, or a module named by its host. */
function isSource(target: string): boolean {
  return /:\/\/|@[\w.-]+:|^[\w-]+(?:\.[\w-]+)+\//.test(target);
}

/** Also for packages: `git+https://…`, `name@https://…`. */
function addressReached({target}: Effect): Address | undefined {
  return parseAddress(target.replace(/^(?:[\w.@/-]+@)?(?:git\+)?(?=[a-z]+:\/\/)/i, ''));
}

/** Effects that reach another computer whose host is not in `known`. */
function reachingUnknown(effects: readonly Effect[], known: readonly Address[]): readonly Effect[] {
  return effects.filter((effect) => {
    if (!goesOut(effect) || effect.isOwn) return false;
    const address = addressReached(effect);
    return !address || !(isThisMachine(address) || namesHost(known, address));
  });
}

const npm = ['registry.npmjs.org'];
const python = ['pypi.org', 'files.pythonhosted.org'];
const rust = ['crates.io', 'static.crates.io', 'index.crates.io'];

/** Manifests, with the registries that package managers use when a manifest names none. */
const manifests: Readonly<Record<string, readonly string[]>> = {
  'package.json': npm,
  'package-lock.json': npm,
  'npm-shrinkwrap.json': npm,
  'yarn.lock': npm,
  'pnpm-lock.yaml': npm,
  'pyproject.toml': python,
  'requirements.txt': python,
  'requirements-dev.txt': python,
  Pipfile: python,
  'Cargo.toml': rust,
  'Cargo.lock': rust,
  'go.mod': ['proxy.golang.org', 'sum.golang.org'],
  Gemfile: ['rubygems.org'],
  'Gemfile.lock': ['rubygems.org'],
  'composer.json': ['packagist.org', 'repo.packagist.org'],
  'pom.xml': ['repo.maven.apache.org'],
  'build.gradle': ['repo.maven.apache.org'],
  'build.gradle.kts': ['repo.maven.apache.org'],
  Dockerfile: [],
  Containerfile: [],
  'compose.yaml': [],
  'compose.yml': [],
  'docker-compose.yaml': [],
  'docker-compose.yml': [],
  '.gitmodules': [],
  '.git/config': [],
};

/** A registry before the name of an image, a host before the name of a module. */
const withoutScheme =
  /^\s*(?:from|image:|require|replace)?\s*"?([\w-]+(?:\.[\w-]+)+(?::\d+)?)\/\S/gim;

/** `isChanged`: this run changed the manifest, so it is not trusted. Never rejects. */
async function projectAddresses(
  {readFileText}: Surroundings,
  isChanged: (path: string) => boolean,
): Promise<readonly Address[]> {
  const paths = Object.keys(manifests).filter((path) => !isChanged(path));
  const texts = await Promise.all(paths.map(readFileText));
  return paths.flatMap((path, at) => {
    const text = texts[at];
    return text === undefined ? [] : namedIn(path, text);
  });
}

function namedIn(path: string, text: string): readonly Address[] {
  const isBare = /^(?:Docker|Container)file$|compose|^go\.mod$/.test(path);
  const bare = isBare ? [...text.matchAll(withoutScheme)] : [];
  const hosts = [...(manifests[path] ?? []), ...bare.map(([, host = '']) => host)];
  return [...addressesIn(text), ...hosts.flatMap(hostNamed)];
}

function hostNamed(host: string): readonly Address[] {
  const address = parseAddress(host);
  return address ? [address] : [];
}
