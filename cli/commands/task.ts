/** `quorate TASK`: a run of the form agent. */

import type {Command} from '../command.ts';

export const task: Command = {
  operands: {usage: 'TASK…', what: 'a task', least: 0, most: Infinity},
  summary: 'plan a task, have it voted on, run and judge it',
  endsWithResult: true,
  run: async (parsed, terminal) => {
    const {readRequest} = await import('../request.ts');
    const request = await readRequest('agent', parsed.operands, terminal.stdin);
    const {startRun} = await import('../start-run.ts');
    return await startRun({form: 'agent', request}, parsed, terminal);
  },
};
