/** The files with which a folder configures Quorate, the servers that its .mcp.json names, their hash, and whether the user trusts exactly that. */

import {createHash} from 'node:crypto';
import {chmod, mkdir, readFile, realpath, rename, writeFile} from 'node:fs/promises';
import {join, relative, resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import {namedFiles} from '../../tools/mcp/start-place.ts';
import type {Environment} from '../terminal.ts';
import {codeOf, type ConfigText, readConfigFile} from './file.ts';
import {dataFolder, mcpFileName, projectFileName} from './paths.ts';

/** The files of a folder, each read once: what is used is what was hashed. */
export interface FolderContent {
  /** Absolute, links resolved. */
  readonly folder: string;
  /** Over the names and bytes of both files, and of the files that `.mcp.json` names; 64 hex digits. */
  readonly hash: string;
  readonly project?: ConfigText;
  readonly mcp?: ConfigText;
  /** Why `.mcp.json` can't be used, such as a link. It is never trusted then. */
  readonly mcpProblem?: AppError;
}

/** Throws AppError `config` for a `quorate.toml` that is not a readable file, and for a folder that does not exist. */
export async function readFolder(given: string): Promise<FolderContent> {
  const folder = await resolved(given);
  const project = await readConfigFile(join(folder, projectFileName));
  const servers = await readServers(join(folder, mcpFileName));
  return {
    folder,
    hash: hashOf([
      [projectFileName, stateOf(project)],
      [mcpFileName, servers.mcpProblem ? 'unusable' : stateOf(servers.mcp)],
      ...filesOfRows(folder, servers.mcp),
    ]),
    ...(project ? {project} : {}),
    ...servers,
  };
}

/** The files of the folder that the rows of `.mcp.json` name: a server runs them. */
function filesOfRows(folder: string, mcp: ConfigText | undefined): [string, string][] {
  const rows = mcp ? rowTexts(mcp.text) : [];
  return rows.flatMap(({cwd, texts}) =>
    namedFiles(texts, resolve(folder, cwd)).map(({path, sha256}): [string, string] => [
      relative(folder, path),
      sha256,
    ]),
  );
}

function stateOf(file: ConfigText | undefined): string {
  return file?.sha256 ?? 'missing';
}

function hashOf(files: readonly (readonly [name: string, state: string])[]): string {
  return createHash('sha256').update(JSON.stringify(files)).digest('hex');
}

async function resolved(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return folder;
    throw new AppError('config', `${folder} can't be read (${code})`, {cause});
  }
}

async function readServers(path: string): Promise<Pick<FolderContent, 'mcp' | 'mcpProblem'>> {
  try {
    const mcp = await readConfigFile(path);
    return mcp ? {mcp} : {};
  } catch (error) {
    if (error instanceof AppError) return {mcpProblem: error};
    throw error;
  }
}

/**
 * True when the user trusts this folder with exactly these files. Earlier versions trusted `quorate.toml` alone: that is enough for a
 * folder without other files.
 */
export async function isTrusted(content: FolderContent, env: Environment): Promise<boolean> {
  const {folder, hash, project, mcp, mcpProblem} = content;
  if (mcpProblem || (!project && !mcp)) return false;
  const alone = project && !mcp ? {[join(folder, projectFileName)]: project.sha256} : {};
  return await isListed({[folder]: hash, ...alone}, env);
}

/** Trusts the folder with these files. Throws AppError `not_found` when there are none, `config` for a file that can't be used, `io`. */
export async function trustContent(content: FolderContent, env: Environment): Promise<void> {
  requireContent(content);
  const {folder: path, hash} = content;
  await addTrust({path, hash, replaces: join(path, projectFileName)}, env);
}

/** Throws AppError `not_found` when there is nothing to trust, `config` for a file that can't be used. */
export function requireContent({folder, project, mcp, mcpProblem}: FolderContent): void {
  if (mcpProblem) throw mcpProblem;
  if (project || mcp) return;
  throw new AppError(
    'not_found',
    t`there is nothing to trust in ${folder}: neither ${projectFileName} nor ${mcpFileName}`,
  );
}

interface TrustedContent {
  readonly isTrusted: boolean;
  readonly hash: string;
  /** The exact texts that were hashed, also of a folder that is not trusted. */
  readonly files: {readonly [mcpFileName]?: string};
}

