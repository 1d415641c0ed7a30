/** Checks configuration, providers and the machine. Never shows a key. */

import {existsSync, readlinkSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

import type {Config} from '../../actors/config/schema.ts';
import type {InteractionRow, Journal, Sharing} from '../../actors/journal/journal.ts';
import {requireSoundPages} from '../../actors/journal/sqlite-store.ts';
import {journalBytes} from '../../actors/journal/sqlite.ts';
import {findProxy} from '../../actors/model/wire/faults.ts';
import {toolboxFor, toolingOf} from '../../actors/performers/tooling.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {type Message, t} from '../../machines/message.ts';
import {defaultLimits, type LimitSettings, limitsOf} from '../../tools/run/quota.ts';
import {createSandbox, createScopes, type SandboxOptions} from '../../tools/run/sandbox.ts';
import {temporaryFolders, temporaryProblem} from '../../tools/temporary-folder.ts';
import {codeOf} from '../config/file.ts';
import {routerOf} from '../config/in-effect.ts';
import type {ConfigFile, LoadedConfig} from '../config/load.ts';
import {dataFolder} from '../config/paths.ts';
import {type Reader, say} from '../language.ts';
import {journalFile, openJournal, openToRead, sharedAddress} from '../past/open-journal.ts';
import {bytesText} from '../render/numbers.ts';
import {padTo, proseRows, widthOfText, wrapWords} from '../render/text.ts';
import type {Environment} from '../terminal.ts';
import {type Check, failed, type Finding, findingOf, ok, warning} from './finding.ts';
import {checkModels} from './models.ts';

const marks = {ok: t`ok`, warning: t`warning`, failed: t`FAILED`, skipped: t`-`};

interface DoctorOptions extends Reader {
  /** An AppError when the configuration is invalid; everything else is checked all the same. */
  readonly loaded: LoadedConfig | AppError;
  readonly env: Environment;
  /** As of {@link Terminal}. */
  readonly journal?: string | undefined;
  readonly cwd: string;
  /** Also ask vendors, not only the user's own servers. */
  readonly online: boolean;
  /** Also list the open runs that this version can't resume. */
  readonly withRuns?: boolean;
  /** Time-out of a model's answer; absent: 30 s. */
  readonly waitMs?: number;
}

export interface DoctorReport {
  readonly findings: readonly Finding[];
  /** 0 if a run could start, else 2. */
  readonly exitCode: 0 | 2;
}

/** The findings are in the language of the options. Never rejects for its findings. */
export async function doctor(options: DoctorOptions): Promise<DoctorReport> {
  const {loaded, env, cwd, withRuns = false} = options;
  const sandboxing = loaded instanceof AppError ? {mode: 'auto' as const} : loaded.config.sandbox;
  const [sandbox, limits, git, data, journal, configured] = await Promise.all([
    checkSandbox(sandboxing, cwd),
    checkLimits(loaded instanceof AppError ? undefined : loaded.config.commands),
    checkGit(cwd),
    checkDataFolder(env),
    checkJournals(options),
    checkConfigured(options),
  ]);
  const system = [checkNode(process.versions.node), checkSqlite()];
  const proxy = checkProxy() ?? [];
  const temporary = checkTemporaryFolder();
  const runs = withRuns && journal.status === 'ok' ? await checkRuns(options) : [];
  const checks = [
    system,
    data,
    temporary,
    journal,
    git,
    sandbox,
    limits,
    proxy,
    configured,
    runs,
  ].flat();
  const findings = checks.map((check) => findingOf(check, options));
  return {findings, exitCode: findings.some(({status}) => status === 'failed') ? 2 : 0};
}

async function checkConfigured(options: DoctorOptions): Promise<Check[]> {
  const {loaded, env, cwd, waitMs = 30_000} = options;
  if (loaded instanceof AppError) {
    return [failed(t`configuration`, loaded.message)];
  }
  const router = routerOf(loaded, env);
  const [models, tools] = await Promise.all([
    checkModels({...options, loaded, router, waitMs}),
    checkTools(loaded.config, cwd),
  ]);
  return [...fileFindings(loaded), ...models, ...tools];
}

function fileFindings({files, warnings}: LoadedConfig): Check[] {
  return [
    ok(t`user file`, describe(files.user)),
    ok(t`project file`, describe(files.project)),
    ...warnings.map((each) => warning(t`configuration`, each)),
  ];
}

function describe({found, path, trusted}: ConfigFile): Message | string {
  if (!found) return t`none (${path})`;
  return trusted ? path : t`${path}, not trusted: may only tighten`;
}

/** With fewer columns for it, a detail is below its head. */
const leastDetail = 24;

/** The report as escaped lines of at most `width` columns: a mark, the checked part, the finding. */
export function doctorLines(
  {findings, exitCode}: DoctorReport,
  width = Number.POSITIVE_INFINITY,
  reader: Reader = {},
): string[] {
  const columns = {
    mark: widest(Object.values(marks).map((mark) => say(mark, reader))),
    what: widest(findings.map(({what}) => what)),
  };
  const rows = findings.flatMap(({what, status, detail}) => {
    const mark = `${padTo(say(marks[status], reader), columns.mark)}  `;
    return findingLines([mark, padTo(what, columns.what)], detail, width);
  });
  return [
    ...rows,
    '',
    ...wrapWords(
      exitCode === 0
        ? say(t`A run can start. Try: quorate ask "What is this project about?"`, reader)
        : say(t`A run cannot start: see what has FAILED.`, reader),
      width,
    ),
  ];
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(widthOfText));
}

