/** `quorate cancel ID`: ends a run, in whichever process it lives, or if it lives in none. */

import {oneLine, safeJson} from '../lines/text.ts';
import {openRuntime} from '../open-runtime.ts';
import {write, type Terminal} from '../terminal.ts';
import type {CommandOf} from './command.ts';

/** Exit 0: what was asked was done. The cancelled run's own exit code is 1. */
export async function cancel(command: CommandOf<'cancel'>, terminal: Terminal): Promise<number> {
  const {id, output} = command;
  const {runtime} = await openRuntime(command, terminal.env);
  try {
    const outcome = await runtime.cancel(id);
    const told = outcome === 'told';
    const line = told
      ? `run ${oneLine(id)}: the process that runs it is told to cancel`
      : `run ${oneLine(id)}: ${outcome.status}`;
    const json = told ? {type: 'told', interaction: id} : outcome;
    await write(terminal.stdout, output === 'text' ? `${line}\n` : `${safeJson(json)}\n`);
    return 0;
  } finally {
    await runtime.close();
  }
}
