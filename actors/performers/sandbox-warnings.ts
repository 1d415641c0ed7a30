/** Warnings at the start of a run that its commands cannot be confined. */

import type {Sandbox} from '../../tools/run/sandbox.ts';

/** Empty if commands run confined, and if the user turned the sandbox off. */
export async function sandboxWarnings(
  sandbox: Sandbox,
  workspace: string,
): Promise<readonly string[]> {
  if (sandbox.mode === 'off') return [];
  const probed = await sandbox.probe(workspace);
  if (probed.confined) return [];
  return sandbox.mode === 'required'
    ? [`sandbox: required, but ${probed.why}: commands are refused; see quorate doctor`]
    : [`sandbox: ${probed.why}, so approved commands run unconfined; see quorate doctor`];
}
