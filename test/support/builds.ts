/** What is built for the tests of one run of Vitest, and goes with it. */

import {chmodSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Set in a run of Vitest: where its workers build, each in a folder of its own. */
export const buildsVariable = 'QUORATE_TEST_BUILDS';

export function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-builds-')));
  // What is built may be started by others.
  chmodSync(folder, 0o755);
  process.env[buildsVariable] = folder;
  return () => rmSync(folder, {recursive: true, force: true});
}
