/** A small disk that can be filled. Only a superuser may mount it. */

import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, statfsSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export function mountSmallDisk(folder: string, size = '2m'): boolean {
  const args = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder];
  return process.platform === 'linux' && spawnSync('mount', args).status === 0;
}

export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-test-'));
  try {
    return mountSmallDisk(folder) && spawnSync('umount', [folder]).status === 0;
  } finally {
    rmSync(folder, {recursive: true});
  }
}

export function fill(disk: string): void {
  const {bavail, bsize} = statfsSync(disk);
  writeFileSync(join(disk, 'filling'), new Uint8Array(bavail * bsize));
}
