/** Builds once per run of Vitest, in its own process, at the first request of a worker; deleted at the end of the run. */

import {once} from 'node:events';
import {chmodSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Set in a run of Vitest: the folder of the builds. */
export const buildsVariable = 'QUORATE_TEST_BUILDS';

/** The socket that answers a GET with the folder of the built package. */
export function builderIn(builds: string): string {
  return join(builds, 'builder');
}

export async function setup(): Promise<() => void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-builds-')));
  // Other processes may start the built programs.
  chmodSync(folder, 0o755);
  process.env[buildsVariable] = folder;
  let built: Promise<string> | undefined;
  const server = createServer((_, response) => {
    built ??= build(join(folder, 'package'));
    built.then(
      (place) => response.end(place),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(builderIn(folder));
  await once(server, 'listening');
  return () => {
    server.close();
    rmSync(folder, {recursive: true, force: true});
  };
}

async function build(folder: string): Promise<string> {
  const {buildPackage} = await import('./build-package.ts');
  await buildPackage(folder);
  return folder;
}
