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

let program: Promise<string> | undefined;

/**
 * The path of the launcher: built once for all suites of a worker, for a built one takes half the time of its sources to
 * start. Outside of Vitest the sources.
 */
export async function launcherProgram(): Promise<string> {
  const builds = process.env[buildsVariable];
  program ??=
    builds === undefined
      ? Promise.resolve(resolve('cli/bin.ts'))
      : builtLauncher(join(builds, String(process.pid)));
  return await program;
}

async function builtLauncher(folder: string): Promise<string> {
  await buildIn(folder);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return join(folder, 'dist/cli/bin.js');
}