function findingLines(
  [mark, what]: readonly [mark: string, what: string],
  detail: string,
  width: number,
): string[] {
  const head = `${mark}${what}  `;
  const isBelow = width - widthOfText(head) < leastDetail;
  const indent = ' '.repeat(widthOfText(isBelow ? mark : head));
  const [first = '', ...rest] = proseRows(detail, width, indent);
  return isBelow ? [head.trimEnd(), first, ...rest] : [head + first.slice(indent.length), ...rest];
}

// Checks the data sources of tools: documents, a database, the web.

/** A database that can't be opened keeps every run from starting: it is a tool of all of them. */
async function checkTools(config: Config, cwd: string): Promise<Check[]> {
  const {search, database, web} = config;
  const findings = [
    ok(t`documents`, t`quorate ask searches ${search.paths.join(', ')}`),
    ...(web.enabled ? [ok(t`web`, webText(web))] : []),
    ...(database.path === '' ? [] : [ok(t`database`, database.path)]),
  ];
  try {
    const tooling = toolingOf(config, resolve(cwd, config.agent.working_dir));
    await toolboxFor(tooling, {sandbox: createSandbox(config.sandbox), extra: []}).ready();
    return findings;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [failed(t`tools`, error.message)];
  }
}

function webText({allow_private: isPrivate}: Config['web']): Message {
  return isPrivate ? t`web_fetch, private addresses too` : t`web_fetch, public addresses only`;
}

// Checks the machine: Node, SQLite, the data folder, the sandbox, git.

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 15)) {
    return ok('Node', version);
  }
  const isOlderLine = major === 22 && minor >= 23;
  return isOlderLine
    ? ok('Node', t`${version}; databases can be asked with Node 24.15 or newer only`)
    : failed('Node', t`${version}; Node 24.15 or newer (or 22.23 of the line 22) is needed`);
}

function checkSqlite(): Check {
  const version = process.versions['sqlite'];
  if (version) return ok('SQLite', version);
  return failed('SQLite', t`this Node was built without it`);
}

/** Writes and removes a file in the data folder, as a journal needs. */
async function checkDataFolder(env: Environment): Promise<Check> {
  const what = t`data folder`;
  const folder = dataFolder(env);
  try {
    await mkdir(folder, {recursive: true, mode: 0o700});
    const probe = await mkdtemp(join(folder, 'doctor-'));
    try {
      await writeFile(join(probe, 'probe'), 'x');
    } finally {
      await rm(probe, {recursive: true});
    }
    return ok(what, folder);
  } catch (error) {
    const code = codeOf(error);
    const detail =
      code === 'ENOSPC'
        ? t`${folder}: its disk is full (ENOSPC); free some space`
        : t`${folder}: it can't be written (${code}); set QUORATE_HOME to a folder of yours`;
    return failed(what, detail);
  }
}

