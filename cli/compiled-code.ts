/** The program's code as Node has compiled it, kept from one start to the next: to compile it takes most of a start. */

import {existsSync} from 'node:fs';
import {enableCompileCache} from 'node:module';
import {join} from 'node:path';

import {dataFolder} from './config/paths.ts';
import type {Environment} from './terminal.ts';

/** Nothing is kept before there is a folder of this person's data. Never throws: without a cache all goes on as it is. */
export function keepCompiledCode(env: Environment): void {
  const folder = dataFolder(env);
  if (existsSync(folder)) enableCompileCache(join(folder, 'cache', 'code'));
}
