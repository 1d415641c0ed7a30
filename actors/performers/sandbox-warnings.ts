/** What a run says first of how its commands are confined. */

import type {Sandbox} from '../../tools/run/sandbox.ts';

/** Whoever has switched it off knows. */
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