/** For the client of MCP servers: the servers of a folder may be started only if `isTrusted`. Rejects as `readFolder` does. */
export async function trustedContent(folder: string, env: Environment): Promise<TrustedContent> {
  const content = await readFolder(folder);
  const {hash, mcp} = content;
  return {
    isTrusted: await isTrusted(content, env),
    hash,
    files: mcp ? {[mcpFileName]: mcp.text} : {},
  };
}

// The list of trusted folders, `trusted.json`, by path and content. A damaged list trusts nothing.

/** SHA-256 by the real path of a folder, or, from earlier versions, of a project file. */
type Trusted = Readonly<Record<string, string>>;

/** True when the list has one of these hashes for its path. */
async function isListed(
  hashes: Readonly<Record<string, string>>,
  env: Environment,
): Promise<boolean> {
  const trusted = await readTrusted(env);
  return Object.entries(hashes).some(
    ([path, hash]) => Object.hasOwn(trusted, path) && trusted[path] === hash,
  );
}

/** Adds a path to the list, and removes the paths that it replaces. Throws AppError `io` when the data folder can't be written. */
async function addTrust(
  {path, hash, replaces}: {readonly path: string; readonly hash: string; readonly replaces: string},
  env: Environment,
): Promise<void> {
  const {[replaces]: _, ...others} = await readTrusted(env);
  await writeTrusted({...others, [path]: hash}, dataFolder(env));
}

async function readTrusted(env: Environment): Promise<Trusted> {
  try {
    const text = await readFile(join(dataFolder(env), 'trusted.json'), 'utf8');
    const files: unknown = JSON.parse(text);
    if (typeof files !== 'object' || files === null) return {};
    return Object.fromEntries(Object.entries(files).map(([path, hash]) => [path, String(hash)]));
  } catch {
    return {};
  }
}

async function writeTrusted(files: Trusted, folder: string): Promise<void> {
  const path = join(folder, 'trusted.json');
  const draft = `${path}.${process.pid}`;
  try {
    await mkdir(folder, {recursive: true, mode: 0o700});
    await writeFile(draft, `${JSON.stringify(files, null, 2)}\n`, {mode: 0o600});
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (cause) {
    throw new AppError(
      'io',
      `${path} can't be written (${codeOf(cause)}); check the folder or set QUORATE_HOME`,
      {cause},
    );
  }
}

// The servers that a `.mcp.json` names, as it names them: for people to read. Nothing is started.

export interface NamedServer {
  readonly name: string;
  /** The program and its arguments; absent for a server that is reached by its address. */
  readonly argv?: readonly string[];
  /** The names of its environment variables. */
  readonly env: readonly string[];
  /** Everything else about it. Of HTTP headers, only the names. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** `problem`: why the text is not a list of servers. */
export type NamedServers =
  | {readonly ok: true; readonly servers: readonly NamedServer[]}
  | {readonly ok: false; readonly problem: string};

export function serversIn(text: string): NamedServers {
  try {
    const document: unknown = JSON.parse(text);
    const servers = tableIn(tableIn(document)?.['mcpServers']);
    if (!servers) return {ok: false, problem: 'it has no table "mcpServers"'};
    return {ok: true, servers: Object.entries(servers).map(toServer)};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {ok: false, problem: error.message};
  }
}

/** Every text of each row, with the defaults of its variables, and the folder that it starts in. */
function rowTexts(text: string): {readonly cwd: string; readonly texts: readonly string[]}[] {
  try {
    const rows = tableIn(tableIn(JSON.parse(text))?.['mcpServers']) ?? {};
    return Object.values(rows).map((row) => {
      const cwd = tableIn(row)?.['cwd'];
      return {cwd: typeof cwd === 'string' ? cwd : '.', texts: textsIn(row)};
    });
  } catch {
    return [];
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.replaceAll(/\$\{\w+(?::-([^}]*))?\}/g, '$1')];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.values(tableIn(value) ?? {}).flatMap(textsIn);
}

function toServer([name, given]: readonly [string, unknown]): NamedServer {
  const {command, args, env, headers, ...more} = tableIn(given) ?? {value: given};
  return {
    name,
    ...(command === undefined ? {} : {argv: [command, args ?? []].flat().map(wordOf)}),
    env: Object.keys(tableIn(env) ?? {}),
    more: headers === undefined ? more : {...more, headers: Object.keys(tableIn(headers) ?? {})},
  };
}

function wordOf(word: unknown): string {
  return typeof word === 'string' ? word : (JSON.stringify(word) ?? '');
}

function tableIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isTable ? Object.fromEntries(Object.entries(value)) : undefined;
}
