/** A run as a tree of spans: request, plans, votes, tasks, changes, answer; below them the calls of models and tools. */

import type {Change} from '../../../../../machines/domain/patch.ts';
import type {Report} from '../../../../../machines/facts/progress.ts';
import type {EffectRequest, Step, ModelCall} from '../../../../../machines/trace/step.ts';
import {kindOfPort, type WaitKind} from './actors.ts';
import {foldSteps, objectIn, textIn} from './fold.ts';

export type SpanKind =
  | 'request'
  | 'plan'
  | 'vote'
  | 'gate'
  | 'task'
  | 'change'
  | 'command'
  | 'interaction'
  | 'said'
  | 'judged'
  | 'limit'
  | 'answer'
  | WaitKind;

interface Subject {
  readonly kind: SpanKind;
  /** The kind of proposal, the id of a task, the speaker, the form of an interaction, the port of an effect. */
  readonly of: string;
  readonly text: string;
  /** The part of a path that all its actors have. */
  readonly within: string;
  /** The key of an effect, the name of a gate or a question. */
  readonly key?: string;
}

/** Indexes are of steps. */
export interface Span extends Subject {
  readonly began: number;
  /** -1: it is open. */
  readonly ended: number;
  /** The verdict, the decision or the status. */
  readonly outcome: string;
  /** Nobody waited for its outcome any more. */
  readonly isCancelled?: true;
}

/** The spans up to a step, in the order in which they became known. */
class Spans {
  readonly all: Span[] = [];
  /** Places of open spans, by their names. */
  readonly #open = new Map<string, number>();
  /** The beginning of the current phase or call, and the call, by the path of its actor. */
  readonly #phases = new Map<string, {readonly began: number; readonly call: string}>();
  #index = 0;
  /** The path of the reporting actor. */
  actor = '';

  take(step: Step, index: number): void {
    this.#index = index;
    this.#takeEntry(step);
    for (const {report, actor} of step.reports) {
      this.actor = actor;
      takerOf(report.type)?.(this, report);
    }
    for (const request of step.requests) this.#request(request);
    for (const {change, path} of step.changes) if (change === 'ended') this.#cancel(path);
  }

  beginPhase(call = ''): void {
    this.#phases.set(this.actor, {began: this.#index, call});
  }

  /** The call of a tool that the actor makes. */
  get call(): string {
    return this.#phases.get(this.actor)?.call ?? '';
  }

