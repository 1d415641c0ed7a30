/**
 * Folds progress events into a view, by interaction. A call is below its task, in whichever order their events arrive; nothing
 * that can't run any more is left running.
 */

import {addUsage} from '../../../machines/domain/result.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {settleCall, startCall, retryCall, cutOff} from './calls.ts';
import {changeInteraction, isRunning, isWithin, withInteraction} from './interactions.ts';
import {addRound, addVote, closeRound} from './rounds.ts';
import type {GateView, InteractionState, InteractionView, RunView} from './run-view.ts';
import {changeCalls, changeTask, cutTasksOff, endTasks, loseTasks, planTasks} from './tasks.ts';

type EventType = ProgressEvent['type'];
type Of<T extends EventType> = Extract<ProgressEvent, {readonly type: T}>;
type Fold<T extends EventType> = (view: RunView, event: Of<T>) => RunView;

const same = (view: RunView): RunView => view;

/** One entry for each event; the compiler reports a missing one. */
const folds: {readonly [T in EventType]: Fold<T>} = {
  'interaction.started': (view, {interaction, form, request}) =>
    changeInteraction(view, interaction, () => ({form, request})),
  'interaction.spawned': (view, {child, form, request, contextMode, by}) =>
    changeInteraction(view, child, () => ({form, request, contextMode, by})),
  'interaction.refused': (view, {parent, form, error}) =>
    changeInteraction(view, parent, ({refusals}) => ({refusals: [...refusals, {form, error}]})),
  'user.said': same,
  'interaction.settled': settled,
  'phase.changed': (view, {interaction, phase}) =>
    changeInteraction(
      phase === 'executing' ? view : loseTasks(view, interaction),
      interaction,
      () => ({phase, talk: undefined}),
    ),
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
  'human.requested': (view, {interaction, gate, question}) => ({
    ...view,
    gates: [...view.gates.filter((open) => open.gate !== gate), {interaction, gate, question}],
  }),
  'human.decided': decided,
  'decision.refused': same,
  'rule.made': same,
  'interview.asked': (view, {interaction, ask, message, field}) => ({
    ...view,
    asks: [
      ...view.asks.filter((open) => open.interaction !== interaction),
      {interaction, ask, message, ...(field === undefined ? {} : {field})},
    ],
  }),
  'interview.replied': (view, {interaction}) => ({
    ...view,
    asks: view.asks.filter((open) => open.interaction !== interaction),
  }),
  'interview.reviewed': same,
  'interview.changed': (view, {interaction, field, status, done, of}) =>
    changeInteraction(view, interaction, ({filled}) => ({
      filled: {done, of, fields: {...filled?.fields, [field]: status}},
    })),
  'interview.submitted': same,
  'model.retried': same,
  'model.delta': talked,
  'tool.output': same,
  usage: (view, {interaction, model, spent, totals}) =>
    changeInteraction({...view, usage: totals}, interaction, (known) => ({
      spent: addUsage(known.spent, spent),
      talk: known.talk?.model === model ? undefined : known.talk,
    })),
  warning: (view, {message}) => ({...view, warnings: [...view.warnings, message]}),
  'limit.reached': same,
  result: ended,
};

export function advance<T extends EventType>(view: RunView, event: Of<T>): RunView {
  const fold: Fold<T> = folds[event.type];
  return fold(withInteraction(view, event.interaction), event);
}

/** As much as fits on a line. */
const maxTalk = 400;

function talked(view: RunView, {interaction, model, text}: Of<'model.delta'>): RunView {
  return changeInteraction(view, interaction, ({talk}) => {
    const before = talk?.model === model ? talk.text : '';
    return {talk: {model, text: (before + text).slice(-maxTalk)}};
  });
}

function planned(view: RunView, event: Of<'plan.created'> | Of<'plan.revised'>): RunView {
  return changeInteraction(planTasks(view, event), event.interaction, () => ({plan: event.plan}));
}

function decided(view: RunView, decision: Of<'human.decided'>): RunView {
  const {gate, interaction} = decision;
  const isOther = (open: GateView): boolean => open.gate !== gate;
  const question = view.gates.find((open) => !isOther(open))?.question;
  return {
    ...view,
    gates: view.gates.filter(isOther),
    decisions: [...view.decisions, {interaction, gate, question, decision}],
  };
}

/** The result has the full outcome of the root. */
function settled(
  view: RunView,
  {interaction, child, status, summary, text = ''}: Of<'interaction.settled'>,
): RunView {
  const id = child ?? interaction;
  const changed = changeInteraction(view, id, () => ({state: status, summary, text}));
  if (child === undefined) return changed;
  const isOpen = (one: {readonly interaction: string}): boolean => !isWithin(one.interaction, id);
  const [gates, asks] = [changed.gates.filter(isOpen), changed.asks.filter(isOpen)];
  return endInteractions({...cutTasksOff(changed, id), gates, asks}, 'cutOff', (one) =>
    isWithin(one.id, id),
  );
}

function ended(view: RunView, result: Of<'result'>): RunView {
  const {interaction, status, summary} = result;
  const changed = changeInteraction(endTasks(view, result), interaction, () => ({
    state: status,
    summary,
  }));
  const isWaiting = status === 'waiting';
  const left = isWaiting ? status : 'cutOff';
  const asked = isWaiting ? {} : {gates: [], asks: []};
  return {...endInteractions(changed, left, () => true), ...asked, result};
}

/** Nothing of the run is running: open interactions continue when the run is resumed. */
export function suspendAll(view: RunView): RunView {
  return endInteractions(view, 'waiting', () => true);
}

/** `left`: the state for interactions without an end of their own. */
function endInteractions(
  view: RunView,
  left: InteractionState,
  isEnded: (one: InteractionView) => boolean,
): RunView {
  const interactions = view.interactions.map((one) => {
    if (!isEnded(one)) return one;
    const state = isRunning(one) ? left : one.state;
    return {...one, state, talk: undefined, calls: cutOff(one.calls)};
  });
  return {...view, interactions};
}
