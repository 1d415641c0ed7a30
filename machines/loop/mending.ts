/** What a loop does about a reply that is of no use: it waits, asks again, or makes the conversation shorter. */

import {mayRetry, type ModelOutcome, retryDelayMs} from '../domain/model.ts';
import type {Report} from '../domain/progress.ts';
import {engineLine} from '../domain/section-text.ts';
import {appendMessages, type Transcript} from '../domain/transcript.ts';
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
      {
        role: 'user',
        text: engineLine`Your last reply could not be used (${code}: ${message}). Reply again.`,
      },
    ),
  };
}

export function mayCompact(state: TurnState, {kind}: ModelOutcome): boolean {
  return kind === 'contextOverflow' && shorterOf(state) !== undefined;
}

export function shortened(state: TurnState, {ms}: Delivered): Partial<TurnState> {
  return {...shorterOf(state), faults: noFaults, spentMs: state.spentMs + ms};
}

/** Undefined where nothing is left to shorten: asked the same again, the model would answer the same. */
function shorterOf({
  transcript,
  repairs,
}: TurnState): Pick<TurnState, 'transcript' | 'repairs'> | undefined {
  for (let times = repairs.compactions; times < maxCompactions; times++) {
    const shorter = compact(transcript, times);
    if (hasChanged(transcript, shorter))
      return {transcript: shorter, repairs: {...repairs, compactions: times + 1}};
  }
  return undefined;
}

function hasChanged(before: Transcript, after: Transcript): boolean {
  return after.messages.some(({text}, index) => text !== before.messages[index]?.text);
}
