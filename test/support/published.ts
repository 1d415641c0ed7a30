/** Published packages that only a deep search runs, by `npx` in exact versions: they are not installed with the project. */

import {execa} from 'execa';

/** A download on a busy machine with a slow registry. */
export const fetchMs = 600_000;

/** Downloads packages, so that tests which start them need not wait for the registry. Rejects when it can't be reached. */
export async function fetchPackages(...specs: readonly string[]): Promise<void> {
  const wanted = specs.map((spec) => `--package=${spec}`);
  await execa('npm', ['exec', '--yes', ...wanted, '--', 'node', '-e', ''], {stdin: 'ignore'});
}
