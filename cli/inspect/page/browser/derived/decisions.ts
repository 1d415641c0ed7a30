/** Rounds of votes and questions to a person at a moment, with the steps of each; the steps that a reader looks for first. */

import type {ModelVote} from '../../../../../machines/domain/review.ts';
import type {Report} from '../../../../../machines/facts/progress.ts';
import type {DecisionView, GateView, RoundView, RunView} from '../../../../render/view/run-view.ts';
import {firstStep, foldSteps} from './fold.ts';

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