/** Where temporary files go. */
export function checkTemporaryFolder(folders: readonly string[] = temporaryFolders()): Check {
  const what = t`temporary folder`;
  const [wanted = ''] = folders;
  const problem = temporaryProblem(wanted);
  if (problem === undefined) return ok(what, wanted);
  const other = folders.find((folder) => temporaryProblem(folder) === undefined);
  const instead = other === undefined ? t`` : t`; ${other} is used instead`;
  const detail = t`${wanted} can't be used (${problem})${instead}; set TMPDIR to a folder that you can write`;
  return {what, status: other === undefined ? 'failed' : 'warning', detail};
}

/** Tries the sandbox in the folder, as a run would. */
async function checkSandbox(options: SandboxOptions, cwd: string): Promise<Check> {
  const what = t`sandbox`;
  const {mode} = options;
  if (mode === 'off') return warning(what, t`off: commands run unconfined`);
  const folder = await realpath(cwd).catch(() => tmpdir());
  const probed = await createSandbox(options).probe(folder).catch(toAppError);
  if (probed instanceof AppError) return failed(what, probed.message);
  if (probed.confined) {
    const detail = t`${mode}: commands are confined by ${probed.by}`;
    if (probed.by !== 'landlock') return ok(what, detail);
    return ok(
      what,
      t`${detail}, so they can open no socket (not even for [sandbox] network), and a killed Quorate leaves changes of protected places; bubblewrap has neither limit: ${await installHint()}`,
    );
  }
  const why = probed.why.includes('(bwrap) is not installed')
    ? t`${probed.why}; ${await installHint()}`
    : probed.why;
  return mode === 'required'
    ? failed(what, t`required, but ${why}`)
    : warning(what, t`${why}. Until then commands run unconfined`);
}

/** Tries the limits on memory and the number of a command's processes. */
async function checkLimits(settings: LimitSettings = defaultLimits): Promise<Check> {
  const what = t`limits`;
  const limits = limitsOf(settings);
  const problem = await createScopes().problem(limits);
  if (problem === undefined) {
    const memory = Math.floor(limits.memory / 1_048_576);
    return ok(
      what,
      t`a command gets at most ${memory} MB of memory and ${limits.processes} processes, by systemd`,
    );
  }
  return warning(
    what,
    t`nothing bounds the memory of commands as a whole, nor root's processes: ${problem}`,
  );
}

/** By the names of the system in `/etc/os-release` (`ID` and `ID_LIKE`). */
const installers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:debian|ubuntu)\b/, 'sudo apt install bubblewrap'],
  [/\b(?:fedora|rhel|centos)\b/, 'sudo dnf install bubblewrap'],
  [/\barch\b/, 'sudo pacman -S bubblewrap'],
  [/\bsuse\b/, 'sudo zypper install bubblewrap'],
  [/\balpine\b/, 'sudo apk add bubblewrap'],
];

async function installHint(): Promise<Message> {
  if (process.platform !== 'linux') return t`it exists for Linux only`;
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return installCommand(system);
}

/** The command that installs it, given the text of `/etc/os-release`. */
export function installCommand(system: string): Message {
  const ids = (system.match(/^ID(?:_LIKE)?=.*$/gm) ?? []).join(' ');
  const known = installers.find(([pattern]) => pattern.test(ids))?.[1];
  return known === undefined ? t`install the package bubblewrap of your system` : t`run: ${known}`;
}

async function checkJournals(place: JournalPlace): Promise<Check> {
  try {
    const shared = await sharedAddress(place);
    return shared === undefined ? await checkJournal(place.env) : await checkShared(place);
  } catch (error) {
    return failed(t`journal`, toAppError(error).message);
  }
}

