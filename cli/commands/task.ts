/** `quorate TASK`: a run of the form agent; without a task, on a terminal, a conversation. */

import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import type {Command, Parsed} from '../line/command.ts';
import {isQuestion, readAsQuestion} from '../line/question.ts';
import {isGiven} from '../line/standard-input.ts';
import {usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';
import {isInteractive, write, type Terminal} from '../terminal.ts';

export const task: Command = {
  operands: {usage: 'TASK…', what: t`a task`, least: 0, most: Infinity},
  summary: t`plan a task, have it voted on, run and judge it`,
  obeys: [
    'output',
    'log',
    'detach',
    'models',
    'rule',
    'panel',
    'phases',
    'plan',
    'plans',
    'tasks',
    'limits',
  ],
  roles: ['exploration', 'decision', 'review'],
  endsWithResult: 'agent',
  run: async (parsed, terminal) => {
    if (parsed.plan !== undefined) return await runPlan(parsed.plan, parsed, terminal);
    if (isBare(parsed, terminal)) {
      return isInteractive(terminal) ? await converse(parsed, terminal) : await printHelp(terminal);
    }
    const {startRun} = await import('../start-run.ts');
    const words = parsed.operands.join(' ');
    const named = /^\/agent\s+([^]*)$/.exec(words)?.[1];
    if (named !== undefined)
      return await startRun('agent', {...parsed, operands: [named]}, terminal);
    if (!isOpenQuestion(words, parsed, terminal)) return await startRun('agent', parsed, terminal);
    await write(terminal.stderr, `${say(readAsQuestion, terminal)}\n`);
    return await startRun('ask', parsed, terminal);
  },
};

/** A question of a person at a terminal, without an option that only a task obeys. */
function isOpenQuestion(words: string, {output, overrides}: Parsed, terminal: Terminal): boolean {
  return (
    isInteractive(terminal) &&
    output === 'text' &&
    overrides.every(({key, source}) => key.startsWith('limits.') || /^-m [^=]+$/.test(source)) &&
    isQuestion(words)
  );
}

/** True when there is neither a task nor a sign of a script that wants to run one. */
function isBare({operands, output}: Parsed, {stdin}: Terminal): boolean {
  return operands.length === 0 && output === 'text' && !isGiven(stdin);
}

/** Runs the plan in a file. The request of the run is the plan's objective. */
async function runPlan(path: string, parsed: Parsed, terminal: Terminal): Promise<number> {
  if (parsed.operands.length > 0) throw planAndTask;
  const {readPlanData} = await import('../gate/plan-file.ts');
  const read = readPlanData(path);
  if (!read.ok) {
    const [name, problems] = [oneLine(path), read.problems.join('; ')];
    throw usageError(t`the plan in ${name} can't be used: ${problems}`);
  }
  const {launchRun} = await import('../start-run.ts');
  const plan = read.value;
  const request = objectiveOf(plan);
  return await launchRun(() => ({form: 'agent', request, plan}), {parsed, terminal});
}

/** An invalid plan is refused with all its problems when the run is started. */
function objectiveOf(plan: unknown): string {
  const isNamed = typeof plan === 'object' && plan !== null && 'objective' in plan;
  return isNamed && typeof plan.objective === 'string' ? plan.objective : 'Run the plan';
}

const planAndTask = usageError(
  t`--plan FILE runs the plan for its objective; write it without a task`,
);

async function converse(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {openChat} = await import('../talk/open-chat.ts');
  return await openChat(parsed, terminal);
}

/** Resolves with exit code 2 without a terminal, so that a script sees that no task was run. */
async function printHelp(terminal: Terminal): Promise<number> {
  const {writeHelp} = await import('../help/text.ts');
  await writeHelp(terminal);
  if (terminal.stdin.isTTY === true) return 0;
  const text = t`no task given; write: quorate "TASK"`;
  await write(terminal.stderr, `quorate: ${say(text, terminal)}\n`);
  return 2;
}
