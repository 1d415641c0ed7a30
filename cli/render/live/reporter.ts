/**
 * Decides which lines an event has, and when: a task's line is above the lines of its events, and every task gets an end.
 * Lines of interactions below the root begin with their names.
 */

import {spawnableForms} from '../../../machines/domain/interaction-form.ts';
import {type Plan, planHash, workHash} from '../../../machines/domain/plan.ts';
import type {ProgressEvent, Stamped} from '../../../machines/facts/progress.ts';
import {t} from '../../../machines/message.ts';
import {type Reader, say} from '../../language.ts';
import {durationText} from '../numbers.ts';
import type {Screen} from '../style.ts';
import {oneLine, wrapWords} from '../text.ts';
import {interactionIn} from '../view/interactions.ts';
import {placeInRun} from '../view/place.ts';
import type {RunView, TaskState, TaskView} from '../view/run-view.ts';
import {endedCall, findTask} from '../view/tasks.ts';
import {eventLines} from './events.ts';

export interface Views {
  readonly before: RunView;
  readonly after: RunView;
}

export interface Reporter {
  /** The lines of the event. */
  readonly report: (event: ProgressEvent, views: Views, screen: Screen) => readonly string[];
  /** The same for any width: what it returns depends on no later event. */
  readonly layOut: (event: ProgressEvent, views: Views, screen: Screen) => Layout;
}

type Layout = (width: number) => readonly string[];
/** The lines of one event, of which it is decided that they are shown. */
type Shown = (screen: Screen) => readonly string[];

export function createReporter(): Reporter {
  /** By task: events received before its beginning. */
  const held = new Map<string, readonly Shown[]>();
  const outages = createOutages();
  const release = (task: TaskView): readonly Shown[] => {
    const earlier = held.get(keyOf(task)) ?? [];
    held.delete(keyOf(task));
    return earlier;
  };
  const due = (event: ProgressEvent, views: Views, screen: Screen): readonly Shown[] => {
    const own = shownOf(event, {views, screen, outages});
    const task = 'task' in event ? findTask(views.after, event) : undefined;
    if (!task) return [...settled(event, views), own];
    if (task.state === 'planned') {
      held.set(keyOf(task), [...(held.get(keyOf(task)) ?? []), own]);
      return [];
    }
    const earlier = release(task);
    if (event.type === 'task.started') return [own, ...earlier];
    if (earlier.every((shown) => shown(screen).length === 0)) return [own];
    return [linesOf(startOf(task, event)), ...earlier, own];
  };
  const layOut: Reporter['layOut'] = (event, views, screen) => {
    const [label, below] = labelsOf(event, views, screen);
    const all = due(event, views, screen);
    return (width) => {
      const room = label === '' ? width : Math.max(leastRoom, width - label.length);
      const lines = all.flatMap((shown) => shown({...screen, width: room}));
      if (label === '') return lines;
      return lines.map((line, index) => screen.style.dim(index === 0 ? label : below) + line);
    };
  };
  return {
    report: (event, views, screen) => layOut(event, views, screen)(screen.width),
    layOut,
  };
}

function linesOf(event: ProgressEvent): Shown {
  return (screen) => eventLines(event, screen);
}

const nothing: Shown = () => [];

/** Minimum columns of a line beside a label. */
const leastRoom = 20;

/**
 * The labels of the first line, and of later ones: `[1.2] `; where an interaction begins or ends, `[1.2 discuss] ` first.
 * Events about a child have the child's label.
 */
function labelsOf(
  event: ProgressEvent,
  {after}: Views,
  {nameOf = placeInRun}: Screen,
): readonly [first: string, rest: string] {
  const child = 'child' in event ? event.child : undefined;
  const name = nameOf(child ?? event.interaction);
  if (name === '') return ['', ''];
  const form = child === undefined ? undefined : interactionIn(after, child)?.form;
  return [form === undefined ? `[${name}] ` : `[${name} ${form}] `, `[${name}] `];
}

interface ReportContext {
  readonly views: Views;
  readonly screen: Screen;
  readonly outages: Outages;
}

/** An unchanged plan, and a failure or answer that was shown before, are not shown again. */
function shownOf(event: ProgressEvent, {views, screen, outages}: ReportContext): Shown {
  const {before} = views;
  if (isAnswerBelow(event)) return nothing;
  if (screen.level !== 'verbose' && isInVote(event, before)) return nothing;
  if (event.type === 'model.retried') {
    const text = outages.retried(event, screen.style);
    return (room) => retryLines(text, room);
  }
  if (event.type === 'warning')
    return linesOf({...event, message: outages.warned(event, screen.style)});
  if (event.type === 'tool.settled') {
    const ended = endedCall(before, event);
    return (room) => eventLines(event, {...room, ended});
  }
  if (event.type === 'result.judged') return linesOf(withoutReported(event, before));
  const unchanged = unchangedPlan(event, before, screen);
  return unchanged ? () => unchanged : linesOf(event);
}

function unchangedPlan(
  event: ProgressEvent,
  before: RunView,
  {style}: Pick<Screen, 'style'>,
): readonly string[] | undefined {
  const {plan} = interactionIn(before, event.interaction) ?? {};
  if (event.type === 'plan.created' && isSameWork(event, plan))
    return [
      `  ${say(t`plan`, style)}${say(t`: the same tasks as before `, style)}${say(t`(by ${oneLine(event.by, 60)})`, style)}`,
    ];
  if (event.type !== 'plan.revised' || !isSamePlan(event, plan)) return undefined;
  const label = say(t`plan, revision ${event.revision}`, style);
  return [
    `  ${label}${say(t`: the same as before `, style)}${say(t`(by ${oneLine(event.by, 60)})`, style)}`,
  ];
}

