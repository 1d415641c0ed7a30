/** The package as it is built. */

import {cpSync, symlinkSync} from 'node:fs';
import {join, resolve} from 'node:path';

import {rolldown} from 'rolldown';

import config, {output} from '../../rolldown.config.ts';
import {buildsVariable} from './builds.ts';

const page = 'cli/serve/page/browser';

/** Builds all but the types into a folder, with the files that a package has beside them. */
export async function buildIn(folder: string): Promise<void> {
  for (const part of ['package.json', 'cli/demo'])
    cpSync(part, join(folder, part), {recursive: true});
  cpSync(page, join(folder, page), {recursive: true, filter: (path) => !path.endsWith('.ts')});
  const bundle = await rolldown(config);
  await bundle.write({...output, dir: join(folder, 'dist')});
}

let built: Promise<string> | undefined;

/** The folder of a package that is built once for all suites of a worker, beside what it depends on: to be read only. */
export async function builtPackage(): Promise<string> {
  built ??= buildForAll();
  return await built;
}

async function buildForAll(): Promise<string> {
  const {[buildsVariable]: builds} = process.env;
  if (builds === undefined) throw new Error('packages are built in runs of Vitest');
  const folder = join(builds, String(process.pid));
  await buildIn(folder);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Where Node keeps the compiled code of what is built: it goes with that. Outside of Vitest where it is told to. */
export function compiledCode(): string | undefined {
  const {[buildsVariable]: builds, NODE_COMPILE_CACHE: told} = process.env;
  return builds === undefined ? told : join(builds, 'code');
}

/** The path of the launcher, of which a built one takes half the time of its sources to start. Outside of Vitest the sources. */
export async function launcherProgram(): Promise<string> {
  if (process.env[buildsVariable] === undefined) return resolve('cli/bin.ts');
  return join(await builtPackage(), 'dist/cli/bin.js');
}
