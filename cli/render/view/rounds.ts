/** The votes of the panels, open and decided. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {interactionIn, isRunning} from './interactions.ts';
import type {RoundView, RunView} from './run-view.ts';

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;
type Rounds = readonly RoundView[];

export function addRound(
  rounds: Rounds,
  {interaction, round, kind, title, rule, seats}: Of<'quorum.started'>,
): Rounds {
  const own = {interaction, round, kind, title, rule, seats, votes: [], decided: undefined};
  return [...rounds, own];
}

/** The open round of a decision. */
function isSameRound(
  one: RoundView,
  {interaction, round, kind, title}: Of<'quorum.decided'>,
): boolean {
  return (
    one.interaction === interaction &&
    one.decided === undefined &&
    one.kind === kind &&
    one.round === round &&
    one.title === title
  );
}

/** A ballot does not name its proposal: it belongs to the first open round that still waits for that seat. */
export function addVote(
  rounds: Rounds,
  {interaction, round, kind, vote}: Of<'ballot.cast'>,
): Rounds {
  const place = rounds.findIndex(
    (one) =>
      one.interaction === interaction &&
      one.decided === undefined &&
      one.kind === kind &&
      one.round === round &&
      !one.votes.some(({model}) => model === vote.model),
  );
  return rounds.map((one, index) =>
    index === place ? {...one, votes: [...one.votes, vote]} : one,
  );
}

/** The record of a round is authoritative for its votes. */
export function closeRound(rounds: Rounds, event: Of<'quorum.decided'>): Rounds {
  const {votes} = event;
  const place = rounds.findIndex((one) => isSameRound(one, event));
  return rounds.map((one, index) => (index === place ? {...one, votes, decided: event} : one));
}

/** The open rounds: none in an ended interaction. */
export function openRounds(view: Pick<RunView, 'rounds' | 'interactions'>): RoundView[] {
  return view.rounds.filter(({decided, interaction}) => {
    const of = interactionIn(view, interaction);
    return decided === undefined && (of === undefined || isRunning(of));
  });
}
