/** Checks the machine: Node, SQLite, the data folder, the sandbox, git. */

import {existsSync, readlinkSync} from 'node:fs';
import {mkdir, mkdtemp, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import type {Journal} from '../../actors/journal/journal.ts';
import {requireSoundPages} from '../../actors/journal/sqlite-store.ts';
import {journalBytes} from '../../actors/journal/sqlite.ts';
import {findProxy} from '../../actors/model/wire/faults.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import {defaultLimits, type LimitSettings, limitsOf} from '../../tools/run/quota.ts';
import {createSandbox, createScopes, type SandboxOptions} from '../../tools/run/sandbox.ts';
import {temporaryFolders, temporaryProblem} from '../../tools/temporary-folder.ts';
import {codeOf} from '../config/file.ts';
import {dataFolder} from '../config/paths.ts';
import {say, type Reader} from '../language.ts';
import {journalFile, openJournal, openToRead} from '../past/open-journal.ts';
import {bytesText} from '../render/numbers.ts';
import type {Environment} from '../terminal.ts';
import type {Finding} from './doctor.ts';

export function checkNode(version: string, reader: Reader): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 15)) {
    return {what: 'Node', status: 'ok', detail: version};
  }
  const isOlderLine = major === 22 && minor >= 23;
  return isOlderLine
    ? {
        what: 'Node',
        status: 'ok',
        detail: say(t`${version}; databases can be asked with Node 24.15 or newer only`, reader),
      }
    : {
        what: 'Node',
        status: 'failed',
        detail: say(t`${version}; Node 24.15 or newer (or 22.23 of the line 22) is needed`, reader),
      };
}

export function checkSqlite(reader: Reader): Finding {
  const version = process.versions['sqlite'];
  if (version) return {what: 'SQLite', status: 'ok', detail: version};
  return {what: 'SQLite', status: 'failed', detail: say(t`this Node was built without it`, reader)};
}

/** Writes and removes a file in the data folder, as a journal needs. */
export async function checkDataFolder(env: Environment, reader: Reader): Promise<Finding> {
  const what = say(t`data folder`, reader);
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
    const detail =
      code === 'ENOSPC'
        ? say(t`${folder}: its disk is full (ENOSPC); free some space`, reader)
        : say(
            t`${folder}: it can't be written (${code}); set QUORATE_HOME to a folder of yours`,
            reader,
          );
    return {what, status: 'failed', detail};
  }
}

/** Where temporary files go. */
export function checkTemporaryFolder(
  reader: Reader,
  folders: readonly string[] = temporaryFolders(),
): Finding {
  const what = say(t`temporary folder`, reader);
  const [wanted = ''] = folders;
  const problem = temporaryProblem(wanted);
  if (problem === undefined) return {what, status: 'ok', detail: wanted};
  const other = folders.find((folder) => temporaryProblem(folder) === undefined);
  const instead = other === undefined ? t`` : t`; ${other} is used instead`;
  const detail = say(
    t`${wanted} can't be used (${problem})${instead}; set TMPDIR to a folder that you can write`,
    reader,
  );
  return {what, status: other === undefined ? 'failed' : 'warning', detail};
}

/** Tries the sandbox in the folder, as a run would. */
export async function checkSandbox(
  options: SandboxOptions,
  cwd: string,
  reader: Reader,
): Promise<Finding> {
  const what = say(t`sandbox`, reader);
  const {mode} = options;
  if (mode === 'off')
    return {what, status: 'warning', detail: say(t`off: commands run unconfined`, reader)};
  const folder = await realpath(cwd).catch(() => tmpdir());
  const probed = await createSandbox(options).probe(folder).catch(toAppError);
  if (probed instanceof AppError) return {what, status: 'failed', detail: probed.message};
  if (probed.confined) {
    const detail = say(t`${mode}: commands are confined by ${probed.by}`, reader);
    if (probed.by !== 'landlock') return {what, status: 'ok', detail};
    return {
      what,
      status: 'ok',
      detail: say(
        t`${detail}, so they can open no socket (not even for [sandbox] network), and a killed Quorate leaves changes of protected places; bubblewrap has neither limit: ${await installHint(reader)}`,
        reader,
      ),
    };
  }
  const why = probed.why.includes('(bwrap) is not installed')
    ? say(t`${probed.why}; ${await installHint(reader)}`, reader)
    : probed.why;
  return mode === 'required'
    ? {what, status: 'failed', detail: say(t`required, but ${why}`, reader)}
    : {what, status: 'warning', detail: say(t`${why}. Until then commands run unconfined`, reader)};
}

