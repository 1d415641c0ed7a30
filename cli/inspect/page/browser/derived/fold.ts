/** Folds over the steps of a trace, continued as steps arrive: each step is visited once. Rounds of votes and questions to a person at a moment, with the steps of each. */

import {isJsonArray, isJsonObject, type JsonObject} from '../../../../../machines/domain/json.ts';
import {addUsage, noUsage, type UsageTotals} from '../../../../../machines/domain/result.ts';
import type {ModelVote} from '../../../../../machines/domain/review.ts';
import type {Report} from '../../../../../machines/facts/progress.ts';
import type {Moments} from '../../../../../machines/trace/moments.ts';
import type {ModelCall, Step} from '../../../../../machines/trace/step.ts';
import {interactionIn} from '../../../../../machines/tree/path.ts';
import {advance} from '../../../../render/view/fold.ts';
import {
  type DecisionView,
  emptyView,
  type GateView,
  type RoundView,
  type RunView,
} from '../../../../render/view/run-view.ts';

/** `add` changes the state in place. */
export function foldSteps<State>(
  begin: () => State,
  add: (state: State, step: Step, index: number) => void,
): (moments: Moments) => State {
  const states = new WeakMap<Moments, {readonly state: State; count: number}>();
  return (moments) => {
    const known = states.get(moments) ?? {state: begin(), count: 0};
    const {steps} = moments;
    for (; known.count < steps.length; known.count += 1) {
      const step = steps[known.count];
      if (step) add(known.state, step, known.count);
    }
    states.set(moments, known);
    return known.state;
  };
}

/** The view of the run after each step, as every screen folds it. Views share the parts that have not changed. */
export const viewsOf = foldSteps<RunView[]>(
  () => [],
  (views, {reports, seq, at}) => {
    const before = views.at(-1) ?? emptyView;
    const after = reports.reduce(
      (view, {report, actor}) =>
        advance(view, {...report, seq, at, actor, interaction: interactionIn(actor, 'root')}),
      before,
    );
    views.push(after);
  },
);

/** The index of the first step after which this holds. It keeps holding. -1: it never does. */
export function firstStep(views: readonly RunView[], holds: (view: RunView) => boolean): number {
  let [low, high] = [0, views.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const view = views[middle];
    if (view && holds(view)) high = middle;
    else low = middle + 1;
  }
  return low < views.length ? low : -1;
}

/** The index of the step in which an actor began, the nearest before a moment, else the first after it. Undefined: it never did. */
export function beginningOf(
  steps: readonly Step[],
  path: string,
  index: number,
): number | undefined {
  const begins = ({changes}: Step): boolean =>
    changes.some((each) => each.change === 'started' && each.path === path);
  const before = steps.findLastIndex((step, at) => at <= index && begins(step));
  const nearest = before < 0 ? steps.findIndex(begins) : before;
  return nearest < 0 ? undefined : nearest;
}

// Members of JSON that another version, a model or a stranger may have written: an absent or different one is undefined or empty.

