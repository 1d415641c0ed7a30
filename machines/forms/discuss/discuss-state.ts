/** The state of a discussion. */

import type {Failure, Outage} from '../../domain/failure.ts';
import {changeSettings, type Participant, type SettingsChange} from '../../domain/settings.ts';
import type {ToolOutcome} from '../../domain/tool.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import {type Authored, hideNames, labelFor, type Labelled, type Named} from '../../panel/names.ts';
import type {PollOutput, SeatAnswer} from '../../panel/poll.ts';
import type {PortRequest} from '../../ports.ts';
import {engineLine, quotedFrom} from '../../prompts/section-text.ts';
import {
  type Attachment,
  contextFilesSection,
  type Section,
  type Survey,
  surveyText,
} from '../../prompts/sections.ts';
import type {AnswerReview, Conclusion, RankedAnswer} from '../../questions/discussion.ts';
import type {FormInput} from '../../tree/form-event.ts';
import {messageSections, type PendingMessage} from '../../tree/messages.ts';
import type {DebateOutput} from '../debate/debate.ts';
import type {Ground} from '../ground.ts';

/** A missing reply, with the reason. */
interface Silence {
  readonly who: string;
  readonly what: 'answer' | 'review' | 'conclusion';
  readonly because: string;
  readonly outage?: Outage;
}

export type DiscussInput = Pick<
  FormInput<'discuss' | 'debate' | 'context' | 'maxOutputTokens'>,
  'request' | 'workspace' | 'settings' | 'attachments' | 'contextFiles' | 'inherited'
>;

/** What a discussion is about. */
interface Work extends DiscussInput {
  readonly attachments: readonly Attachment[];
}

/** At most 16 members: see `AgentState`. */
export interface DiscussState {
  readonly work: Work;
  /** Messages received during the run, for the next prompts. */
  readonly pendingMessages: readonly PendingMessage[];
  /** The description of the workspace. */
  readonly survey: Survey;
  /** Passages of documents about the question. */
  readonly passages: string;
  /** The replies up to now, by participant. */
  readonly replies: PollOutput;
  readonly answers: readonly Authored[];
  readonly reviews: readonly PeerReview[];
  /** Participants without an answer, readers without a review. */
  readonly silent: readonly Silence[];
  /** The remaining candidates for the chair. The first one concludes next. */
  readonly chairs: readonly Participant[];
  /** Chairs that gave no conclusion. */
  readonly lost: readonly Silence[];
  readonly conclusion?: Conclusion;
  /** Contradicted claims were removed from the conclusion. */
  readonly isCut?: true;
  readonly debate?: DebateOutput;
  /** The decision at the gate about open objections. */
  readonly word?: HumanGateOutput;
  readonly failure?: Failure;
}

export function openDiscussion(input: DiscussInput): DiscussState {
  return {
    work: {...input, attachments: input.attachments ?? []},
    pendingMessages: [],
    survey: {text: '', read: []},
    passages: '',
    replies: {},
    answers: [],
    reviews: [],
    silent: [],
    chairs: [],
    lost: [],
  };
}

/** A change never affects the strategy, or the settings of a debate. */
export function withChange(
  {work}: DiscussState,
  change: SettingsChange,
): Pick<DiscussState, 'work'> {
  const {settings} = work;
  const changed = changeSettings(settings, change);
  const {strategy} = settings.discuss;
  const discuss = {...changed.discuss, strategy};
  return {work: {...work, settings: {...changed, discuss, debate: settings.debate}}};
}

export function silenceOf(
  who: string,
  what: Silence['what'],
  answer: SeatAnswer | undefined,
): Silence[] {
  if (answer?.kind !== 'unanswered') return [];
  const {because, outage} = answer;
  return [{who, what, because, ...(outage ? {outage} : {})}];
}

// The ranking of the answers, from the reviews of all readers.

/** One reader's review of one answer. `of`: the `by` of the voice. */
export interface PeerReview extends Omit<AnswerReview, 'label'> {
  readonly by: string;
  readonly of: string;
  /** 1 is the best. */
  readonly place: number;
  /** The number of answers that the reader ranked. */
  readonly among: number;
}

/**
 * Ranks the answers, the best first: by mean place, then by mean score, then in the order of the configuration. Answers
 * without a review are last. Empty without any review.
 */
