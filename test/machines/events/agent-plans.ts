/** Plans of agents, and the first and last steps of an agent by hand. Each has a number in its name, and its name in the arguments of every call. */

import {asJson} from '../../../machines/domain/json.ts';
import type {Plan} from '../../../machines/domain/plan.ts';
import type {ByHand} from '../../support/by-hand.ts';
import {planOf} from './execution.ts';
import {calling, saying} from './outcomes.ts';

/** Returns the tasks of a plan with this name. */
export type Shape = (name: string) => readonly object[];

export const oneRead: Shape = (name) => [
  {id: `${name}-a`, description: 'look', tool: 'read_file', args: {path: `${name}/a`}},
];

/** A change, and a read that depends on it. */
export const writeThenRead: Shape = (name) => [
  {id: `${name}-a`, description: 'change', tool: 'write_file', args: {path: `${name}/a`}},
  {
    id: `${name}-b`,
    description: 'look',
    tool: 'read_file',
    args: {path: `${name}/b`},
    depends_on: [`${name}-a`],
  },
];

export const runOnce: Shape = (name) => [
  {id: `${name}-a`, description: 'run', tool: 'run_command', args: {command: `${name}/a`}},
];

export const twoWrites: Shape = (name) => [
  {id: `${name}-a`, description: 'change', tool: 'write_file', args: {path: `${name}/a`}},
  {id: `${name}-b`, description: 'change', tool: 'write_file', args: {path: `${name}/b`}},
];

/** A read with its own description: no other plan has the same task. */
export const ownRead: Shape = (name) => [
  {id: `${name}-a`, description: `look at ${name}`, tool: 'read_file', args: {path: `${name}/a`}},
];

export const work: Shape = (name) => [{id: `${name}-a`, description: 'work it out'}];

const maxPlans = 8;

export interface Plans {
  readonly draft: (number: number) => object;
  readonly edited: Plan;
  /** Plans after the first: one that drops its tasks, and one that redoes them. */
  readonly dropping: object;
  readonly redoing: object;
  readonly all: readonly Plan[];
}

export function plansOf(shape: Shape): Plans {
  const numbers = Array.from({length: maxPlans}, (_, index) => index + 1);
  // What a model works out without a call is enough for a request for words.
  const drafts = numbers.map((number) =>
    Object.assign(planOf(`plan-${number}`, shape(`plan-${number}`)), {asks_for_change: false}),
  );
  const edited = planOf('edited', shape('edited'));
  const first = (drafts[0]?.tasks ?? []).map(({id}) => id);
  const dropping: Plan = {
    ...planOf('dropping', shape('dropping')),
    drops: first.map((task_id) => ({task_id, reason: 'nobody needs it'})),
  };
  const redoing = planOf(
    'redoing',
    shape('redoing').map((task) => Object.assign({redoes: first}, task)),
    first,
  );
  return {
    draft: (number) => {
      const plan = drafts[number - 1];
      if (!plan) throw new Error(`there is no plan ${number}`);
      return calling('create_plan', asJson(plan));
    },
    edited,
    dropping: calling('create_plan', asJson(dropping)),
    redoing: calling('create_plan', asJson(redoing)),
    all: [...drafts, edited, dropping, redoing],
  };
}

/** The workspace is explored. `at` begins the path of the agent. */
export function gather(agent: ByHand, at = ''): void {
  agent.settle(`${at}gathering/survey`, {text: 'a survey', read: []});
  agent.settle(`${at}gathering/turns/model`, saying('it is small'));
}

/** A planner drafts a plan whose calls are valid. */
export function draftPlan(agent: ByHand, draft: object, at = ''): void {
  agent.settle(`${at}planning/question`, draft);
  agent.settle(`${at}planning/check`, {problems: []});
}

/** All files are there, a judge gives its verdict, and a closing answer is left out. */
export function judge(agent: ByHand, verdict: object): void {
  agent.settle('evaluation/files', {missing: []});
  agent.settle('evaluation/', verdict);
  if (agent.open().includes('closing/call/model')) agent.settle('closing/', saying(''));
}
