/** `quorate TASK`: a run of the form agent; without a task, on a terminal, a conversation. */

import {say} from '../language.ts';
import type {Command, Parsed} from '../line/command.ts';
import {isGiven} from '../line/standard-input.ts';
import {isInteractive, write, type Terminal} from '../terminal.ts';

export const task: Command = {
  operands: {usage: 'TASK…', what: {en: 'a task', ja: 'タスク'}, least: 0, most: Infinity},
  summary: {
    en: 'plan a task, have it voted on, run and judge it',
    ja: 'タスクを計画し、投票にかけ、実行して評価する',
  },
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

/** True when there is neither a task nor a sign of a script that wants to run one. */
function isBare({operands, output}: Parsed, {stdin}: Terminal): boolean {
  return operands.length === 0 && output === 'text' && !isGiven(stdin);
}

async function converse(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {openChat} = await import('../chat/open-chat.ts');
  return await openChat(parsed, terminal);
}

/** Resolves with exit code 2 without a terminal, so that a script sees that no task was run. */
async function printHelp(terminal: Terminal): Promise<number> {
  const {writeHelp} = await import('../help/text.ts');
  await writeHelp(terminal);
  if (terminal.stdin.isTTY === true) return 0;
  const text = {
    en: 'no task given; write: quorate "TASK"',
    ja: 'タスクがありません。書き方: quorate "してほしいこと"',
  };
  await write(terminal.stderr, `quorate: ${say(text, terminal)}\n`);
  return 2;
}
