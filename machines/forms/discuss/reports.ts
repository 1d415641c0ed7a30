/** Facts that a discussion reports while it is active. */

import type {Fact} from '../../facts/fact.ts';
import type {SeatAnswered} from '../../panel/polled.ts';
import type {DiscussState} from './discuss-state.ts';
import {readersIn, reviewsBy} from './peer-reviews.ts';

export function answerReport({seat: participant, answer}: SeatAnswered): Fact | undefined {
  const type = 'discuss.answered';
  if (answer.kind === 'said') return {type, participant, answer: answer.text};
  return answer.kind === 'unanswered' ? {type, participant, because: answer.because} : undefined;
}

export function reviewReport(
  state: DiscussState,
  {seat: participant, answer}: SeatAnswered,
): Fact | undefined {
  const type = 'discuss.reviewed';
  if (answer.kind === 'unanswered') return {type, participant, because: answer.because};
  const shown = readersIn(state).find(({reader}) => reader.id === participant)?.shown ?? [];
  const reviews = reviewsBy(participant, shown, answer)
    .toSorted((a, b) => a.place - b.place)
    .map(({of, score, assessment}) => ({of, score, assessment}));
  return {type, participant, reviews};
}

/** Reports that the chair passes to the next candidate. */
export function chairReport({lost, chairs}: DiscussState): Fact {
  const {who = '', because = ''} = lost.at(-1) ?? {};
  return {
    type: 'warning',
    message: `${who} drew no conclusion (${because}); ${chairs[0]?.id ?? ''} takes the chair`,
  };
}