type JournalPlace = Pick<DoctorOptions, 'env' | 'journal'>;

async function checkShared(place: JournalPlace): Promise<Check> {
  const {journal} = await openJournal(place);
  try {
    const sharing = await journal.sharing?.();
    return ok(t`journal`, sharing ? sharingText(sharing, await journal.log.list()) : '');
  } finally {
    await journal.close();
  }
}

function sharingText(
  {server, answerMs, owners, unclaimed: {runs: left, oldestMs}}: Sharing,
  rows: readonly InteractionRow[],
): Message {
  const open = rows.filter(({status}) => status === undefined).length;
  const held = owners.map(({host, pid, runs}) => `${host} (${pid}): ${runs}`).join(', ');
  const [ms, seconds] = [answerMs.toFixed(1), Math.round(oldestMs / 1000)];
  const about = t`${server}, answers in ${ms} ms; ${rows.length} {run|runs}, ${open} open`;
  const lag = t`; ${left} {waits|wait} for a worker, the oldest for ${seconds} s`;
  return t`${about}${left > 0 ? lag : ''}; open runs by process: ${held === '' ? t`none` : held}`;
}

/** Opens the journal as a run would, and reads all of it. */
export async function checkJournal(env: Environment): Promise<Check> {
  const what = t`journal`;
  const file = journalFile(env);
  if (!existsSync(file) && !isLink(file)) return ok(what, t`none yet`);
  try {
    const {journal} = await openJournal({env});
    try {
      requireSoundPages(file);
      return ok(what, await contentsOf(journal, file));
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failed(what, error.message);
  }
}

async function contentsOf({log, backups}: Journal, file: string): Promise<Message> {
  const rows = await log.list();
  const open = rows.filter(({status}) => status === undefined).length;
  const sizes = [...((await backups?.sizes()) ?? new Map<string, number>()).values()];
  const kept = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const [all, earlier] = [bytesText(journalBytes(file)), bytesText(kept)];
  return t`${file}; ${rows.length} {run|runs}, ${open} open; ${all}, of which ${earlier} keep earlier contents of files for undo`;
}

/** The open runs that this version can't resume. */
async function checkRuns(place: JournalPlace): Promise<Check[]> {
  const isShared = (await sharedAddress(place)) !== undefined;
  if (!isShared && !existsSync(journalFile(place.env))) return [];
  const journal = await openToRead(place);
  try {
    const {runStateOf} = await import('../../actors/sessions/run-state.ts');
    const open = (await journal.log.list()).filter(({status}) => status === undefined);
    const states = await Array.fromAsync(open, async (row) => await runStateOf(row, journal));
    return open.flatMap(({id, request}, index): Check[] => {
      const state = states[index];
      if (state !== 'outdated' && state !== 'damaged') return [];
      const detail =
        state === 'outdated'
          ? t`this version can't resume it, as another one recorded it; show, export, undo, cancel and fork work: ${request}`
          : t`no version can resume it, as its journal is damaged: ${request}`;
      return [warning(t`run ${id}`, detail)];
    });
  } finally {
    await journal.close();
  }
}

async function checkGit(cwd: string): Promise<Check> {
  try {
    const {execa} = await import('execa');
    const {stdout} = await execa('git', ['--version'], {cwd, timeout: 2_000});
    return ok('git', stdout.trim().replace(/^git version /, ''));
  } catch {
    return warning('git', t`not found; models often want to use it`);
  }
}

/** Undefined: none is set. */
function checkProxy(): Check | undefined {
  const proxy = findProxy('https:') ?? findProxy('http:');
  if (!proxy) return undefined;
  const {name, origin, isUsed} = proxy;
  const what = t`proxy`;
  if (isUsed) return ok(what, t`${name} is in use: ${origin}`);
  return warning(what, t`${name} is set but not used: set NODE_USE_ENV_PROXY=1 to use it`);
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

/** True for a dangling link, too. */
function isLink(path: string): boolean {
  try {
    readlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
