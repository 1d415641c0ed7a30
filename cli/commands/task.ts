/** `quorate TASK`: a run of the form agent; without a task, on a terminal, a conversation. */

import type {Command, Parsed} from '../line/command.ts';
import {isGiven} from '../line/standard-input.ts';
import {isInteractive, write, type Terminal} from '../terminal.ts';

export const task: Command = {
  operands: {usage: 'TASK…', what: 'a task', least: 0, most: Infinity},
  summary: 'plan a task, have it voted on, run and judge it',
  obeys: ['output', 'log', 'models', 'rule', 'panel', 'phases', 'plans', 'tasks', 'limits'],
  roles: ['exploration', 'decision', 'review'],
  endsWithResult: 'agent',
  run: async (parsed, terminal) => {
    if (isBare(parsed, terminal)) {
      return isInteractive(terminal) ? await converse(parsed, terminal) : await printHelp(terminal);
    }
    const {startRun} = await import('../start-run.ts');
    return await startRun('agent', parsed, terminal);
  },
};

/** There is neither a task nor a sign of a script that wants one. */
function isBare({operands, output}: Parsed, {stdin}: Terminal): boolean {
  return operands.length === 0 && output === 'text' && !isGiven(stdin);
}

async function converse(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {openChat} = await import('../chat/open-chat.ts');
  return await openChat(parsed, terminal);
}

/** Exit 2 without a terminal, so that a script that wanted a task done learns that none was. */
async function printHelp({stdin, stdout, stderr}: Terminal): Promise<number> {
  const {writeHelp} = await import('../help/text.ts');
  await writeHelp(stdout);
  if (stdin.isTTY === true) return 0;
  await write(stderr, 'quorate: there is no task; write: quorate "what is to be done"\n');
  return 2;
}
