/** Repairs after an unusable reply: the loop asks again, or shortens the conversation. */

import {type ModelOutcome, textCall, textCallRepair} from '../domain/model.ts';
import type {ModelCallOutput} from '../model-call.ts';
import {engineLine} from '../prompts/section-text.ts';
import {appendMessages} from '../prompts/transcript.ts';
import {fitted, requestTokens} from './context-window.ts';
import {frameOf, timeSpent, type TurnState} from './turn-state.ts';
import {failureOf, isMendable} from './turn.ts';

/** Maximum number of unusable replies in a row that are requested again. */
const maxMends = 2;
const maxCompactions = 2;

/** A model whose server does not read its calls would only repeat them as text. */
export function mayMend({repairs}: TurnState, outcome: ModelOutcome): boolean {
  return isMendable(outcome) && repairs.mends < (isTextCall(outcome) ? 1 : maxMends);
}

function isTextCall(outcome: ModelOutcome): boolean {
  return outcome.kind !== 'ok' && outcome.code === textCall;
}

export function mended(state: TurnState, outcome: ModelCallOutput): Partial<TurnState> {
  const {message} = failureOf(outcome);
  return {
    repairs: {...state.repairs, mends: state.repairs.mends + 1},
    spentMs: timeSpent(state, outcome),
    transcript: appendMessages(
      state.transcript,
      {role: 'assistant', text: '(no usable reply)', calls: []},
      {
        role: 'user',
        text: isTextCall(outcome)
          ? textCallRepair
          : engineLine`Your last reply could not be used: ${message}. Reply again.`,
      },
    ),
  };
}

export function mayCompact(state: TurnState, {kind}: ModelOutcome): boolean {
  return kind === 'contextOverflow' && shortenedTranscript(state) !== undefined;
}

export function shortened(state: TurnState, outcome: ModelCallOutput): Partial<TurnState> {
  return {...shortenedTranscript(state), spentMs: timeSpent(state, outcome)};
}

/** Undefined if nothing can be shortened: the same request would fail again. The request is as large as the window at most. */
function shortenedTranscript(
  state: TurnState,
): Pick<TurnState, 'transcript' | 'repairs'> | undefined {
  const {transcript, repairs} = state;
  if (repairs.compactions >= maxCompactions) return undefined;
  const frame = frameOf(state);
  const window = Math.min(frame.window, requestTokens(transcript, frame));
  const shorter = fitted(transcript, {...frame, window});
  if (requestTokens(shorter, frame) >= requestTokens(transcript, frame)) return undefined;
  return {transcript: shorter, repairs: {...repairs, compactions: repairs.compactions + 1, window}};
}
