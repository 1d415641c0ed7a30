/** What an agent's run comes to, told from its state and from the record of what was done. */

import type {AnyActorRef} from 'xstate';

import type {FinalStatus, FormOutput, TaskResult} from '../../domain/result.ts';
import {
  denialsIn,
  factsUnder,
  type Recorded,
  resultsIn,
  roundsIn,
  tasksAtWork,
} from '../../tree/record.ts';
import {type AgentState, isPlanOnly} from './agent-state.ts';
import {failedResult, skippedResult} from './task-result.ts';

interface End {
  readonly context: AgentState;
  readonly self: AnyActorRef;
}

/** The output of a final state. */
export function ending(status: FinalStatus): (end: End) => FormOutput {
  return ({context, self}) => agentOutput(context, status, factsUnder(self));
}

/** `facts` are what the agent and all below it have told. */
function agentOutput(
  state: AgentState,
  status: FinalStatus,
  facts: readonly Recorded[],
): FormOutput {
  const {plan, failure} = state;
  const tasks = allTasks(state, facts);
  return {
    status,
    summary: summaryOf(state, status, tasks),
    ...(plan ? {plan} : {}),
    tasks,
    reviews: roundsIn(facts),
    denied: denialsIn(facts),
    ...(failure ? {error: failure} : {}),
  };
}

/** Every task of the run: what was done, in order, and what the last plan did not reach. */
function allTasks({plan}: AgentState, facts: readonly Recorded[]): TaskResult[] {
  const results = resultsIn(facts);
  const reached = new Set(results.map(({id}) => id));
  const open = (plan?.tasks ?? []).filter(({id}) => !reached.has(id));
  const why = facts.some(({type}) => type === 'task.begun') ? 'not reached' : 'not run';
  const atWork = tasksAtWork(facts);
  const cutShort = {code: 'interrupted', message: 'It was at work when the run ended.'};
  return [
    ...results,
    ...open.map((task) =>
      atWork.includes(task.id) ? failedResult(task, cutShort) : skippedResult(task, why),
    ),
  ];
}

function summaryOf(state: AgentState, status: FinalStatus, tasks: readonly TaskResult[]): string {
  const {limit, reason, plan, failure} = state;
  const done = doneCount(tasks);
  if (status === 'limited') return `Stopped by a limit: ${limit ?? ''}. ${done}`;
  if (status === 'cancelled') return `Cancelled: ${reason}. ${done}`;
  if (status !== 'completed') return lines([reason, failure?.message, problemsOf(state), done]);
  if (isPlanOnly(state)) return `The plan is approved: ${plan?.objective ?? ''}`;
  return lines([plan?.objective, lastWords(state), done]);
}

function lines(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

function problemsOf({evaluation}: AgentState): string {
  return (evaluation?.problems ?? []).map((problem) => `- ${problem}`).join('\n');
}

function doneCount(tasks: readonly TaskResult[]): string {
  if (tasks.length === 0) return 'Nothing was run.';
  const done = tasks.filter(({status}) => status === 'succeeded').length;
  return `${done} of ${tasks.length} tasks succeeded.`;
}

/** The last task's words say what was done; tasks without words are counted. */
function lastWords({results}: AgentState): string | undefined {
  return results.findLast(({status}) => status === 'succeeded')?.output;
}
