/** The answers of the participants, each given alone. */

import {ownMember} from '../../domain/json.ts';
import {capBytes} from '../../domain/text-limits.ts';
import type {Labelled} from '../../panel/names.ts';
import type {PollInput, PollOutput, PollSeat} from '../../panel/poll.ts';
import {withRules} from '../../prompts/sections.ts';
import {openTranscript} from '../../prompts/transcript.ts';
import {discussionGround} from './background.ts';
import {type DiscussState, silenceOf} from './discuss-state.ts';
import {participantMessage, participantSystem} from './prompt.ts';
import {type Voice, voicesOf} from './voices.ts';

/** One answer is enough to continue. */
export function answersPoll(state: DiscussState): PollInput {
  const {settings} = state;
  const {participants, deadlineMs} = settings.discuss;
  const ground = discussionGround(state);
  const seats = participants.map(({id, model, view}): PollSeat => {
    const message = participantMessage(ground, view);
    return {
      id,
      filledBy: 'speaker',
      ask: {
        purpose: 'discuss',
        model,
        system: withRules(participantSystem, message),
        transcript: openTranscript(message),
        tools: [],
        toolChoice: 'none',
        maxOutputTokens: settings.maxOutputTokens,
      },
    };
  });
  return {subject: 'answers', seats, deadlineMs, enough: 1};
}

export function withAnswers(
  {settings}: DiscussState,
  replies: PollOutput,
): Pick<DiscussState, 'replies' | 'answers' | 'silent'> {
  const {participants} = settings.discuss;
  return {
    replies,
    answers: participants.flatMap(({id}) => {
      const answer = ownMember(replies, id);
      return answer?.kind === 'said' ? [{by: id, text: answer.text}] : [];
    }),
    silent: participants.flatMap(({id}) => silenceOf(id, 'answer', ownMember(replies, id))),
  };
}

export function voicesIn({answers, settings, request}: DiscussState): readonly Voice[] {
  return voicesOf(answers, settings.discuss.participants, request);
}

/** Each answer cut to `maxEntryBytes`. */
export function capped(shown: readonly Labelled[], {settings}: DiscussState): readonly Labelled[] {
  const {maxEntryBytes} = settings.context;
  return shown.map((each) => ({...each, text: capBytes(each.text, maxEntryBytes)}));
}
