/** The reviews that participants write of each other's answers, which they read without names. */

import {ownMember} from '../../domain/json.ts';
import type {Participant} from '../../domain/settings.ts';
import type {Labelled} from '../../panel/names.ts';
import type {PollInput, PollOutput, PollSeat, SeatAnswer} from '../../panel/poll.ts';
import {openTranscript} from '../../prompts/transcript.ts';
import {answerIn, type QuestionInput} from '../../questions/question.ts';
import {capped, voicesIn} from './answers.ts';
import {discussionGround} from './background.ts';
import {type DiscussState, silenceOf} from './discuss-state.ts';
import {readerMessage, readerSystem} from './prompt.ts';
import type {PeerReview} from './ranking.ts';
import {shownTo} from './voices.ts';

export function reviewsPoll(state: DiscussState): PollInput {
  const {settings} = state;
  const ground = discussionGround(state);
  const seats = readersIn(state).map(({reader: {id, model}, shown}): PollSeat => {
    const labels = shown.map(({label}) => label);
    const ask: QuestionInput = {
      question: 'rank_answers',
      purpose: 'rank-answers',
      about: {labels},
      model,
      system: readerSystem,
      transcript: openTranscript(readerMessage(ground, capped(shown, state))),
      maxOutputTokens: settings.maxOutputTokens,
    };
    return {id, filledBy: 'model', ask};
  });
  return {subject: 'reviews', seats, deadlineMs: settings.discuss.deadlineMs, enough: 1};
}

/** The participants that answered, each with the labelled answers of the others. */
export function readersIn(
  state: DiscussState,
): readonly {readonly reader: Participant; readonly shown: readonly Labelled[]}[] {
  const voices = voicesIn(state);
  const {participants} = state.settings.discuss;
  return participants
    .filter(({id}) => state.answers.some(({by}) => by === id))
    .map((reader) => ({reader, shown: shownTo(reader.id, voices, state.request)}))
    .filter(({shown}) => shown.length > 0);
}

/** The reviews of one reader. */
export function reviewsBy(
  reader: string,
  shown: readonly Labelled[],
  answer: SeatAnswer,
): readonly PeerReview[] {
  const ranking = answerIn('rank_answers', answer);
  if (!ranking) return [];
  return shown.flatMap(({label, by: of}) => {
    const review = ranking.reviews.find((each) => each.label === label);
    if (!review) return [];
    const {label: _, ...said} = review;
    const place = ranking.ranking.indexOf(label) + 1;
    return [{by: reader, of, place, among: shown.length, ...said}];
  });
}

export function withReviews(state: DiscussState, replies: PollOutput): Partial<DiscussState> {
  const readers = readersIn(state);
  return {
    reviews: readers.flatMap(({reader, shown}) => {
      const answer = ownMember(replies, reader.id);
      return answer ? reviewsBy(reader.id, shown, answer) : [];
    }),
    silent: [
      ...state.silent,
      ...readers.flatMap(({reader: {id}}) => silenceOf(id, 'review', ownMember(replies, id))),
    ],
  };
}
