/** Checks the machine: Node, SQLite, the data folder, the sandbox, git. */

import {existsSync, readlinkSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import type {Journal} from '../../actors/journal/journal.ts';
import {journalBytes} from '../../actors/journal/sqlite-shrink.ts';
import {requireSoundPages} from '../../actors/journal/sqlite-store.ts';
import {findProxy} from '../../actors/model/wire/fault-text.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {defaultLimits, type LimitSettings, limitsOf} from '../../tools/run/quota.ts';
import {createSandbox, type SandboxOptions} from '../../tools/run/sandbox.ts';
import {createScopes} from '../../tools/run/scope.ts';
import {temporaryFolders, temporaryProblem} from '../../tools/temporary-folder.ts';
import {codeOf} from '../config/file.ts';
import {dataFolder} from '../config/paths.ts';
import {journalFile, openJournal, openToRead} from '../past/open-journal.ts';
import {bytesText} from '../render/numbers.ts';
import type {Environment} from '../terminal.ts';
import type {Finding} from './finding.ts';
import type {DoctorTexts} from './texts.ts';

export function checkNode(version: string, texts: DoctorTexts): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 15)) {
    return {what: 'Node', status: 'ok', detail: version};
  }
  const isOlderLine = major === 22 && minor >= 23;
  return isOlderLine
    ? {what: 'Node', status: 'ok', detail: texts.nodeWithoutDatabases(version)}
    : {what: 'Node', status: 'failed', detail: texts.nodeTooOld(version)};
}

export function checkSqlite(texts: DoctorTexts): Finding {
  const version = process.versions['sqlite'];
  if (version) return {what: 'SQLite', status: 'ok', detail: version};
  return {what: 'SQLite', status: 'failed', detail: texts.noSqlite};
}

/** Writes and removes a file in the data folder, as a journal needs. */
export async function checkDataFolder(env: Environment, texts: DoctorTexts): Promise<Finding> {
  const what = texts.parts.dataFolder;
  const folder = dataFolder(env);
  try {
    await mkdir(folder, {recursive: true, mode: 0o700});
    const probe = await mkdtemp(join(folder, 'doctor-'));
    try {
      await writeFile(join(probe, 'probe'), 'x');
    } finally {
      await rm(probe, {recursive: true});
    }
    return {what, status: 'ok', detail: folder};
  } catch (error) {
    const code = codeOf(error);
    const detail = code === 'ENOSPC' ? texts.diskFull(folder) : texts.notWritable(folder, code);
    return {what, status: 'failed', detail};
  }
}

/** Where temporary files go. */
export function checkTemporaryFolder(
  texts: DoctorTexts,
  folders: readonly string[] = temporaryFolders(),
): Finding {
  const what = texts.parts.temporaryFolder;
  const [wanted = ''] = folders;
  const problem = temporaryProblem(wanted);
  if (problem === undefined) return {what, status: 'ok', detail: wanted};
  const other = folders.find((folder) => temporaryProblem(folder) === undefined);
  const detail = texts.noTemporaryFolder(wanted, problem, other);
  return {what, status: other === undefined ? 'failed' : 'warning', detail};
}

/** Tries the sandbox in the folder, as a run would. */
export async function checkSandbox(
  options: SandboxOptions,
  cwd: string,
  texts: DoctorTexts,
): Promise<Finding> {
  const what = texts.parts.sandbox;
  const {mode} = options;
  if (mode === 'off') return {what, status: 'warning', detail: texts.unconfined};
  const folder = await realpath(cwd).catch(() => tmpdir());
  const probed = await createSandbox(options).probe(folder).catch(toAppError);
  if (probed instanceof AppError) return {what, status: 'failed', detail: probed.message};
  if (probed.confined) {
    const detail = texts.confined(mode, probed.by);
    if (probed.by !== 'landlock') return {what, status: 'ok', detail};
    return {what, status: 'ok', detail: texts.weaker(detail, await installHint(texts))};
  }
  const why = probed.why.includes('(bwrap) is not installed')
    ? texts.withHint(probed.why, await installHint(texts))
    : probed.why;
  return mode === 'required'
    ? {what, status: 'failed', detail: texts.requiredButMissing(why)}
    : {what, status: 'warning', detail: texts.unconfinedUntilThen(why)};
}

