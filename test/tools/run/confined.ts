/** Places whose commands run in a real bubblewrap, or under Landlock; where one does not work, a warning is printed. */

import {mkdtempSync, realpathSync, rmdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {createRunCommand, createSandbox, createToolbox} from '../../../tools/index.ts';
import type {SandboxMode, SandboxOptions} from '../../../tools/run/sandbox.ts';
import {createPlace, type Place} from '../place.ts';

export type Grade = 'bubblewrap' | 'landlock';

const byBubblewrap = {grades: ['bubblewrap']} as const;
export const byLandlock = {grades: ['landlock']} as const;

const probe = await createSandbox({mode: 'required', ...byBubblewrap}).probe(process.cwd());

const empty = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-empty-')));
const landlock = await createSandbox({mode: 'required', ...byLandlock}).probe(empty);
rmdirSync(empty);

/** True when the kernel has Landlock. */
export const hasLandlock = landlock.confined;

/** True when suites that need a real sandbox can run here. */
export const canConfine = probe.confined;

/** Those that work here. */
export const grades: readonly Grade[] = [
  ...(canConfine ? (['bubblewrap'] as const) : []),
  ...(hasLandlock ? (['landlock'] as const) : []),
];

if (!probe.confined) {
  process.stderr.write(
    `\n*** NOT TESTED: what a sandbox keeps commands from. ${probe.why}. ` +
      'Install bubblewrap to run these suites. ***\n\n',
  );
}

if (!landlock.confined)
  process.stderr.write(
    `\n*** NOT TESTED: what Landlock keeps commands from. ${landlock.why}. ***\n\n`,
  );

/** A place whose commands run in this grade, or not at all. */
export function createGraded(grade: Grade, network: readonly string[] = []): Place {
  return createConfined('required', {grades: [grade], network});
}

export function createConfined(
  mode: SandboxMode = 'required',
  options: Omit<SandboxOptions, 'mode'> = {},
  parent?: string,
): Place {
  const sandbox = createSandbox({mode, ...byBubblewrap, ...options});
  return createPlace(createToolbox([createRunCommand({sandbox})]), parent);
}
