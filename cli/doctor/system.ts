/** Checks the machine: Node, SQLite, the data folder, the sandbox, git. */

import {existsSync, readlinkSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import {createControlGroups} from '../../tools/run/cgroup/control-groups.ts';
import {defaultLimits, type LimitSettings, limitsOf} from '../../tools/run/quota.ts';
import {createSandbox, type SandboxOptions} from '../../tools/run/sandbox.ts';
import {codeOf} from '../config/file.ts';
import {dataFolder} from '../config/paths.ts';
import {journalFile, openJournal} from '../past/open-journal.ts';
import {countText} from '../render/numbers.ts';
import type {Environment} from '../terminal.ts';
import type {Finding} from './finding.ts';

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 15)) {
    return {what: 'Node', status: 'ok', detail: version};
  }
  const isOlderLine = major === 22 && minor >= 23;
  const lack = isOlderLine
    ? 'databases can be asked with Node 24.15 or newer only'
    : 'Node 24.15 or newer (or 22.23 of the line 22) is needed';
  return {what: 'Node', status: isOlderLine ? 'ok' : 'failed', detail: `${version}; ${lack}`};
}

export function checkSqlite(): Finding {
  const version = process.versions['sqlite'];
  if (version) return {what: 'SQLite', status: 'ok', detail: version};
  return {what: 'SQLite', status: 'failed', detail: 'this Node was built without it'};
}

/** Writes and removes a file in the data folder, as a journal needs. */
export async function checkDataFolder(env: Environment): Promise<Finding> {
  const folder = dataFolder(env);
  try {
    await mkdir(folder, {recursive: true, mode: 0o700});
    const probe = await mkdtemp(join(folder, 'doctor-'));
    try {
      await writeFile(join(probe, 'probe'), 'x');
    } finally {
      await rm(probe, {recursive: true});
    }
    return {what: 'data folder', status: 'ok', detail: folder};
  } catch (error) {
    const code = codeOf(error);
    const remedy =
      code === 'ENOSPC'
        ? 'its disk is full (ENOSPC); free some space'
        : `it can't be written (${code}); set QUORATE_HOME to a folder of yours`;
    const detail = `${folder}: ${remedy}`;
    return {what: 'data folder', status: 'failed', detail};
  }
}

/** Tries the sandbox in the folder, as a run would. */
export async function checkSandbox(options: SandboxOptions, cwd: string): Promise<Finding> {
  const what = 'sandbox';
  const {mode} = options;
  if (mode === 'off') return {what, status: 'warning', detail: 'off: commands run unconfined'};
  const folder = await realpath(cwd).catch(() => tmpdir());
  const probed = await createSandbox(options).probe(folder);
  if (probed.confined) {
    return {what, status: 'ok', detail: `${mode}: commands are confined by ${probed.by}`};
  }
  const hint = probed.why.endsWith('is not installed') ? `; ${await installHint()}` : '';
  return mode === 'required'
    ? {what, status: 'failed', detail: `required, but ${probed.why}${hint}`}
    : {what, status: 'warning', detail: `${probed.why}${hint}. Until then commands run unconfined`};
}

/** Tries the limits on memory and the number of a command's processes. */
export async function checkLimits(settings: LimitSettings = defaultLimits): Promise<Finding> {
  const what = 'limits';
  const limits = limitsOf(settings);
  const problem = await createControlGroups().problem(limits);
  if (problem === undefined) {
    const memory = Math.floor(limits.memory / 1_048_576);
    const detail = `a command gets at most ${memory} MB of memory and ${limits.processes} processes`;
    return {what, status: 'ok', detail};
  }
  const detail = `nothing bounds the memory of commands, nor root's processes: ${problem}`;
  return {what, status: 'warning', detail};
}

/** By the names of the system in `/etc/os-release` (`ID` and `ID_LIKE`). */
const installers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:debian|ubuntu)\b/, 'sudo apt install bubblewrap'],
  [/\b(?:fedora|rhel|centos)\b/, 'sudo dnf install bubblewrap'],
  [/\barch\b/, 'sudo pacman -S bubblewrap'],
  [/\bsuse\b/, 'sudo zypper install bubblewrap'],
  [/\balpine\b/, 'sudo apk add bubblewrap'],
];

async function installHint(): Promise<string> {
  if (process.platform !== 'linux') return 'it exists for Linux only';
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return installCommand(system);
}

/** The command that installs it, given the text of `/etc/os-release`. */
export function installCommand(system: string): string {
  const ids = (system.match(/^ID(?:_LIKE)?=.*$/gm) ?? []).join(' ');
  const known = installers.find(([pattern]) => pattern.test(ids))?.[1];
  return known ? `run: ${known}` : 'install the package bubblewrap of your system';
}

/** Opens the journal as a run would. */
export async function checkJournal(env: Environment): Promise<Finding> {
  const what = 'journal';
  const file = journalFile(env);
  if (!existsSync(file) && !isLink(file)) return {what, status: 'ok', detail: 'none yet'};
  try {
    const journal = await openJournal({env});
    try {
      const {length} = await journal.log.list();
      return {what, status: 'ok', detail: `${file}; ${countText(length, 'run')}`};
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {what, status: 'failed', detail: error.message};
  }
}

export async function checkGit(cwd: string): Promise<Finding> {
  try {
    const {execa} = await import('execa');
    const {stdout} = await execa('git', ['--version'], {cwd, timeout: 2_000});
    return {what: 'git', status: 'ok', detail: stdout.trim().replace(/^git version /, '')};
  } catch {
    return {what: 'git', status: 'warning', detail: 'not found; models often want to use it'};
  }
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
