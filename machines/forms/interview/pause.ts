/** A paused interview: its message, and the reply that continues it. */

import {isPause} from '../../questionnaire/answer-reading.ts';
import {sectionsOpen} from './agents/agent-turn.ts';
import {
  exchangeInput,
  isSensitive,
  recordReply,
  type Topic,
  utter,
  type Utterance,
} from './asking.ts';
import {
  type Dialogue,
  nextField,
  recordOf,
  reopened,
  textsOf,
  withNotice,
  withRecord,
} from './dialogue.ts';
import type {ExchangeInput, ExchangeOutput, ReceivedReply} from './exchange.ts';
import type {InterviewState} from './interview-state.ts';

const pauseTopic: Topic = {agent: 'interviewer', state: 'paused'};

export function pauseAsked({dialogue}: InterviewState): Utterance {
  return utter(dialogue, pauseTopic, textsOf(dialogue).paused);
}

/** The reply may answer the open field, so its privacy applies. */
export function pauseInput(state: InterviewState): ExchangeInput {
  const field = fieldInPause(state.dialogue);
  const isMasked = field !== undefined && isSensitive(state.dialogue, field);
  return {...exchangeInput(state, pauseTopic), ...(isMasked ? {isMasked} : {})};
}

/** The person asks for help, or wants to come back later. */
export function staysPaused({route}: ReceivedReply): boolean {
  return route.kind === 'help' || isPause(route);
}

export function pauseReplied(
  state: InterviewState,
  output: ExchangeOutput,
): Partial<InterviewState> {
  if (output.kind === 'lost') return {failure: output.failure};
  const route = routeInPause(state.dialogue, output);
  const replied = recordReply(state.dialogue, pauseTopic, {...output, route});
  if (route.kind === 'help') {
    return {route, dialogue: withNotice(replied, textsOf(replied).help)};
  }
  if (route.kind !== 'correct') return {route, dialogue: replied};
  const isOpen = output.route.kind === 'answer';
  return {
    route,
    dialogue: isOpen
      ? withFurtherReply(replied, route.field, output.text)
      : reopened(replied, route.field, route.text),
  };
}

/** An answer is for the field that is open in the pause, if one is. */
function routeInPause(dialogue: Dialogue, {route, text}: ReceivedReply): ReceivedReply['route'] {
  const field = fieldInPause(dialogue);
  const isAnswer = route.kind === 'answer' && field !== undefined;
  return isAnswer ? {kind: 'correct', field, text} : route;
}

/** While the greeter still has questions, no field is open. */
function fieldInPause(dialogue: Dialogue): string | undefined {
  return sectionsOpen(dialogue).length === 0 ? nextField(dialogue) : undefined;
}

/** Earlier replies on the field count, too. */
function withFurtherReply(dialogue: Dialogue, id: string, text: string): Dialogue {
  const {replies} = recordOf(dialogue, id);
  return {...withRecord(dialogue, id, {replies: [...replies, {text}]}), next: id};
}