/** Tries the limits on memory and the number of a command's processes. */
export async function checkLimits(
  settings: LimitSettings = defaultLimits,
  reader: Reader,
): Promise<Finding> {
  const what = say(t`limits`, reader);
  const limits = limitsOf(settings);
  const problem = await createScopes().problem(limits);
  if (problem === undefined) {
    const memory = Math.floor(limits.memory / 1_048_576);
    return {
      what,
      status: 'ok',
      detail: say(
        t`a command gets at most ${memory} MB of memory and ${limits.processes} processes, by systemd`,
        reader,
      ),
    };
  }
  return {
    what,
    status: 'warning',
    detail: say(
      t`nothing bounds the memory of commands as a whole, nor root's processes: ${problem}`,
      reader,
    ),
  };
}

/** By the names of the system in `/etc/os-release` (`ID` and `ID_LIKE`). */
const installers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:debian|ubuntu)\b/, 'sudo apt install bubblewrap'],
  [/\b(?:fedora|rhel|centos)\b/, 'sudo dnf install bubblewrap'],
  [/\barch\b/, 'sudo pacman -S bubblewrap'],
  [/\bsuse\b/, 'sudo zypper install bubblewrap'],
  [/\balpine\b/, 'sudo apk add bubblewrap'],
];

async function installHint(reader: Reader): Promise<string> {
  if (process.platform !== 'linux') return say(t`it exists for Linux only`, reader);
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return installCommand(system, reader);
}

/** The command that installs it, given the text of `/etc/os-release`. */
export function installCommand(system: string, reader: Reader): string {
  const ids = (system.match(/^ID(?:_LIKE)?=.*$/gm) ?? []).join(' ');
  const known = installers.find(([pattern]) => pattern.test(ids))?.[1];
  return known === undefined
    ? say(t`install the package bubblewrap of your system`, reader)
    : say(t`run: ${known}`, reader);
}

/** Opens the journal as a run would, and reads all of it. */
export async function checkJournal(env: Environment, reader: Reader): Promise<Finding> {
  const what = say(t`journal`, reader);
  const file = journalFile(env);
  if (!existsSync(file) && !isLink(file))
    return {what, status: 'ok', detail: say(t`none yet`, reader)};
  try {
    const journal = await openJournal({env});
    try {
      requireSoundPages(file);
      return {what, status: 'ok', detail: await contentsOf(journal, file, reader)};
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {what, status: 'failed', detail: error.message};
  }
}

async function contentsOf({log, backups}: Journal, file: string, reader: Reader): Promise<string> {
  const rows = await log.list();
  const open = rows.filter(({status}) => status === undefined).length;
  const sizes = [...((await backups?.sizes()) ?? new Map<string, number>()).values()];
  const kept = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const [all, earlier] = [bytesText(journalBytes(file)), bytesText(kept)];
  return `${say(t`${file}; ${rows.length} {run|runs}, ${open} open`, reader)}${say(t`; ${all}, of which ${earlier} keep earlier contents of files for undo`, reader)}`;
}

/** The open runs that this version can't resume. */
export async function checkRuns(env: Environment, reader: Reader): Promise<Finding[]> {
  if (!existsSync(journalFile(env))) return [];
  const journal = await openToRead({env});
  try {
    const {runStateOf} = await import('../../actors/sessions/run-state.ts');
    const open = (await journal.log.list()).filter(({status}) => status === undefined);
    const states = await Array.fromAsync(open, async (row) => await runStateOf(row, journal));
    return open.flatMap(({id, request}, index): Finding[] => {
      const state = states[index];
      if (state !== 'outdated' && state !== 'damaged') return [];
      const detail =
        state === 'outdated'
          ? say(
              t`this version can't resume it, as another one recorded it; show, export, undo, cancel and fork work: ${request}`,
              reader,
            )
          : say(t`no version can resume it, as its journal is damaged: ${request}`, reader);
      return [{what: say(t`run ${id}`, reader), status: 'warning', detail}];
    });
  } finally {
    await journal.close();
  }
}

export async function checkGit(cwd: string, reader: Reader): Promise<Finding> {
  try {
    const {execa} = await import('execa');
    const {stdout} = await execa('git', ['--version'], {cwd, timeout: 2_000});
    return {what: 'git', status: 'ok', detail: stdout.trim().replace(/^git version /, '')};
  } catch {
    return {
      what: 'git',
      status: 'warning',
      detail: say(t`not found; models often want to use it`, reader),
    };
  }
}

/** Undefined: none is set. */
export function checkProxy(reader: Reader): Finding | undefined {
  const proxy = findProxy('https:') ?? findProxy('http:');
  if (!proxy) return undefined;
  const {name, origin, isUsed} = proxy;
  const what = say(t`proxy`, reader);
  if (isUsed) return {what, status: 'ok', detail: say(t`${name} is in use: ${origin}`, reader)};
  return {
    what,
    status: 'warning',
    detail: say(t`${name} is set but not used: set NODE_USE_ENV_PROXY=1 to use it`, reader),
  };
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