export function textIn(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function objectIn(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = object?.[name];
  return isJsonObject(value) ? value : undefined;
}

export function objectsIn(object: JsonObject | undefined, name: string): readonly JsonObject[] {
  const value = object?.[name];
  return isJsonArray(value) ? value.filter((each) => isJsonObject(each)) : [];
}

// Sums of model calls, and the calls as they were at a moment.

interface CallTotals extends UsageTotals {
  /** The price of a model is not known. */
  readonly isCostPartial: boolean;
}

/** The calls are counted also before they have an outcome. */
export function totalsOf(calls: readonly ModelCall[]): CallTotals {
  const used = calls.flatMap(({usage}) => (usage ? [usage] : []));
  const sum = used.reduce<UsageTotals>(
    (all, usage) => addUsage(all, {...usage, modelCalls: 0}),
    noUsage,
  );
  const isCostPartial = used.some(({costUsd}) => costUsd === undefined);
  return {...sum, modelCalls: calls.length, isCostPartial};
}

/** The calls as they were known after the step with this seq: a later outcome is left out. */
export function callsAt(calls: readonly ModelCall[], seq: number): ModelCall[] {
  return calls
    .filter(({requested}) => requested <= seq)
    .map((call) => {
      if (call.settled !== undefined && call.settled <= seq) return call;
      const {settled: _settled, outcome: _outcome, usage: _usage, ms: _ms, ...open} = call;
      return open;
    });
}

// Rounds of votes and questions to a person at a moment, with the steps of each; the steps that a reader looks for first.

/** Indexes are of steps. */
export interface PlacedRound {
  readonly round: RoundView;
  readonly began: number;
  /** Of its votes, in their order: if a seat voted again, of the later one. */
  readonly cast: readonly number[];
  /** -1: it is open. */
  readonly decided: number;
}

/** The last rounds after a step, in the order in which they began. */
export function roundsAt(
  views: readonly RunView[],
  index: number,
  most = Number.POSITIVE_INFINITY,
): PlacedRound[] {
  const known = views.slice(0, index + 1);
  const all = [...(known.at(-1)?.rounds.entries() ?? [])];
  return all.slice(-most).map(([place, round]) => ({
    round,
    began: firstStep(known, ({rounds}) => rounds.length > place),
    cast: round.votes.map((vote) =>
      firstStep(known, ({rounds}) => rounds[place]?.votes.some(isSameAs(vote)) ?? false),
    ),
    decided: firstStep(known, ({rounds}) => rounds[place]?.decided !== undefined),
  }));
}

function isSameAs({model, verdict, abstainedBecause}: ModelVote): (other: ModelVote) => boolean {
  return (other) =>
    other.model === model &&
    other.verdict === verdict &&
    other.abstainedBecause === abstainedBecause;
}

export interface PlacedGate extends Pick<GateView, 'gate'> {
  readonly asked: number;
  /** Absent: nobody was asked. */
  readonly question: DecisionView['question'];
  readonly decision?: DecisionView['decision'];
  readonly decided?: number;
}

/** After a step: the decided ones first. */
export function gatesAt(views: readonly RunView[], index: number): PlacedGate[] {
  const known = views.slice(0, index + 1);
  const {decisions = [], gates = []} = known.at(-1) ?? {};
  const askedAt = (gate: string): number =>
    firstStep(known, (view) =>
      [...view.gates, ...view.decisions].some((each) => each.gate === gate),
    );
  return [
    ...decisions.map(({gate, question, decision}, at) => ({
      gate,
      question,
      decision,
      asked: askedAt(gate),
      decided: firstStep(known, (view) => view.decisions.length > at),
    })),
    ...gates.map(({gate, question}) => ({gate, question, asked: askedAt(gate)})),
  ];
}

/** The model call that led to a ballot: the last one of its seat that was requested by then. */
export function callOfBallot<Call extends {readonly actor: string; readonly requested: number}>(
  calls: readonly Call[],
  {actor, seat, seq}: {readonly actor: string; readonly seat: string; readonly seq: number},
): Call | undefined {
  const place = `/seat:${seat}/`;
  return calls.findLast(
    (call) =>
      call.requested <= seq &&
      `${call.actor}/`.includes(place) &&
      call.actor.startsWith(`${actor}/`),
  );
}

export type MarkKind = 'approved' | 'rejected' | 'gate' | 'plan';

export interface Mark {
  readonly index: number;
  readonly kind: MarkKind;
}

const kinds: {readonly [Type in Report['type']]?: MarkKind} = {
  'plan.created': 'plan',
  'plan.revised': 'plan',
  'ensemble.chosen': 'plan',
  'human.requested': 'gate',
  'human.decided': 'gate',
};

/** In order. A step may have several marks, each kind once. */
export const marksOf = foldSteps<Mark[]>(
  () => [],
  (marks, {reports}, index) => {
    const found = new Set(reports.flatMap(({report}) => kindOf(report) ?? []));
    marks.push(...[...found].map((kind) => ({index, kind})));
  },
);

function kindOf(report: Report): MarkKind | undefined {
  if (report.type === 'quorum.decided') return report.approved ? 'approved' : 'rejected';
  return kinds[report.type];
}

/** The nearest marked step in this direction. */
export function nextMark(
  marks: readonly Mark[],
  from: number,
  direction: 1 | -1,
): number | undefined {
  return direction > 0
    ? marks.find(({index}) => index > from)?.index
    : marks.findLast(({index}) => index < from)?.index;
}
