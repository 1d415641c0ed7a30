/**
 * Progress events folded into what there is to see. A call stands below its task, whichever of the two is heard first;
 * nothing is left running that can run no more.
 */

import type {Plan} from '../../machines/domain/plan.ts';
import type {ProgressEvent} from '../../machines/domain/progress.ts';
import {settleCall, startCall, retryCall, cutOff} from './calls.ts';
import {addRound, addVote, closeRound} from './rounds.ts';
import {findTask, type RunView, type TaskState, type TaskView} from './run-view.ts';

type EventType = ProgressEvent['type'];
type Of<T extends EventType> = Extract<ProgressEvent, {readonly type: T}>;
type Fold<T extends EventType> = (view: RunView, event: Of<T>) => RunView;

const same = (view: RunView): RunView => view;

/** One entry an event: the compiler misses none. */
const folds: {readonly [T in EventType]: Fold<T>} = {
  'interaction.started': same,
  'interaction.spawned': same,
  'interaction.refused': same,
  'user.said': same,
  'interaction.settled': same,
  'phase.changed': (view, {phase}) => ({
    ...(phase === 'executing' ? view : settleRunning(view, () => lost)),
    phase,
    talk: undefined,
  }),
  thought: same,
  'plan.created': planned,
  'plan.revised': planned,
  'result.judged': same,
  'task.started': (view, event) =>
    changeTask(view, event, {state: 'running', description: event.description}),
  'task.settled': (view, {interaction, task, status, message}) => {
    const running = status === 'pending' || status === 'running';
    const change = {state: running ? 'running' : status, message} as const;
    return changeTask(view, {interaction, task}, change, cutOff);
  },
  'tool.called': (view, event) => changeCalls(view, event, startCall(event)),
  'tool.settled': (view, event) => changeCalls(view, event, settleCall(event)),
  'tool.retried': (view, event) => changeCalls(view, event, retryCall(event)),
  'quorum.started': (view, event) => ({...view, rounds: addRound(view.rounds, event)}),
  'ballot.cast': (view, event) => ({...view, rounds: addVote(view.rounds, event)}),
  'quorum.decided': (view, event) => ({...view, rounds: closeRound(view.rounds, event)}),
  'ensemble.started': same,
  'ensemble.drafted': same,
  'ensemble.scored': same,
  'ensemble.chosen': same,
  'debate.turn': same,
  'discuss.answered': same,
  'discuss.reviewed': same,
  'human.requested': (view, {gate, question}) => ({
    ...view,
    gates: [...view.gates.filter((open) => open.gate !== gate), {gate, question}],
  }),
  'human.decided': (view, {gate}) => ({
    ...view,
    gates: view.gates.filter((open) => open.gate !== gate),
  }),
  'model.retried': same,
  'model.delta': talked,
  'tool.output': same,
  usage: (view, {model, totals}) => ({
    ...view,
    usage: totals,
    talk: view.talk?.model === model ? undefined : view.talk,
  }),
  warning: (view, {message}) => ({...view, warnings: [...view.warnings, message]}),
  'limit.reached': same,
  result: (view, event) => ended(view, event),
};

export function advance<T extends EventType>(view: RunView, event: Of<T>): RunView {
  const fold: Fold<T> = folds[event.type];
  return fold(view, event);
}

/** As much as a line can hold. */
const maxTalk = 400;

function talked(view: RunView, {model, text}: Of<'model.delta'>): RunView {
  const before = view.talk?.model === model ? view.talk.text : '';
  return {...view, talk: {model, text: (before + text).slice(-maxTalk)}};
}

interface TaskEvent {
  readonly interaction: string;
  readonly task?: string | undefined;
}

type Calls = TaskView['calls'];

function changeTask(
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

function changeCalls(view: RunView, event: TaskEvent, changed: (calls: Calls) => Calls): RunView {
  if (event.task === undefined) return {...view, calls: changed(view.calls)};
  return changeTask(view, event, {}, changed);
}

function newTask(interaction: string, id: string, description: string, state: TaskState): TaskView {
  return {interaction, id, description, state, message: '', calls: []};
}

/** Tasks of an earlier plan stay when they have begun. */
function planned(
  view: RunView,
  {plan, interaction}: {readonly plan: Plan; readonly interaction: string},
): RunView {
  const kept = view.tasks.filter(
    (task) => task.interaction !== interaction || task.state !== 'planned',
  );
  const fresh = plan.tasks
    .filter(({id}) => !kept.some((task) => task.id === id && task.interaction === interaction))
    .map(({id, description}) => newTask(interaction, id, description, 'planned'));
  return {...view, plan, tasks: [...kept, ...fresh]};
}

type Ending = Pick<TaskView, 'state' | 'message'>;

const lost: Ending = {state: 'lost', message: 'it ended without saying how'};

function settleRunning(view: RunView, endingOf: (task: TaskView) => Ending): RunView {
  if (!view.tasks.some(({state}) => state === 'running')) return view;
  const tasks = view.tasks.map((task) =>
    task.state === 'running' ? {...task, ...endingOf(task), calls: cutOff(task.calls)} : task,
  );
  return {...view, tasks};
}

/** The result knows how each task ended. A run that waits goes on with them another time. */
function ended(view: RunView, result: Of<'result'>): RunView {
  const settled = settleRunning(view, (task) => endingIn(result, task));
  const tasks = settled.tasks.map((task) =>
    task.state === 'planned' && result.status !== 'waiting'
      ? {...task, state: 'notReached' as const}
      : task,
  );
  return {...settled, tasks, calls: cutOff(settled.calls), result};
}

function endingIn({tasks, status}: Of<'result'>, {id}: TaskView): Ending {
  const known = tasks?.find((task) => task.id === id);
  if (known?.status === 'failed') return {state: 'failed', message: known.failure?.message ?? ''};
  const good = (['succeeded', 'skipped'] as const).find((state) => state === known?.status);
  if (good) return {state: good, message: ''};
  return {state: status === 'waiting' ? 'running' : 'cutOff', message: ''};
}
