/** What a discussion comes to, told from its state. */

import type {Conclusion, Discussion} from '../../domain/discussion.ts';
import type {FinalStatus, FormOutput, FormParts} from '../../domain/result.ts';
import {type DiscussState, voicesIn} from './discuss-state.ts';
import {rankVoices} from './ranking.ts';
import {shownToChair} from './seats.ts';
import {relabel, type Voice} from './voices.ts';

interface End {
  readonly context: DiscussState;
}

/** The output of a final state. */
export function ending(status: FinalStatus): (end: End) => FormOutput {
  return ({context}) => ({
    status,
    summary: summaryOf(context, status),
    ...discussSoFar(context),
    ...(context.failure && status === 'error' ? {error: context.failure} : {}),
  });
}

/** Of one that has not ended, too: without a conclusion there is none. */
export function discussSoFar(state: DiscussState): FormParts {
  return state.answers.length === 0 ? {} : {discussion: discussionOf(state)};
}

function summaryOf(state: DiscussState, status: FinalStatus): string {
  if (status === 'completed') return conclusionOf(state).conclusion;
  if (status === 'cancelled') return 'Cancelled: a person cancelled.';
  if (status === 'error') return state.failure?.message ?? 'The discussion broke off.';
  return `Nobody answered. ${state.silent.map(({who, because}) => `${who}: ${because}`).join('; ')}`;
}

function discussionOf(state: DiscussState): Discussion {
  const {answers, reviews, conclusion, chairs} = state;
  const [chair] = chairs;
  return {
    ...conclusionOf(state),
    ranking: rankVoices(voicesIn(state), reviews),
    degraded: faultsOf(state).length > 0,
    notes: [...faultsOf(state), ...echoesOf(voicesIn(state))],
    ...(conclusion && chair ? {chair: chair.id} : {}),
    answers: answers.map(({by, text}) => ({participant: by, text})),
  };
}

/** By name: readers don't know the labels. Nobody's conclusion is the best answer, as it was given. */
function conclusionOf(state: DiscussState): Conclusion {
  const {conclusion, chairs, lost, answers} = state;
  if (conclusion) return named(conclusion, state);
  const isGivenUp = chairs.length === 0 && lost.length > 0;
  const best = rankVoices(voicesIn(state), state.reviews)[0]?.participants[0] ?? answers[0]?.by;
  const text = isGivenUp ? answers.find(({by}) => by === best)?.text : undefined;
  return {conclusion: text ?? '', key_points: [], agreements: [], disagreements: []};
}

function named(conclusion: Conclusion, state: DiscussState): Conclusion {
  const shown = shownToChair(state);
  const voices = voicesIn(state);
  const nameOf = (by: string) => voices.find((voice) => voice.by === by)?.all.join(' and ');
  const tell = (text: string) => relabel(text, shown, nameOf);
  return {
    conclusion: tell(conclusion.conclusion),
    key_points: conclusion.key_points.map(tell),
    agreements: conclusion.agreements.map(tell),
    disagreements: conclusion.disagreements.map(tell),
  };
}

const byRule = 'rules took part, which quote what they find and have no opinion';

const missing = {
  answer: 'gave no answer',
  review: 'reviewed nothing',
  conclusion: 'drew no conclusion',
} as const;

/** What the discussion rests on less than it was asked to. */
function faultsOf(state: DiscussState): string[] {
  const {silent, lost, answers, reviews, chairs, settings} = state;
  const {length: asked} = settings.discuss.participants;
  const isReviewed = reviews.length > 0 || chairs.length + lost.length === 0;
  return [
    ...[...silent, ...lost].map(({who, what, because}) => `${who} ${missing[what]}: ${because}`),
    ...(settings.discuss.participants.some(({view}) => view !== undefined) ? [byRule] : []),
    ...(asked < 2 ? ['there was one participant only'] : []),
    ...(asked > 1 && answers.length === 1 ? ['one answer only: nobody has reviewed it'] : []),
    ...(voicesIn(state).length > 1 && !isReviewed ? ['nobody has reviewed the answers'] : []),
    ...(chairs.length === 0 && lost.length > 0
      ? ['nobody has drawn a conclusion: the best answer stands in its place']
      : []),
  ];
}

function echoesOf(voices: readonly Voice[]): string[] {
  return voices
    .filter(({all}) => all.length > 1)
    .map(({all}) => `${all.join(' and ')} gave the same answer: it counts once`);
}
