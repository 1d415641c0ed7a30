/** The tasks of the interactions, each with its calls. Nothing that can't run any more is left running. */

import type {Plan} from '../../../machines/domain/plan.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {cutOff, runningIndex} from './calls.ts';
import {changeInteraction, interactionIn, isWithin} from './interactions.ts';
import type {CallView, RunView, TaskState, TaskView} from './run-view.ts';

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;

export interface TaskEvent {
  readonly interaction: string;
  readonly task?: string | undefined;
}

type Calls = TaskView['calls'];

export function findTask({tasks}: RunView, {interaction, task}: TaskEvent): TaskView | undefined {
  return tasks.find((one) => one.id === task && one.interaction === interaction);
}

/** The call that an outcome ends. */
export function endedCall(view: RunView, event: Of<'tool.settled'>): CallView | undefined {
  const holder =
    event.task === undefined ? interactionIn(view, event.interaction) : findTask(view, event);
  return holder?.calls[runningIndex(holder.calls, event.tool)];
}

export function isAtWork({state}: TaskView): boolean {
  return state === 'running';
}

export function changeTask(
  view: RunView,
  {interaction, task = ''}: TaskEvent,
  change: Partial<TaskView>,
  changed: (calls: Calls) => Calls = (calls) => calls,
): RunView {
  const known = findTask(view, {interaction, task});
  const before = known ?? newTask(interaction, task, '', 'running');
  const after = {...before, ...change, calls: changed(before.calls)};
  const tasks = known
    ? view.tasks.map((one) => (one === known ? after : one))
    : [...view.tasks, after];
  return {...view, tasks};
}

/** Of a task, or of the interaction itself. */
export function changeCalls(
  view: RunView,
  event: TaskEvent,
  changed: (calls: Calls) => Calls,
): RunView {
  if (event.task !== undefined) return changeTask(view, event, {}, changed);
  return changeInteraction(view, event.interaction, ({calls}) => ({calls: changed(calls)}));
}

function newTask(interaction: string, id: string, description: string, state: TaskState): TaskView {
  return {interaction, id, description, state, message: '', calls: []};
}

/** Tasks of an earlier plan stay when they have begun. */
export function planTasks(
  view: RunView,
  {plan, interaction}: {readonly plan: Plan; readonly interaction: string},
): RunView {
  const kept = view.tasks.filter(
    (task) => task.interaction !== interaction || task.state !== 'planned',
  );
  const fresh = plan.tasks
    .filter(({id}) => !kept.some((task) => task.id === id && task.interaction === interaction))
    .map(({id, description}) => newTask(interaction, id, description, 'planned'));
  return {...view, tasks: [...kept, ...fresh]};
}

type Ending = Pick<TaskView, 'state' | 'message'>;

const lost: Ending = {state: 'lost', message: 'it ended without saying how'};

/** The work of an interaction has ended: the ends of running tasks were not reported. */
export function loseTasks(view: RunView, interaction: string): RunView {
  return settleTasks(view, (task) =>
    task.interaction === interaction && isAtWork(task) ? lost : undefined,
  );
}

/** An interaction has ended, with all its tasks and those below it. */
export function cutTasksOff(view: RunView, interaction: string): RunView {
  return settleTasks(view, (task) => {
    if (!isWithin(task.interaction, interaction)) return undefined;
    return {state: isAtWork(task) ? 'cutOff' : 'notReached', message: ''};
  });
}

/** The result has the outcome of each task of the root. A waiting run continues all of them later. */
export function endTasks(view: RunView, result: Of<'result'>): RunView {
  return settleTasks(view, (task) => {
    if (task.state === 'planned')
      return result.status === 'waiting' ? undefined : {state: 'notReached', message: ''};
    return endingIn(result, task);
  });
}

/** For planned or running tasks. */
function settleTasks(view: RunView, endingOf: (task: TaskView) => Ending | undefined): RunView {
  const tasks = view.tasks.map((task) => {
    const isOpen = task.state === 'planned' || isAtWork(task);
    const ending = isOpen ? endingOf(task) : undefined;
    return ending ? {...task, ...ending, calls: cutOff(task.calls)} : task;
  });
  return {...view, tasks};
}

function endingIn({tasks, status, interaction}: Of<'result'>, task: TaskView): Ending {
  const known =
    task.interaction === interaction ? tasks?.find(({id}) => id === task.id) : undefined;
  const bad = (['failed', 'stopped'] as const).find((state) => state === known?.status);
  if (bad) return {state: bad, message: known?.failure?.message ?? ''};
  const good = (['succeeded', 'skipped'] as const).find((state) => state === known?.status);
  if (good) return {state: good, message: ''};
  return {state: status === 'waiting' ? 'running' : 'cutOff', message: ''};
}
