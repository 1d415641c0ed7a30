/**
 * The temporary files of writes. Their names identify the writer: files left by a killed writer are distinguished
 * from those of a running one, hidden from listings, and removed by the next write in the folder.
 */

import {createHash, randomBytes} from 'node:crypto';
import {lstatSync, readFileSync, readlinkSync} from 'node:fs';
import {readdir, rm} from 'node:fs/promises';
import {hostname} from 'node:os';

import type {Folder} from '../containment/folder.ts';
import {startTimeOf} from '../run/processes.ts';

/** Every write is shorter, on any machine. */
const staleMs = 3_600_000;

const pattern =
  /^\.quorate-(?<pid>\d{1,10})-(?<startedAt>\d*)-(?<world>[0-9a-f]{8})-[0-9a-f]{16}\.tmp$/;

/** A unique name. */
export function temporaryName(): string {
  const writer = [process.pid, startTimeOf(process.pid) ?? '', world()].join('-');
  return `.quorate-${writer}-${randomBytes(8).toString('hex')}.tmp`;
}

export function isTemporary(name: string): boolean {
  return pattern.test(name);
}

/** Never rejects: a file that can't be removed stays. */
export async function removeLeftovers(folder: Folder): Promise<void> {
  const names = await readdir(folder.self).catch(() => []);
  const left = names.filter((name) => isLeftover(folder, name));
  await Promise.allSettled(left.map((name) => rm(folder.reach(name), {force: true})));
}

function isLeftover(folder: Folder, name: string): boolean {
  const writer = pattern.exec(name)?.groups;
  if (!writer) return false;
  const stats = lstatSync(folder.reach(name), {throwIfNoEntry: false});
  if (!stats?.isFile()) return false;
  if (Date.now() - stats.mtimeMs > staleMs) return true;
  return writer['world'] === world() && !isRunning(Number(writer['pid']), writer['startedAt']);
}

/** For a name that {@link isTemporary}: its writer is gone, as far as this machine can see. */
export function isAbandoned(name: string): boolean {
  const writer = pattern.exec(name)?.groups;
  return writer?.['world'] === world() && !isRunning(Number(writer['pid']), writer['startedAt']);
}

function isRunning(pid: number, startedAt = ''): boolean {
  if (startedAt !== '') return startTimeOf(pid) === startedAt;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Identifies the boot and the process namespace in which process numbers are valid. */
function world(): string {
  return createHash('sha256').update(worldName()).digest('hex').slice(0, 8);
}

function worldName(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1');
    return boot + readlinkSync('/proc/self/ns/pid');
  } catch {
    return hostname();
  }
}
