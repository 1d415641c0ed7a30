/** Keeps Node's compile cache between starts: compiling takes most of a start. */

import {existsSync, statfsSync} from 'node:fs';
import {enableCompileCache} from 'node:module';
import {dirname, join} from 'node:path';

import {cacheFolder, dataFolder} from './config/paths.ts';
import type {Environment} from './terminal.ts';

/** The cache takes a few megabytes. With less free space than this, the journal needs the room. */
const leastFreeBytes = 64 * 1024 * 1024;

/**
 * Keeps no cache before this person's data folder exists, nor on a disk that is nearly full. Never throws: without a cache
 * the program only starts more slowly.
 */
export function keepCompiledCode(env: Environment): void {
  const folder = cacheFolder(env);
  if (existsSync(dataFolder(env)) && hasRoom(folder)) enableCompileCache(join(folder, 'code'));
}

function hasRoom(folder: string): boolean {
  try {
    const {bavail, bsize} = statfsSync(nearestExisting(folder));
    return bavail * bsize >= leastFreeBytes;
  } catch {
    return false;
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) || folder === dirname(folder)
    ? folder
    : nearestExisting(dirname(folder));
}