/** A plan for the remaining tasks has new task ids, and may drop tasks. */
function isSameWork({plan}: {readonly plan: Plan}, before: Plan | undefined): boolean {
  return before !== undefined && !plan.drops && workHash(plan) === workHash(before);
}

function isSamePlan(event: {readonly plan: Plan}, before: Plan | undefined): boolean {
  return before !== undefined && planHash(event.plan) === planHash(before);
}

/** The last vote has shown the call that it allowed, and the reasons against the one that it did not allow. */
function isInVote(event: ProgressEvent, {rounds}: RunView): boolean {
  const last = rounds.findLast(({interaction}) => interaction === event.interaction)?.decided;
  if (last?.kind !== 'action') return false;
  if (event.type === 'tool.called') return last.approved && event.summary === last.title;
  return event.type === 'tool.settled' && event.status === 'rejected' && !last.approved;
}

/** The answer of a child is shown where the child ended. */
function isAnswerBelow(event: ProgressEvent): boolean {
  return (
    event.type === 'tool.settled' && event.status === 'succeeded' && spawnTools.has(event.tool)
  );
}

const spawnTools = new Set(spawnableForms.map((form) => `spawn_${form}`));

function retryLines(text: string | undefined, {style, level, width, isLive}: Screen): string[] {
  if (text === undefined || (level !== 'normal' && level !== 'verbose')) return [];
  const line = oneLine(text, 1000);
  const rows = isLive ? wrapWords(line, width - 4) : [line];
  return rows.map((row) => style.yellow(`    ${row}`));
}

/** The failure of a task is shown where the task ended; here only that it is the reason for a new plan. */
function withoutReported(
  event: Extract<ProgressEvent, {readonly type: 'result.judged'}>,
  {tasks}: RunView,
): typeof event {
  const own = tasks.filter(({interaction}) => interaction === event.interaction);
  const reported = new Map(
    own.map(({id, state, message}) => [`task ${id} ${state}: ${message}`, `task ${id} ${state}`]),
  );
  const problems = event.isReplanned
    ? event.problems.map((problem) => reported.get(problem) ?? problem)
    : event.problems.filter((problem) => !reported.has(problem));
  return {...event, problems};
}

function keyOf({interaction, id}: TaskView): string {
  return `${interaction}/${id}`;
}

/** States that need no line: not ended, or ended only with the run. */
const silent: ReadonlySet<TaskState> = new Set(['running', 'cutOff']);

/** Tasks whose end had no event. */
function settled(event: ProgressEvent, {before, after}: Views): readonly Shown[] {
  return after.tasks.flatMap((task) => {
    const wasRunning = findTask(before, {interaction: task.interaction, task: task.id});
    if (wasRunning?.state !== 'running' || silent.has(task.state)) return [];
    return [linesOf(taskSettled(task, event))];
  });
}

function startOf({id, description}: TaskView, {seq, at, interaction, actor}: Stamped) {
  return {type: 'task.started', task: id, description, seq, at, interaction, actor} as const;
}

function taskSettled({id, state, message}: TaskView, {seq, at, interaction, actor}: Stamped) {
  const known = (['succeeded', 'skipped', 'stopped'] as const).find((each) => each === state);
  const status = known ?? 'failed';
  return {type: 'task.settled', task: id, status, message, seq, at, interaction, actor} as const;
}

// A model that can't be called: its reason is shown once, and the number of attempts when the run stops for it.

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;

/** A wait of this length has its own line. */
const longWaitMs = 10_000;

interface Outages {
  /** The line of this attempt; undefined if nothing is new. */
  readonly retried: (event: Of<'model.retried'>, reader: Reader) => string | undefined;
  /** The message of a warning, with a count in place of a reason that was shown before. */
  readonly warned: (event: Of<'warning'>, reader: Reader) => string;
}

function createOutages(): Outages {
  /** By model: the last reason, and the number of failed calls. */
  const met = new Map<string, {readonly reason: string; readonly calls: number}>();
  return {
    retried: ({model, attempt, delayMs, reason}, reader) => {
      const isRepeated = attempt > 1 && met.get(model)?.reason === reason;
      met.set(model, {reason, calls: attempt});
      if (!isRepeated)
        return (
          withModelName(model, reason) + say(t`; asked again in ${durationText(delayMs)}`, reader)
        );
      return delayMs < longWaitMs
        ? undefined
        : say(t`${model}: attempt ${attempt + 1} in ${durationText(delayMs)}`, reader);
    },
    warned: ({message}, reader) => {
      const repeated = [...met].find(([model, {reason}]) =>
        message.includes(withModelName(model, reason)),
      );
      if (!repeated) return message;
      const [model, {reason, calls}] = repeated;
      const silence = say(t`${model}: did not answer ${calls + 1} calls`, reader);
      return message.replace(withModelName(model, reason), silence);
    },
  };
}

function withModelName(model: string, reason: string): string {
  return reason.startsWith(`${model}: `) ? reason : `${model}: ${reason}`;
}

/** Holds back the lines of an outage until the run continues: if the run ends with it, the result says so. */
export function withoutLastOutage(
  show: (event: ProgressEvent) => void,
): (event: ProgressEvent) => void {
  const held: Of<'warning'>[] = [];
  return (event) => {
    if (event.type === 'warning' && event.code === 'outage') {
      held.push(event);
      return;
    }
    const own = held.splice(0);
    for (const outage of own) if (!isSaid(outage, event)) show(outage);
    show(event);
  };
}

const waitsFor = /(?:; )?the run (?:is paused until a call succeeds|waits for a higher limit)$/;

/** A limit was shown when it was reached. */
function isSaid({message}: Of<'warning'>, event: ProgressEvent): boolean {
  return event.type === 'result' && event.summary.includes(message.replace(waitsFor, ''));
}