export function rankVoices(
  voices: readonly Voice[],
  reviews: readonly PeerReview[],
): readonly RankedAnswer[] {
  if (reviews.length === 0) return [];
  return voices
    .map((voice, order) => ({voice, order, tally: tallyOf(voice, reviews)}))
    .toSorted(
      (a, b) => a.tally.place - b.tally.place || b.tally.score - a.tally.score || a.order - b.order,
    )
    .map(({voice: {all}, tally: {meanPlace, score, count}}, index) =>
      count === 0
        ? {rank: index + 1, participants: all, reviews: 0}
        : {
            rank: index + 1,
            participants: all,
            reviews: count,
            place: rounded(meanPlace),
            score: rounded(score),
          },
    );
}

interface Tally {
  /** From 0 (always first) to 1 (always last); 2 without a review. */
  readonly place: number;
  readonly meanPlace: number;
  readonly score: number;
  readonly count: number;
}

function tallyOf({by}: Voice, reviews: readonly PeerReview[]): Tally {
  const own = reviews.filter(({of}) => of === by);
  if (own.length === 0) return {place: 2, meanPlace: 0, score: 0, count: 0};
  return {
    place: mean(own.map(({place, among}) => (among > 1 ? (place - 1) / (among - 1) : 0))),
    meanPlace: mean(own.map(({place}) => place)),
    score: mean(own.map(({score}) => score)),
    count: own.length,
  };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}

// The answers of a discussion as others read them: without names, and equal answers only once.

/** An answer and all participants that gave it. `by`: the first of them, in the order of the configuration. */
export interface Voice extends Authored {
  readonly all: readonly string[];
}

export function voicesOf(
  answers: readonly Authored[],
  named: readonly Named[],
  question: string,
): readonly Voice[] {
  const voices: Voice[] = [];
  for (const {by, text} of answers) {
    const shown = hideNames(text, named, question);
    const same = voices.findIndex((voice) => comparableText(voice.text) === comparableText(shown));
    const known = voices[same];
    if (known) voices[same] = {...known, all: [...known.all, by]};
    else voices.push({by, text: shown, all: [by]});
  }
  return voices;
}

/** The words of a text, without case, punctuation, blanks and marks of emphasis. */
function comparableText(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words ? words.join(' ') : text.trim();
}

/** The answers that a participant reads: all except its own. */
export function shownTo(
  reader: string,
  voices: readonly Voice[],
  seed: string,
): readonly Labelled[] {
  return labelFor(
    reader,
    voices.filter(({all}) => !all.includes(reader)),
    seed,
  );
}

/** The text with each label replaced by its `nameOf`, or unchanged if that is undefined. */
export function relabel(
  text: string,
  shown: readonly Labelled[],
  nameOf: (by: string) => string | undefined,
): string {
  return text.replaceAll(/\bResponse [A-Z]{1,2}\b/g, (label) => {
    const by = shown.find((each) => each.label === label)?.by;
    return (by === undefined ? undefined : nameOf(by)) ?? label;
  });
}

// The background of a discussion: the survey, document passages and messages.

const maxQuery = 2_000;

export function backgroundOf(survey: Survey, passages: string): Section[] {
  return [
    ['Survey', surveyText(survey)],
    ['Passages of documents', quotedFrom(engineLine`Found by a search`, passages)],
  ];
}

/** A search for documents about the question. */
export function searchRequest({work: {request, workspace}}: DiscussState): PortRequest<'runTool'> {
  return {
    tool: 'search',
    args: {query: request.slice(0, maxQuery).toWellFormed()},
    workspace,
    repeatability: 'repeatable',
  };
}

/** Empty if the search failed or found no document. */
export function passagesIn(outcome: ToolOutcome): string {
  return outcome.kind === 'succeeded' && (outcome.sources ?? []).length > 0 ? outcome.text : '';
}

export function discussionGround(state: DiscussState): Ground {
  const {work, pendingMessages, survey, passages} = state;
  const {request: question, inherited, attachments, contextFiles, settings} = work;
  return {
    question,
    inherited,
    attachments,
    pendingMessages: messageSections(pendingMessages, settings.context.maxEntryBytes),
    background: [contextFilesSection(contextFiles), ...backgroundOf(survey, passages)],
  };
}
