/** What the machine offers: Node, SQLite, a place for data, a sandbox, git. */

import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {createSandbox, type SandboxMode} from '../../tools/run/sandbox.ts';
import {codeOf} from '../config/file.ts';
import {dataFolder} from '../config/paths.ts';
import type {Environment} from '../terminal.ts';
import type {Finding} from './finding.ts';

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > 24 || (major === 24 && minor >= 15);
  const detail = isEnough ? version : `${version}; Node 24.15 or newer is needed`;
  return {what: 'Node', status: isEnough ? 'ok' : 'failed', detail};
}

export function checkSqlite(): Finding {
  const version = process.versions['sqlite'];
  if (version) return {what: 'SQLite', status: 'ok', detail: version};
  return {what: 'SQLite', status: 'failed', detail: 'this Node was built without it'};
}

/** Writes and removes a file there, which is what a journal needs. */
export async function checkDataFolder(env: Environment): Promise<Finding> {
  const folder = dataFolder(env);
  try {
    await mkdir(folder, {recursive: true, mode: 0o700});
    const probe = await mkdtemp(join(folder, 'doctor-'));
    await writeFile(join(probe, 'probe'), 'x');
    await rm(probe, {recursive: true});
    return {what: 'data folder', status: 'ok', detail: folder};
  } catch (error) {
    const detail = `${folder} can't be written (${codeOf(error)}); set QUORATE_HOME to a folder of yours`;
    return {what: 'data folder', status: 'failed', detail};
  }
}

export async function checkSandbox(
  mode: SandboxMode,
  cwd: string,
  env: Environment,
): Promise<Finding> {
  const what = 'sandbox';
  if (mode === 'off') return {what, status: 'warning', detail: 'off: commands run unconfined'};
  const folder = await realpath(cwd).catch(() => tmpdir());
  const home = env['HOME'];
  const enclosure = {workspace: folder, folder, env: home === undefined ? {} : {HOME: home}};
  const attempt = await createSandbox({mode: 'auto'}).enclose(['true'], enclosure);
  if (attempt.ok && attempt.value.confined) {
    return {what, status: 'ok', detail: `${mode}: bubblewrap works`};
  }
  return mode === 'required'
    ? {
        what,
        status: 'failed',
        detail: 'required, but bubblewrap (bwrap) does not work here; install it',
      }
    : {
        what,
        status: 'warning',
        detail: 'bubblewrap (bwrap) does not work here: commands run unconfined',
      };
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
