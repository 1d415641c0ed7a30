/** The polls of a debate. Each step asks one role. */

import type {Objection} from '../../domain/ledger.ts';
import {hideNames} from '../../panel/names.ts';
import type {PollInput} from '../../panel/poll.ts';
import {openTranscript} from '../../prompts/transcript.ts';
import type {AskedQuestion} from '../../questions/questions.ts';
import {type DebateState, openIds, type Role, speakerOf} from './debate-state.ts';
import {
  attackMessage,
  type DebateBrief,
  defenceMessage,
  openingMessage,
  opponentSystem,
  positionSystem,
  proponentSystem,
  rulingMessage,
  rulingSystem,
} from './prompt.ts';

function pollFor(
  state: DebateState,
  role: Role,
  ask: AskedQuestion & {readonly system: string; readonly message: string},
): PollInput {
  const {model} = speakerOf(state, role);
  const {message, ...question} = ask;
  const {discuss, maxOutputTokens} = state.settings;
  const transcript = openTranscript(message);
  const seat = {
    id: role,
    filledBy: 'model' as const,
    ask: {...question, model, transcript, maxOutputTokens},
  };
  return {subject: `round ${state.rounds}`, seats: [seat], deadlineMs: discuss.deadlineMs};
}

export function openingPoll(state: DebateState): PollInput {
  return pollFor(state, 'proponent', {
    question: 'take_position',
    purpose: 'take-position',
    about: {},
    system: positionSystem,
    message: openingMessage(state.ground),
  });
}

export function attackPoll(state: DebateState): PollInput {
  return pollFor(state, 'opponent', {
    question: 'raise_objections',
    purpose: 'raise-objections',
    about: {open: openIds(state)},
    system: opponentSystem(state.settings.debate.intensity),
    message: attackMessage(briefOf(state)),
  });
}

export function defencePoll(state: DebateState): PollInput {
  return pollFor(state, 'proponent', {
    question: 'answer_objections',
    purpose: 'answer-objections',
    about: {open: openIds(state)},
    system: proponentSystem,
    message: defenceMessage(briefOf(state)),
  });
}

export function rulingPoll(state: DebateState): PollInput {
  return pollFor(state, 'moderator', {
    question: 'rule_on_objections',
    purpose: 'rule-on-objections',
    about: {open: openIds(state)},
    system: rulingSystem,
    message: rulingMessage(briefOf(state)),
  });
}

/** The debate for a prompt, without names. */
export function briefOf(state: DebateState): DebateBrief {
  const {ground, given, settings, rounds} = state;
  const {proponent, opponent, maxRounds} = settings.debate;
  const hidden = (text: string) => hideNames(text, [proponent, opponent], ground.question);
  return {
    ground,
    position: hidden(state.position),
    reasons: state.reasons.map(hidden),
    objections: state.objections.map((each) => hideIn(each, hidden)),
    round: `round ${rounds} of ${maxRounds}`,
    mayRevise: given === undefined,
  };
}

function hideIn(objection: Objection, hidden: (text: string) => string): Objection {
  const {evidence, answer, reason} = objection;
  return {
    ...objection,
    objection: hidden(objection.objection),
    ...(evidence === undefined ? {} : {evidence: hidden(evidence)}),
    ...(answer === undefined ? {} : {answer: hidden(answer)}),
    ...(reason === undefined ? {} : {reason: hidden(reason)}),
  };
}