  begin(subject: Subject): void {
    this.#open.set(nameOf(subject), this.all.length);
    this.all.push({...subject, began: this.#index, ended: -1, outcome: ''});
  }

  /** A span whose beginning was not seen begins here. */
  end(subject: Subject, outcome = ''): void {
    if (!this.#open.has(nameOf(subject))) this.begin(subject);
    this.#close(nameOf(subject), {outcome});
  }

  /** It began with the phase in which it is reported. */
  add(subject: Subject, outcome = ''): void {
    const {began} = this.#phases.get(this.actor) ?? {began: this.#index};
    this.all.push({...subject, began, ended: this.#index, outcome});
  }

  #close(name: string, ending: Pick<Span, 'outcome' | 'isCancelled'>): void {
    const place = this.#open.get(name) ?? -1;
    const span = this.all[place];
    if (span) this.all[place] = {...span, ended: this.#index, ...ending};
    this.#open.delete(name);
  }

  #takeEntry({cause}: Step): void {
    if (cause.kind !== 'entry') return;
    const {entry} = cause;
    const [input, result] = [objectIn(entry, 'input'), objectIn(entry, 'result')];
    const said = (holder: typeof input, name: string): string => textIn(holder, name) ?? '';
    if (entry.type === 'opened')
      this.begin({...whole, of: said(input, 'form'), text: said(input, 'request')});
    const outcome = said(objectIn(entry, 'outcome'), 'kind');
    if (entry.type === 'settled') this.#close(`effect ${said(entry, 'key')}`, {outcome});
    if (entry.type !== 'closed') return;
    const status = said(result, 'status');
    const text = said(result, 'answer') || said(result, 'summary');
    this.#close(nameOf(whole), {outcome: status});
    this.actor = 'i/interaction/form';
    this.add({kind: 'answer', of: '', text, within: this.actor}, status);
  }

  #request({key, port, actor, label}: EffectRequest): void {
    const kind = kindOfPort(port);
    if (kind !== 'effect' && port !== 'previewTool')
      this.begin({kind, of: port, text: label, within: actor, key});
  }

  /** The effects of an actor that ended before their outcome. */
  #cancel(path: string): void {
    for (const [name, place] of this.#open) {
      const {key, within = ''} = this.all[place] ?? {};
      const isOwn = key !== undefined && `${within}/`.startsWith(`${path}/`);
      if (isOwn && name.startsWith('effect ')) this.#close(name, {outcome: '', isCancelled: true});
    }
  }
}

const effectKinds: ReadonlySet<SpanKind> = new Set(['model', 'tool', 'person', 'resume']);

export function isEffect({kind}: Span): boolean {
  return effectKinds.has(kind);
}

function nameOf({kind, key, within}: Subject): string {
  return `${effectKinds.has(kind) ? 'effect' : kind} ${key ?? within}`;
}

const whole: Subject = {kind: 'request', of: '', text: '', within: 'i'};

type Of<Type extends Report['type']> = Extract<Report, {readonly type: Type}>;
type Taker<Type extends Report['type']> = (spans: Spans, report: Of<Type>) => void;

const takers: {readonly [Type in Report['type']]?: Taker<Type>} = {
  'phase.changed': (spans) => spans.beginPhase(),
  'plan.created': takePlan,
  'plan.revised': takePlan,
  'quorum.started': (spans, report) => spans.begin(voteOn(report, spans)),
  'quorum.decided': (spans, report) => spans.end(voteOn(report, spans), report.verdict),
  'human.requested': (spans, {gate, question: {kind, reason}}) =>
    spans.begin({kind: 'gate', of: kind, text: reason, within: spans.actor, key: gate}),
  'human.decided': (spans, {gate, decision, title = ''}) =>
    spans.end({kind: 'gate', of: '', text: title, within: spans.actor, key: gate}, decision),
  'task.started': (spans, {task, description}) =>
    spans.begin({kind: 'task', of: task, text: description, within: taskPath(task, spans)}),
  'task.settled': (spans, {task, status, message}) =>
    spans.end({kind: 'task', of: task, text: message, within: taskPath(task, spans)}, status),
  'tool.called': (spans, {summary}) => spans.beginPhase(summary),
  'tool.settled': takeTool,
  'interaction.spawned': (spans, {child, form, request}) =>
    spans.begin({kind: 'interaction', of: form, text: request, within: `interaction:${child}`}),
  'interaction.settled': (spans, {child, summary, status}) => {
    if (child === undefined) return;
    const within = `interaction:${child}`;
    spans.end({kind: 'interaction', of: '', text: summary, within}, status);
  },
  'discuss.answered': (spans, {participant, answer, because}) =>
    say(spans, participant, answer, because),
  'discuss.reviewed': (spans, {participant, reviews, because}) =>
    say(spans, participant, reviews?.map(({of, score}) => `${of} ${score}`).join(', '), because),
  'debate.turn': (spans, {participant, position, because}) =>
    say(spans, participant, position, because),
  'ensemble.drafted': (spans, {by, plan, because}) => say(spans, by, plan?.objective, because),
  'interview.asked': (spans, {agent, message}) =>
    spans.add({kind: 'said', of: agent, text: message, within: spans.actor}),
  'result.judged': (spans, {successful, feedback}) =>
    spans.add(
      {kind: 'judged', of: '', text: feedback, within: spans.actor},
      successful ? 'succeeded' : 'failed',
    ),
  'limit.reached': (spans, {limit, message}) =>
    spans.add({kind: 'limit', of: limit, text: message, within: spans.actor}),
};

function takerOf<Type extends Report['type']>(type: Type): Taker<Type> | undefined {
  return takers[type];
}

function voteOn({kind, title}: {kind: string; title: string}, {actor}: Spans): Subject {
  return {kind: 'vote', of: kind, text: title, within: actor};
}

/** A task reports its end itself, its execution the beginning. */
function taskPath(task: string, {actor}: Spans): string {
  return actor.endsWith(`/task:${task}`) ? actor : `${actor}/task:${task}`;
}

function takePlan(spans: Spans, {plan}: Of<'plan.created'> | Of<'plan.revised'>): void {
  const {objective: text, tasks} = plan;
  spans.add({kind: 'plan', of: String(tasks.length), text, within: spans.actor});
}

function takeTool(spans: Spans, report: Of<'tool.settled'>): void {
  const {tool: of, changes = [], exitCode, status} = report;
  const within = spans.actor;
  if (exitCode !== undefined) spans.add({kind: 'command', of, text: spans.call, within}, status);
  for (const change of changes) spans.add({kind: 'change', of, text: changeText(change), within});
}

function changeText({path, added, removed}: Change): string {
  return `${path} +${added} −${removed}`;
}

function say(spans: Spans, speaker: string, text = '', because = ''): void {
  const within = `seat:${speaker}`;
  spans.add({kind: 'said', of: speaker, text: text || because, within}, because && 'failed');
}

/** The spans of a trace. */
export const spansOf = foldSteps<Spans>(
  () => new Spans(),
  (spans, step, index) => spans.take(step, index),
);

export interface Row {
  readonly span: Span;
  /** 0 for the spans of the run itself. */
  readonly level: number;
}

/** Each span below the innermost one that contains it, else in the order of their beginnings. */
export function rowsOf(spans: readonly Span[]): readonly Row[] {
  const inOrder = spans.toSorted(
    (one, other) => one.began - other.began || Number(isEffect(one)) - Number(isEffect(other)),
  );
  const holders = inOrder.filter((span) => !isEffect(span) && !leaves.has(span.kind));
  const below = Map.groupBy(inOrder, (span) => holders.findLast((each) => contains(each, span)));
  const rows: Row[] = [];
  const add = (holder: Span | undefined, level: number): void => {
    for (const span of below.get(holder) ?? []) {
      rows.push({span, level});
      add(span, level + 1);
    }
  };
  add(undefined, 0);
  return rows;
}

const leaves: ReadonlySet<SpanKind> = new Set(['request', 'change', 'command']);

function contains(holder: Span, span: Span): boolean {
  return (
    holder !== span &&
    holder.began <= span.began &&
    (holder.ended < 0 || span.began < holder.ended) &&
    isWithin(span.within, holder.within)
  );
}

function isWithin(path: string, part: string): boolean {
  return `/${path}/`.includes(`/${part}/`);
}

/** The calls of a span. */
export function callsIn(
  span: Span,
  calls: readonly ModelCall[],
  steps: readonly Step[],
): ModelCall[] {
  const from = steps[span.began]?.seq ?? 0;
  const to = steps[span.ended]?.seq ?? Number.POSITIVE_INFINITY;
  return calls.filter(
    ({key, actor, requested}) =>
      key === span.key ||
      (!isEffect(span) && from <= requested && requested < to && isWithin(actor, span.within)),
  );
}

/** A time in which only a person is waited for is shown as this part of the whole at most. */
const longestIdle = 0.04;

/** The place of each step on an axis of time from 0 to 1. */
export function axisOf(steps: readonly Step[], spans: readonly Span[]): readonly number[] {
  const changes = new Map<number, number>();
  const count = (index: number, change: number): void =>
    void changes.set(index, (changes.get(index) ?? 0) + change);
  for (const {kind, began, ended} of spans) {
    if (kind !== 'model' && kind !== 'tool') continue;
    count(began, 1);
    if (ended >= 0) count(ended, -1);
  }
  let working = 0;
  const pauses = steps.map(({at}, index) => {
    const isIdle = working === 0;
    working += changes.get(index) ?? 0;
    return {ms: Math.max(0, at - (steps[index - 1]?.at ?? at)), isIdle};
  });
  const busy = pauses.reduce((sum, {ms, isIdle}) => sum + (isIdle ? 0 : ms), 0);
  const most = Math.max(1000, busy * longestIdle);
  let place = 0;
  const places = pauses.map(({ms, isIdle}) => (place += isIdle ? Math.min(ms, most) : ms));
  return places.map((each) => each / Math.max(1, place));
}