/** Tries the limits on memory and the number of a command's processes. */
export async function checkLimits(
  settings: LimitSettings = defaultLimits,
  texts: DoctorTexts,
): Promise<Finding> {
  const what = texts.parts.limits;
  const limits = limitsOf(settings);
  const problem = await createScopes().problem(limits);
  if (problem === undefined) {
    const memory = Math.floor(limits.memory / 1_048_576);
    return {what, status: 'ok', detail: texts.bounds(memory, limits.processes)};
  }
  return {what, status: 'warning', detail: texts.unbounded(problem)};
}

/** By the names of the system in `/etc/os-release` (`ID` and `ID_LIKE`). */
const installers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:debian|ubuntu)\b/, 'sudo apt install bubblewrap'],
  [/\b(?:fedora|rhel|centos)\b/, 'sudo dnf install bubblewrap'],
  [/\barch\b/, 'sudo pacman -S bubblewrap'],
  [/\bsuse\b/, 'sudo zypper install bubblewrap'],
  [/\balpine\b/, 'sudo apk add bubblewrap'],
];

async function installHint(texts: DoctorTexts): Promise<string> {
  if (process.platform !== 'linux') return texts.linuxOnly;
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return installCommand(system, texts);
}

/** The command that installs it, given the text of `/etc/os-release`. */
export function installCommand(system: string, texts: DoctorTexts): string {
  const ids = (system.match(/^ID(?:_LIKE)?=.*$/gm) ?? []).join(' ');
  const known = installers.find(([pattern]) => pattern.test(ids))?.[1];
  return known === undefined ? texts.installPackage : texts.run(known);
}

/** Opens the journal as a run would, and reads all of it. */
export async function checkJournal(env: Environment, texts: DoctorTexts): Promise<Finding> {
  const what = texts.parts.journal;
  const file = journalFile(env);
  if (!existsSync(file) && !isLink(file)) return {what, status: 'ok', detail: texts.noJournal};
  try {
    const journal = await openJournal({env});
    try {
      requireSoundPages(file);
      return {what, status: 'ok', detail: await contentsOf(journal, file, texts)};
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {what, status: 'failed', detail: error.message};
  }
}

async function contentsOf(
  {log, backups}: Journal,
  file: string,
  texts: DoctorTexts,
): Promise<string> {
  const rows = await log.list();
  const open = rows.filter(({status}) => status === undefined).length;
  const sizes = [...((await backups?.sizes()) ?? new Map<string, number>()).values()];
  const kept = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const [all, earlier] = [bytesText(journalBytes(file)), bytesText(kept)];
  return `${texts.runsIn(file, rows.length, open)}${texts.sizes(all, earlier)}`;
}

/** The open runs that this version can't resume. */
export async function checkRuns(env: Environment, texts: DoctorTexts): Promise<Finding[]> {
  if (!existsSync(journalFile(env))) return [];
  const journal = await openToRead({env});
  try {
    const {runStateOf} = await import('../../actors/sessions/run-state.ts');
    const open = (await journal.log.list()).filter(({status}) => status === undefined);
    const states = await Array.fromAsync(open, async (row) => await runStateOf(row, journal));
    return open.flatMap(({id, request}, index): Finding[] => {
      const state = states[index];
      if (state !== 'outdated' && state !== 'damaged') return [];
      const detail = texts.notResumable[state](request);
      return [{what: texts.parts.run(id), status: 'warning', detail}];
    });
  } finally {
    await journal.close();
  }
}

export async function checkGit(cwd: string, texts: DoctorTexts): Promise<Finding> {
  try {
    const {execa} = await import('execa');
    const {stdout} = await execa('git', ['--version'], {cwd, timeout: 2_000});
    return {what: 'git', status: 'ok', detail: stdout.trim().replace(/^git version /, '')};
  } catch {
    return {what: 'git', status: 'warning', detail: texts.noGit};
  }
}

/** Undefined: none is set. */
export function checkProxy(texts: DoctorTexts): Finding | undefined {
  const proxy = findProxy('https:') ?? findProxy('http:');
  if (!proxy) return undefined;
  const {name, origin, isUsed} = proxy;
  const what = texts.parts.proxy;
  if (isUsed) return {what, status: 'ok', detail: texts.proxyUsed(name, origin)};
  return {what, status: 'warning', detail: texts.proxyUnused(name)};
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
