/** Places whose commands run in a real bubblewrap if one works; otherwise a warning is printed. */

import {createRunCommand, createSandbox, createToolbox} from '../../../tools/index.ts';
import type {SandboxMode, SandboxOptions} from '../../../tools/run/sandbox.ts';
import {createPlace, type Place} from '../place.ts';

const probe = await createSandbox({mode: 'required'}).probe(process.cwd());

/** True when suites that need a real sandbox can run here. */
export const canConfine = probe.confined;

if (!probe.confined) {
  process.stderr.write(
    `\n*** NOT TESTED: what a sandbox keeps commands from. ${probe.why}. ` +
      'Install bubblewrap to run these suites. ***\n\n',
  );
}

export function createConfined(
  mode: SandboxMode = 'required',
  options: Omit<SandboxOptions, 'mode'> = {},
  parent?: string,
): Place {
  const sandbox = createSandbox({mode, ...options});
  return createPlace(createToolbox([createRunCommand({sandbox})]), parent);
}
