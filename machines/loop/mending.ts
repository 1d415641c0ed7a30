/** What a loop does about a reply that is of no use: it waits, asks again, or makes the conversation shorter. */

import {mayRetry, type ModelOutcome, retryDelayMs} from '../domain/model.ts';
import type {Report} from '../domain/progress.ts';
import {appendMessages} from '../domain/transcript.ts';
import type {Delivered} from '../ports.ts';
import {compact} from './compaction.ts';
import {noFaults, type TurnState} from './turn-state.ts';
import {failureOf, isMendable} from './turn.ts';

/** Replies without use that are asked for again. */
const maxMends = 2;
const maxCompactions = 2;

export function mayBackOff({faults}: TurnState, outcome: ModelOutcome): boolean {
  return mayRetry(outcome, faults.inARow + 1);
}

export function backedOff(
  {faults, spentMs}: TurnState,
  outcome: ModelOutcome & Delivered,
): Partial<TurnState> {
  const inARow = faults.inARow + 1;
  return {
    faults: {inARow, pauseMs: retryDelayMs(outcome, inARow)},
    spentMs: spentMs + outcome.ms,
  };
}

export function retryReport({input, faults}: TurnState, outcome: ModelOutcome): Report {
  return {
    type: 'model.retried',
    model: input.model,
    attempt: faults.inARow,
    delayMs: faults.pauseMs,
    reason: outcome.kind === 'ok' ? '' : outcome.message,
  };
}

export function mayMend({repairs}: TurnState, outcome: ModelOutcome): boolean {
  return isMendable(outcome) && repairs.mends < maxMends;
}

export function mended(state: TurnState, outcome: ModelOutcome & Delivered): Partial<TurnState> {
  const {code, message} = failureOf(outcome);
  return {
    repairs: {...state.repairs, mends: state.repairs.mends + 1},
    faults: noFaults,
    spentMs: state.spentMs + outcome.ms,
    transcript: appendMessages(
      state.transcript,
      {role: 'assistant', text: '(no usable reply)', calls: []},
      {role: 'user', text: `Your last reply could not be used (${code}: ${message}). Reply again.`},
    ),
  };
}

export function mayCompact({repairs}: TurnState, {kind}: ModelOutcome): boolean {
  return kind === 'contextOverflow' && repairs.compactions < maxCompactions;
}

export function shortened(
  {transcript, repairs, spentMs}: TurnState,
  {ms}: Delivered,
): Partial<TurnState> {
  return {
    transcript: compact(transcript, repairs.compactions),
    repairs: {...repairs, compactions: repairs.compactions + 1},
    faults: noFaults,
    spentMs: spentMs + ms,
  };
}
