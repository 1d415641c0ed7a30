/** The package, built once for all tests. */

import {get, type IncomingMessage} from 'node:http';
import {join, resolve} from 'node:path';
import {text} from 'node:stream/consumers';

import {builderIn, buildsVariable} from './builds.ts';

let built: Promise<string> | undefined;

/** The folder of the package, with its dependencies; read-only. */
export async function builtPackage(): Promise<string> {
  built ??= askForPackage();
  return await built;
}

async function askForPackage(): Promise<string> {
  const {[buildsVariable]: builds} = process.env;
  if (builds === undefined) throw new Error('packages are built in runs of Vitest');
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    get({socketPath: builderIn(builds)}, answered).on('error', failed);
  });
  const said = await text(response);
  if (response.statusCode !== 200) throw new Error(said);
  return said;
}

/** The folder of Node's compile cache for the builds, deleted with them. Outside of Vitest, the folder in the environment. */
export function compiledCode(): string | undefined {
  const {[buildsVariable]: builds, NODE_COMPILE_CACHE: given} = process.env;
  return builds === undefined ? given : join(builds, 'code');
}

/** The path of the launcher; the built one starts twice as fast as the sources. Outside of Vitest, the sources. */
export async function launcherProgram(): Promise<string> {
  if (process.env[buildsVariable] === undefined) return resolve('cli/bin.ts');
  return join(await builtPackage(), 'dist/cli/bin.js');
}
