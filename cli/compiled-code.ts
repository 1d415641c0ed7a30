/** The program's code as Node has compiled it, kept from one start to the next: to compile it takes most of a start. */

import {existsSync, statfsSync} from 'node:fs';
import {enableCompileCache} from 'node:module';
import {dirname, join} from 'node:path';

import {cacheFolder, dataFolder} from './config/paths.ts';
import type {Environment} from './terminal.ts';

/** The code takes a few megabytes: on a disk with less than this free, the journal needs the room. */
const leastFreeBytes = 64 * 1024 * 1024;

/**
 * Nothing is kept before there is a folder of this person's data, nor on a disk that is nearly full. Never throws: without a
 * cache the program only starts more slowly.
 */
export function keepCompiledCode(env: Environment): void {
  const folder = cacheFolder(env);
  if (existsSync(dataFolder(env)) && hasRoom(folder)) enableCompileCache(join(folder, 'code'));
}

function hasRoom(folder: string): boolean {
  try {
    const {bavail, bsize} = statfsSync(nearestThere(folder));
    return bavail * bsize >= leastFreeBytes;
  } catch {
    return false;
  }
}

function nearestThere(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestThere(dirname(folder));
}
