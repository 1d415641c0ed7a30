/** What is known in the course of a discussion, and how it takes in what its voices say. */

import type {Attachment} from '../../domain/attachment.ts';
import type {Conclusion} from '../../domain/discussion.ts';
import type {Failure} from '../../domain/failure.ts';
import type {Outage} from '../../domain/outage.ts';
import {changeSettings, type Participant, type SettingsChange} from '../../domain/settings.ts';
import type {ToolOutcome} from '../../domain/tool.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {newsSections} from '../../loop/news-text.ts';
import type {Authored, Labelled} from '../../panel/labels.ts';
import type {PollOutput, SeatAnswer} from '../../panel/polled.ts';
import {answerIn} from '../../question.ts';
import type {FormInput} from '../../tree/form-event.ts';
import type {NewsItem} from '../../tree/news.ts';
import type {DebateOutput} from '../debate/debate-state.ts';
import type {Ground} from '../ground.ts';
import {type PeerReview, rankVoices} from './ranking.ts';
import {shownTo, type Voice, voicesOf} from './voices.ts';

/** Who said nothing, and why. */
interface Silence {
  readonly who: string;
  readonly what: 'answer' | 'review' | 'conclusion';
  readonly because: string;
  readonly outage?: Outage;
}

export interface DiscussState extends FormInput {
  readonly attachments: readonly Attachment[];
  /** What the discussion was told meanwhile, as those read it who are still to speak. */
  readonly news: readonly NewsItem[];
  /** What the workspace says of itself and of the question. */
  readonly survey: string;
  readonly passages: string;
  /** What participants said as it came. */
  readonly heard: PollOutput;
  readonly answers: readonly Authored[];
  readonly reviews: readonly PeerReview[];
  /** Participants without an answer, readers without a review. */
  readonly silent: readonly Silence[];
  /** Who may still draw the conclusion; the first has the chair. */
  readonly chairs: readonly Participant[];
  /** Who had it and did not. */
  readonly lost: readonly Silence[];
  readonly conclusion?: Conclusion;
  readonly debate?: DebateOutput;
  /** What was said at the gate on what the debate left open. */
  readonly word?: HumanGateOutput;
  readonly failure?: Failure;
}

export function openDiscussion(input: FormInput): DiscussState {
  const {attachments = []} = input;
  return {
    ...input,
    attachments,
    news: [],
    survey: '',
    passages: '',
    heard: {},
    answers: [],
    reviews: [],
    silent: [],
    chairs: [],
    lost: [],
  };
}

/** What everybody in it reads before anything else. */
export function groundOf(state: DiscussState): Ground {
  const {request: question, inherited, attachments, news, settings, survey, passages} = state;
  return {
    question,
    inherited,
    attachments,
    news: newsSections(news, settings.context.maxEntryBytes),
    survey,
    passages,
  };
}

/** How it is held, and by whom as a debate, stays as it began. */
export function withChange(
  {settings}: DiscussState,
  change: SettingsChange,
): Pick<DiscussState, 'settings'> {
  const changed = changeSettings(settings, change);
  const {strategy} = settings.discuss;
  const discuss = {...changed.discuss, strategy};
  return {settings: {...changed, discuss, debate: settings.debate}};
}

/** Without a document that speaks of the question there are no passages. */
export function passagesIn(outcome: ToolOutcome): string {
  return outcome.kind === 'succeeded' && (outcome.sources ?? []).length > 0 ? outcome.text : '';
}

export function withAnswers(
  {settings}: DiscussState,
  heard: PollOutput,
): Pick<DiscussState, 'heard' | 'answers' | 'silent'> {
  const {participants} = settings.discuss;
  return {
    heard,
    answers: participants.flatMap(({id}) => {
      const answer = heard[id];
      return answer?.kind === 'said' ? [{by: id, text: answer.text}] : [];
    }),
    silent: participants.flatMap(({id}) => silenceOf(id, 'answer', heard[id])),
  };
}

function silenceOf(who: string, what: Silence['what'], answer: SeatAnswer | undefined): Silence[] {
  if (answer?.kind !== 'unanswered') return [];
  const {because, outage} = answer;
  return [{who, what, because, ...(outage ? {outage} : {})}];
}

export function voicesIn({answers, settings, request}: DiscussState): readonly Voice[] {
  return voicesOf(answers, settings.discuss.participants, request);
}

/** Who reads the answers of others, and under which labels. */
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

/** What a reader made of what it was shown. */
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

export function withReviews(state: DiscussState, heard: PollOutput): Partial<DiscussState> {
  const readers = readersIn(state);
  return {
    reviews: readers.flatMap(({reader, shown}) => {
      const answer = heard[reader.id];
      return answer ? reviewsBy(reader.id, shown, answer) : [];
    }),
    silent: [
      ...state.silent,
      ...readers.flatMap(({reader: {id}}) => silenceOf(id, 'review', heard[id])),
    ],
  };
}

/** The moderator, then those who answered, the best first; a model that has failed in the chair does not get it twice. */
export function chairsOf(state: DiscussState): readonly Participant[] {
  const {participants, moderator} = state.settings.discuss;
  const ranked = rankVoices(voicesIn(state), state.reviews).flatMap(({participants: all}) => all);
  const order = state.debate
    ? participants.map(({id}) => id)
    : [...ranked, ...state.answers.map(({by}) => by)];
  const heirs = [...new Set(order)].flatMap(
    (id) => participants.find((each) => each.id === id) ?? [],
  );
  const all = [moderator, ...heirs];
  return all.filter(({model}, at) => all.findIndex((each) => each.model === model) === at);
}

/** The conclusion, or the next in the chair. */
export function withChair(state: DiscussState, heard: PollOutput): Partial<DiscussState> {
  const [chair, ...chairs] = state.chairs;
  const answer = chair && heard[chair.id];
  const conclusion = answer && answerIn('conclude', answer);
  if (conclusion) return {conclusion};
  return {
    chairs,
    lost: [...state.lost, ...(chair ? silenceOf(chair.id, 'conclusion', answer) : [])],
  };
}

/** The first in the chair that could not be called: another day it may draw the conclusion. */
export function lostToOutage({lost}: DiscussState): {readonly outage?: Outage} {
  const outage = lost.find((each) => each.outage)?.outage;
  return outage ? {outage} : {};
}
