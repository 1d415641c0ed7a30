/** `quorate cancel ID`: ends a run, in whichever process it lives, or if it lives in none. */

import {oneRun, type Command} from '../command.ts';
import {findRow} from '../find-run.ts';
import {doubtLines} from '../lines/result.ts';
import {oneLine, safeJson} from '../lines/text.ts';
import {write} from '../terminal.ts';

export const cancel: Command = {
  operands: oneRun,
  summary: 'end a run, wherever it is',
  detail: 'Ends a run, wherever it is: nothing new starts, what is in flight is aborted.',
  obeys: ['output'],
  /** Exit 0: what was asked was done. The cancelled run's own exit code is 1. */
  run: async ({operands: [wanted = ''], output, ...globals}, terminal) => {
    const {stdout} = terminal;
    const {openRuntime} = await import('../open-runtime.ts');
    const {runtime, journal} = await openRuntime(globals, terminal);
    try {
      const {id} = await findRow(journal, wanted);
      const outcome = await runtime.cancel(id);
      const told = outcome === 'told';
      const lines = told
        ? [`run ${oneLine(id)}: the process that runs it is told to cancel`]
        : [`run ${oneLine(id)}: ${outcome.status}`, ...doubtLines(outcome).map(doubtful)];
      const json = told ? {type: 'told', interaction: id} : outcome;
      await write(stdout, output === 'text' ? `${lines.join('\n')}\n` : `${safeJson(json)}\n`);
      return 0;
    } finally {
      await runtime.close();
    }
  },
};

function doubtful(what: string): string {
  return `  nobody knows whether this happened: ${what}`;
}
