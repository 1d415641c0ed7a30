/** The rounds of votes of a trace, with the step of each ballot. */

import type {JsonObject} from '../../../../../machines/domain/json.ts';
import {factsOf, foldSteps, type PlacedFact} from './fold.ts';
import {numberIn, objectIn, objectsIn, textIn, textsIn} from './members.ts';

export interface Round {
  /** Of the step that began it. */
  readonly index: number;
  /** The path of the panel's actor. */
  readonly actor: string;
  readonly number: number;
  readonly kind: string;
  readonly title: string;
  readonly rule: string;
  readonly seats: readonly string[];
  readonly ballots: readonly Ballot[];
  readonly decided?: {readonly index: number; readonly record: JsonObject};
}

export interface Ballot {
  readonly index: number;
  /** As in `ModelVote`. */
  readonly vote: JsonObject;
}

type Open = {-readonly [K in keyof Round]: Round[K]} & {ballots: Ballot[]};

/** In the order in which they began. */
export const roundsOf = foldSteps<Open[]>(
  () => [],
  (rounds, step, index) => {
    for (const placed of factsOf(step)) take(rounds, placed, index);
  },
);

/** The rounds as they were after the step with this index. */
export function roundsAt(rounds: readonly Round[], index: number): Round[] {
  return rounds.filter((round) => round.index <= index).map((round) => roundAt(round, index));
}

function roundAt(round: Round, index: number): Round {
  const {decided, ...open} = round;
  const ballots = round.ballots.filter((ballot) => ballot.index <= index);
  return {...open, ballots, ...(decided && decided.index <= index ? {decided} : {})};
}

function take(rounds: Open[], placed: PlacedFact, index: number): void {
  const {fact} = placed;
  if (fact['type'] === 'quorum.started') rounds.push(begun(placed, index));
  else if (fact['type'] === 'ballot.cast') cast(rounds, placed, index);
  else if (fact['type'] === 'quorum.decided') decide(rounds, placed, index);
}

function begun({fact, actor}: PlacedFact, index: number): Open {
  return {
    index,
    actor,
    number: numberIn(fact, 'round') ?? 1,
    kind: textIn(fact, 'kind') ?? '',
    title: textIn(fact, 'title') ?? '',
    rule: textIn(fact, 'rule') ?? '',
    seats: textsIn(fact, 'seats'),
    ballots: [],
  };
}

/** A seat may answer once more, after an outage: the later ballot replaces the earlier one. */
function cast(rounds: Open[], {fact, actor}: PlacedFact, index: number): void {
  const vote = objectIn(fact, 'vote');
  const round = rounds.findLast((each) => each.actor === actor && !each.decided);
  if (!round || !vote) return;
  const seat = textIn(vote, 'model');
  round.ballots = [
    ...round.ballots.filter((each) => textIn(each.vote, 'model') !== seat),
    {index, vote},
  ];
}

function decide(rounds: Open[], placed: PlacedFact, index: number): void {
  const {fact} = placed;
  if (rounds.some(({decided}) => decided && isSame(decided.record, fact))) return;
  let round = rounds.findLast((each) => each.actor === placed.actor && !each.decided);
  if (!round) {
    round = begun(placed, index);
    rounds.push(round);
  }
  const known = new Set(round.ballots.map(({vote}) => textIn(vote, 'model')));
  const missing = objectsIn(fact, 'votes').filter((vote) => !known.has(textIn(vote, 'model')));
  round.ballots.push(...missing.map((vote) => ({index, vote})));
  round.decided = {index, record: fact};
}

/** The report of a decision and its note are the same decision. */
function isSame(one: JsonObject, other: JsonObject): boolean {
  return ['proposalHash', 'round', 'kind', 'timestamp', 'summary'].every(
    (name) => one[name] === other[name],
  );
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
