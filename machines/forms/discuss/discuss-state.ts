/** The state of a discussion. */

import type {Failure, Outage} from '../../domain/failure.ts';
import {changeSettings, type Participant, type SettingsChange} from '../../domain/settings.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import type {Authored} from '../../panel/names.ts';
import type {PollOutput, SeatAnswer} from '../../panel/poll.ts';
import type {Attachment, Survey} from '../../prompts/sections.ts';
import type {Conclusion} from '../../questions/discussion.ts';
import type {FormInput} from '../../tree/form-event.ts';
import type {PendingMessage} from '../../tree/messages.ts';
import type {DebateOutput} from '../debate/debate-state.ts';
import type {PeerReview} from './ranking.ts';

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

export interface DiscussState extends DiscussInput {
  readonly attachments: readonly Attachment[];
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
  const {attachments = []} = input;
  return {
    ...input,
    attachments,
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
  {settings}: DiscussState,
  change: SettingsChange,
): Pick<DiscussState, 'settings'> {
  const changed = changeSettings(settings, change);
  const {strategy} = settings.discuss;
  const discuss = {...changed.discuss, strategy};
  return {settings: {...changed, discuss, debate: settings.debate}};
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
