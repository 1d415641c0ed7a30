/** What is known in the course of a discussion, and how it takes in what its voices say. */

import type {Failure} from '../../domain/failure.ts';
import type {Outage} from '../../domain/outage.ts';
import {changeSettings, type Participant, type SettingsChange} from '../../domain/settings.ts';
import type {HumanGateOutput} from '../../human-gate.ts';
import type {Authored} from '../../panel/labels.ts';
import type {PollOutput, SeatAnswer} from '../../panel/polled.ts';
import type {Attachment} from '../../prompts/attachment.ts';
import type {Survey} from '../../prompts/survey-text.ts';
import type {Conclusion} from '../../questions/discussion.ts';
import type {FormInput} from '../../tree/form-event.ts';
import type {PendingMessage} from '../../tree/messages.ts';
import type {DebateOutput} from '../debate/debate-state.ts';
import type {PeerReview} from './ranking.ts';

/** Who said nothing, and why. */
interface Silence {
  readonly who: string;
  readonly what: 'answer' | 'review' | 'conclusion';
  readonly because: string;
  readonly outage?: Outage;
}

export type DiscussInput = Pick<
  FormInput<'discuss' | 'debate' | 'context' | 'maxOutputTokens'>,
  'request' | 'workspace' | 'settings' | 'attachments' | 'inherited'
>;

export interface DiscussState extends DiscussInput {
  readonly attachments: readonly Attachment[];
  /** What the discussion was told meanwhile, as those read it who are still to speak. */
  readonly news: readonly PendingMessage[];
  /** What the workspace says of itself and of the question. */
  readonly survey: Survey;
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
  /** Claims were taken out of the conclusion. */
  readonly isCut?: true;
  readonly debate?: DebateOutput;
  /** What was said at the gate on what the debate left open. */
  readonly word?: HumanGateOutput;
  readonly failure?: Failure;
}

export function openDiscussion(input: DiscussInput): DiscussState {
  const {attachments = []} = input;
  return {
    ...input,
    attachments,
    news: [],
    survey: {text: '', read: []},
    passages: '',
    heard: {},
    answers: [],
    reviews: [],
    silent: [],
    chairs: [],
    lost: [],
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

export function silenceOf(
  who: string,
  what: Silence['what'],
  answer: SeatAnswer | undefined,
): Silence[] {
  if (answer?.kind !== 'unanswered') return [];
  const {because, outage} = answer;
  return [{who, what, because, ...(outage ? {outage} : {})}];
}
