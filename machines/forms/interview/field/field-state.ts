/** The context of one field while it is asked about, and its updates. */

import type {Failure} from '../../../domain/failure.ts';
import {
  appendMessages,
  openTranscript,
  type ToolCall,
  type Transcript,
} from '../../../prompts/transcript.ts';
import type {FieldReply, Route} from '../../../questionnaire/answer-reading.ts';
import type {SaidValue} from '../../../questionnaire/answers.ts';
import {typeOf} from '../../../questionnaire/field-types.ts';
import type {FormField} from '../../../questionnaire/questionnaire.ts';
import type {AgentLoopInput, AgentLoopOutput} from '../agents/agent-loop.ts';
import {withResult} from '../agents/agent-turn.ts';
import type {FieldAssignment} from '../agents/handover.ts';
import {recordReply, type Topic, utter, type Utterance} from '../asking.ts';
import {fieldOf, recordOf, textsOf, withNotice, withRecord} from '../dialogue.ts';
import type {ExchangeOutput} from '../exchange.ts';
import {isLedByRule} from '../interview-settings.ts';
import {formAskedText, interviewerMessage, interviewerSystem} from '../prompts.ts';
import {fieldQuestion, noFault} from '../templates.ts';
import {isAnsweredByForm} from './field-endings.ts';
import type {ReviewFault} from './field-reviewer-state.ts';
import {isPrivate, withoutPrivate} from './field-rules.ts';

export interface FieldState extends FieldAssignment, Utterance {
  /** True when rules ask about the field. */
  readonly isByRule: boolean;
  readonly transcript: Transcript;
  /** Calls of the interviewer without a result. */
  readonly calls: readonly ToolCall[];
  /** The route of the person's last reply. */
  readonly route: Route;
  /** The key of the fact, if the question was about a single fact. */
  readonly fact?: string;
  /** True when the last reply was not understood: another such reply counts as the answer. */
  readonly wasUnclear: boolean;
  /** Number of replies that no reviewer has judged. */
  readonly unjudged: number;
  readonly fault: ReviewFault;
  readonly failure?: Failure;
}

export function openField(input: FieldAssignment): FieldState {
  const {dialogue: before, field} = input;
  const {replies, provisional} = recordOf(before, field);
  const isGiven = replies.length === 0 && provisional !== undefined;
  const dialogue = isGiven
    ? withRecord(before, field, {replies: [replyIn(provisional, fieldOf(before, field))]})
    : before;
  return {
    ...input,
    dialogue,
    isByRule: isLedByRule(input) || isPrivate(dialogue.questionnaire, field),
    transcript: openTranscript(interviewerMessage(dialogue, field)),
    calls: [],
    route: {kind: 'unclear'},
    wasUnclear: false,
    unjudged: recordOf(dialogue, field).replies.length,
    fault: noFault,
    message: '',
  };
}

/** Keeps the time of the reply only for a day, which is read relative to it. */
function replyIn({quote, at}: SaidValue, field: FormField): FieldReply {
  return {text: quote, ...(at === undefined || !typeOf(field).isDay ? {} : {at})};
}

export function fieldTopic({field}: FieldAssignment): Topic {
  return {agent: 'interviewer', state: 'interviewing', field};
}

export function interviewerInput(state: FieldState): AgentLoopInput {
  const {dialogue, settings, transcript, field} = state;
  const {model, maxLoops, maxOutputTokens} = settings;
  return {
    agent: 'interviewer',
    dialogue,
    transcript,
    field,
    canReview: canReview(state),
    model,
    system: interviewerSystem,
    maxLoops,
    maxOutputTokens,
  };
}

export function looped(state: FieldState, loop: AgentLoopOutput): Partial<FieldState> {
  const {kind, dialogue, transcript, calls, message, route} = loop;
  const isByRule = state.isByRule || isLedByRule({...state, dialogue});
  const taken = {dialogue, transcript, calls, route, isByRule};
  return kind === 'asked' ? {...taken, ...utter(dialogue, fieldTopic(state), message)} : taken;
}

/** Asks the built-in question. */
export function asked(state: FieldState): Partial<FieldState> {
  const {dialogue, field, fault} = state;
  const {text, fact} = fieldQuestion(dialogue, field, fault);
  const refuses = fault.problems.length > 0 || isRefused(state);
  return {
    ...utter(dialogue, fieldTopic(state), text, {refuses}),
    ...(fact === undefined ? {} : {fact}),
  };
}

const refused: ReadonlySet<Route['kind']> = new Set(['unclear', 'confirm', 'without']);

/** The last reply was refused without a review. */
function isRefused({route: {kind}, wasUnclear}: FieldState): boolean {
  return kind === 'skip' || (wasUnclear && refused.has(kind));
}

export function fieldReplied(state: FieldState, output: ExchangeOutput): Partial<FieldState> {
  if (output.kind === 'lost') return {failure: output.failure};
  const {text, route} = output;
  const dialogue = recordReply(state.dialogue, fieldTopic(state), output);
  return {
    dialogue,
    transcript: withReplyTo(state, withoutPrivate(dialogue, text)),
    calls: [],
    route,
  };
}

/** Adds the reply to the model's conversation; after a built-in question, which has no call, together with the question. */
function withReplyTo({transcript, calls, message}: FieldState, reply: string): Transcript {
  if (calls.length > 0) return withResult(transcript, calls, reply);
  return appendMessages(transcript, {role: 'user', text: formAskedText(message, reply)});
}

/** Records the last reply as an answer, for the reviewer. */
export function answered(state: FieldState): Partial<FieldState> {
  const {dialogue, field, fact, route} = state;
  const said = dialogue.said.findLast(({from}) => from === 'person')?.text ?? '';
  const isPart = route.kind === 'correct' || route.kind === 'answer';
  const text = isPart ? (route.text ?? said) : said;
  const {replies} = recordOf(dialogue, field);
  const reply = fact === undefined ? {text} : {text, fact};
  return {
    dialogue: withRecord(dialogue, field, {replies: [...replies, reply]}),
    unjudged: state.unjudged + 1,
    wasUnclear: false,
  };
}

export function canReview({unjudged}: FieldState): boolean {
  return unjudged > 0;
}

export function isCapped({dialogue, field, settings}: FieldState): boolean {
  return recordOf(dialogue, field).followUps > settings.maxFollowUps;
}

/** True when the model keeps asking without a handover: the replies are then reviewed without it. */
export function isTalkedOut({unjudged, settings}: FieldState): boolean {
  return unjudged >= settings.maxFollowUps;
}

/** Adds the notice that precedes the repeated question. */
export function noticeAdded(state: FieldState): Partial<FieldState> {
  const {dialogue, field, route} = state;
  const texts = textsOf(dialogue);
  const asking = fieldOf(dialogue, field);
  const {label, required} = asking;
  const notices: Partial<Record<Route['kind'], string>> = {
    unclear: texts.notUnderstood,
    confirm: texts.stillOpen(label, required),
    without: texts.needsAnswer(label),
    why: texts.why(asking),
    help: texts.help,
    back: texts.nothingBefore,
    skip: texts.cannotSkip(label),
  };
  const notice = notices[route.kind];
  if (notice === undefined) return {};
  const wasUnclear = !isAnsweredByForm(state);
  return {
    dialogue: withNotice(dialogue, notice),
    fault: {...state.fault, problems: []},
    ...(wasUnclear ? {wasUnclear} : {}),
  };
}

export function withStatus(
  {dialogue, field}: FieldState,
  status: 'interviewing' | 'reviewing',
): Partial<FieldState> {
  return {dialogue: withRecord(dialogue, field, {status})};
}
