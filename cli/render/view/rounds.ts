/** The votes of the panels, open and decided. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {interactionIn, isRunning} from './interactions.ts';
import type {RoundView, RunView} from './run-view.ts';

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;
type Rounds = readonly RoundView[];

export function addRound(
  rounds: Rounds,
  {interaction, actor, round, kind, title, rule, seats}: Of<'quorum.started'>,
): Rounds {
  const own = {interaction, actor, round, kind, title, rule, seats, votes: [], decided: undefined};
  return [...rounds, own];
}

type InRound = Of<'ballot.cast'> | Of<'quorum.decided'>;

function isOpenRound(one: RoundView, {interaction, actor, kind, round}: InRound): boolean {
  return (
    one.decided === undefined &&
    one.interaction === interaction &&
    one.actor === actor &&
    one.kind === kind &&
    one.round === round
  );
}

/**
 * A ballot belongs to the first open round of its panel that still waits for that seat. After an outage a seat votes again: its later
 * ballot replaces the earlier one.
 */
export function addVote(rounds: Rounds, event: Of<'ballot.cast'>): Rounds {
  const {vote} = event;
  const isOther = ({model}: RoundView['votes'][number]): boolean => model !== vote.model;
  const open = rounds.filter((one) => isOpenRound(one, event));
  const own = open.find(({votes}) => votes.every(isOther)) ?? open.at(-1);
  return rounds.map((one) =>
    one === own ? {...one, votes: [...one.votes.filter(isOther), vote]} : one,
  );
}

/** The record of a round is authoritative for its votes. A round that began before the first event has its record only. */
export function closeRound(rounds: Rounds, event: Of<'quorum.decided'>): Rounds {
  const {votes, title} = event;
  const own = rounds.find((one) => isOpenRound(one, event) && one.title === title);
  if (!own) return closeRound(addRound(rounds, {...event, type: 'quorum.started'}), event);
  return rounds.map((one) => (one === own ? {...one, votes, decided: event} : one));
}

/** The open rounds: none in an ended interaction. */
export function openRounds(view: Pick<RunView, 'rounds' | 'interactions'>): RoundView[] {
  return view.rounds.filter(({decided, interaction}) => {
    const of = interactionIn(view, interaction);
    return decided === undefined && (of === undefined || isRunning(of));
  });
}
