/** Conditions that end a turn loop without an answer. */

import type {ModelOutcome} from '../domain/model.ts';
import {isArgumentFault} from '../domain/tool.ts';
import type {TurnState} from './turn-state.ts';
import {
  type CallEnd,
  isAllRefused,
  maxIdenticalCalls,
  repetitionsOf,
  type StopReason,
  withEnd,
} from './turn.ts';

/** After a rejection one more repetition is allowed, so that the third rejection in a row goes to a person. */
export function isRepeated({repetition, steps}: TurnState, outcome: ModelOutcome): boolean {
  if (outcome.kind !== 'ok') return false;
  const most = maxIdenticalCalls + (steps.at(-1)?.status === 'rejected' ? 1 : 0);
  return repetitionsOf(repetition, outcome.calls).some(({count}) => count >= most);
}

/** The reason why the turn that ends with this call is the last one; undefined if another may follow. */
export function endOfTurns(state: TurnState, end: CallEnd): StopReason | undefined {
  const {turns, refusedTurns, input, spentMs} = state;
  const turn = withEnd(state.turn, end);
  if (isAllRefused(turn) && refusedTurns >= input.maxRefusedTurns) return 'invalid_calls';
  if (turns >= input.maxTurns) return 'max_turns';
  return spentMs + turn.ms >= (input.timeLimitMs ?? Infinity) ? 'time_limit' : undefined;
}

/** True if the turn that ends with this call is the last one, and the model is to report. */
export function isToReport(state: TurnState, end: CallEnd): boolean {
  return state.input.reportsAtLimit === true && endOfTurns(state, end) === 'max_turns';
}

/** True if a call of the turn failed permanently, in a loop where this ends it. */
export function isDegraded({turn, input}: TurnState, end: CallEnd): boolean {
  if (!input.isDegradable) return false;
  return Object.values(withEnd(turn, end).settled).some(
    ({status, failure}) => status === 'failed' && !(failure && isArgumentFault(failure)),
  );
}

/** Running time left, ms; undefined when there is no limit. */
export function timeLeft({input, spentMs}: TurnState): number | undefined {
  return input.timeLimitMs === undefined ? undefined : Math.max(0, input.timeLimitMs - spentMs);
}
