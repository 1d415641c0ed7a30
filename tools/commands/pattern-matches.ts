/** The paths that a pattern of the shell stands for. Only folders on its way are listed. */

import {readdir} from 'node:fs/promises';
import {posix} from 'node:path';

import {compileGlob} from '../read/glob.ts';

const maxMatches = 2_000;
const maxNames = 50_000;

/** Absolute, from the fixed beginning on; undefined when they are too many or can't be listed. */
export async function matchPattern(pattern: string): Promise<readonly string[] | undefined> {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  let found: readonly string[] = ['/'];
  let looked = 0;
  for (const name of names) {
    if (!/[*?[]/.test(name)) {
      found = found.map((folder) => posix.join(folder, name));
      continue;
    }
    const glob = compileGlob(name.replaceAll(/[{}\\]/g, String.raw`\$&`).replaceAll(/\*+/g, '*'));
    if (!glob.ok) return undefined;
    const next: string[] = [];
    for (const folder of found) {
      // oxlint-disable-next-line no-await-in-loop -- one folder after the other, up to a limit
      const inside = await namesIn(folder);
      looked += inside.length;
      next.push(...inside.filter(glob.value.matches).map((each) => posix.join(folder, each)));
      if (looked > maxNames || next.length > maxMatches) return undefined;
    }
    found = next;
  }
  return found;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
