/** The planner and worker of a hostile run: follows its script step by step, despite refusals. */

import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import type {ToolCall} from '../../../machines/prompts/transcript.ts';
import {answer, reply, vote} from '../../support/scenario.ts';
import type {Step} from './script.ts';

export interface Adversary {
  readonly answer: (request: ModelRequest) => ModelOutcome;
  readonly onEvent: (event: ProgressEvent) => void;
  /** The step of the call of this tool that has just settled. */
  readonly settled: (tool: string) => Step | undefined;
  /** The number of steps that were called. */
  readonly tried: () => number;
}

interface Placed {
  readonly step: Step;
  readonly at: number;
}

/** `isEnough`: it makes no more calls. */
export function createAdversary(
  steps: readonly Step[],
  isEnough: () => boolean = () => false,
): Adversary {
  const placed = steps.map((step, at): Placed => ({step, at}));
  const tried = new Set<number>();
  /** Called steps that have not settled, in order. */
  const open: Step[] = [];
  let plans = 0;
  /** Steps without a planned call, one list per task of the running plan. */
  let tasks: Placed[][] = [];
  let task: Placed[] = [];
  const plan = (): ModelOutcome => {
    plans += 1;
    const left = placed.filter(({at}) => !tried.has(at));
    const groups = groupsOf(left, plans > 1);
    tasks = groups.filter(isFree).map((group) => group.slice());
    const made = groups.map((group, number) => taskOf(group, `p${plans}-${number}`));
    return reply('create_plan', {
      objective: 'Do what is asked',
      reasoning: `in order, for the ${plans}. time`,
      tasks: made.length > 0 ? made : [{id: `p${plans}-end`, description: 'Look at the result'}],
    });
  };
  const act = ({transcript}: ModelRequest): ModelOutcome => {
    if (transcript.messages.every(({role}) => role !== 'assistant')) task = tasks.shift() ?? [];
    if (isEnough()) return answer('Done.');
    const calls: ToolCall[] = [];
    for (let next = task.shift(); next; next = task.shift()) {
      tried.add(next.at);
      open.push(next.step);
      calls.push({id: `c${next.at}`, name: next.step.tool, args: boundedArgs(next.step)});
      if (task[0]?.step.isJoined !== true) break;
    }
    return calls.length === 0 ? answer('Done.') : {kind: 'ok', text: '', calls};
  };
  return {
    answer(request) {
      if (request.purpose === 'plan') return plan();
      if (request.purpose === 'act') return act(request);
      if (request.purpose === 'evaluate')
        return reply('evaluate_result', {successful: true, problems: []});
      if (request.purpose === 'score-plan')
        return reply('score_plan', {score: 8, reasons: ['it is good']});
      return request.purpose.startsWith('review') ? vote('approve') : answer('Nothing to add.');
    },
    onEvent(event) {
      if (event.type !== 'task.started') return;
      const at = Number(/-s(\d+)$/.exec(event.task)?.[1] ?? Number.NaN);
      const started = placed.find((each) => each.at === at);
      if (!started) return;
      tried.add(at);
      open.push(started.step);
    },
    tried: () => tried.size,
    settled(tool) {
      const at = open.findIndex((step) => step.tool === tool);
      return at < 0 ? undefined : open.splice(at, 1)[0];
    },
  };
}

/** Each planned call is a task of its own; the other steps between two of them form one task. */
function groupsOf(placed: readonly Placed[], isFreely: boolean): readonly (readonly Placed[])[] {
  const groups: Placed[][] = [];
  for (const each of placed) {
    const isPlanned = each.step.isPlanned === true && !isFreely;
    const last = groups.at(-1);
    const own = isPlanned ? each : {at: each.at, step: withoutPlan(each.step)};
    if (isPlanned || !last || !isFree(last)) groups.push([own]);
    else last.push(own);
  }
  return groups;
}

function withoutPlan({tool, args, aim, isJoined}: Step): Step {
  return {tool, args, aim, ...(isJoined ? {isJoined} : {})};
}

function isFree(group: readonly Placed[]): boolean {
  return group[0]?.step.isPlanned !== true;
}

function taskOf(group: readonly Placed[], id: string) {
  const [first] = group;
  if (!first || isFree(group)) return {id, description: 'Do what is left'};
  const {at, step} = first;
  return {
    id: `${id}-s${at}`,
    description: 'A part of it',
    tool: step.tool,
    args: boundedArgs(step),
  };
}

/** Bounds the time of a command, so that the run does not wait for it. */
function boundedArgs({tool, args}: Step) {
  return tool === 'run_command' ? {timeout_secs: 15, ...args} : args;
}
