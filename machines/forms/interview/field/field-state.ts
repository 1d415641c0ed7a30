/** The context of one field while it is asked about, and its updates. */

import type {Failure} from '../../../domain/failure.ts';
import type {Fact} from '../../../facts/fact.ts';
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
import {type AgentLoopInput, type AgentLoopOutput, withResult} from '../agents/agent-loop.ts';
import type {FieldAssignment} from '../agents/handover.ts';
import {
  type Dialogue,
  fieldOf,
  type OpenRecord,
  recordOf,
  textsOf,
  withAnswer,
  withNotice,
  withoutAnswer,
  withRecord,
} from '../dialogue.ts';
import {type ExchangeOutput, recordReply, type Topic, utter, type Utterance} from '../exchange.ts';
import {isLedByRule} from '../interview-settings.ts';
import {
  formAskedText,
  interviewerMessage,
  interviewerSystem,
  reviewSectionText,
  reviewText,
} from '../prompts.ts';
import {answerShown, fieldQuestion, noFault} from '../templates.ts';
import type {FieldReview, ReviewFault} from './field-reviewer.ts';
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

// The ends of a field: a passed answer, a skip, a refusal, or no clear answer; and the next question after a failed review.

/** The reply leaves the field without an answer. */
export function isEmpty({kind}: Route): boolean {
  return kind === 'skip' || kind === 'without';
}

/** A required field may be skipped only to give up a change of it. */
export function maySkip({dialogue, field}: FieldState): boolean {
  return !fieldOf(dialogue, field).required || recordOf(dialogue, field).former !== undefined;
}

/** Routes that the form answers by itself before it repeats the question. */
const routesOfForm: ReadonlySet<Route['kind']> = new Set([
  'skip',
  'why',
  'language',
  'help',
  'back',
]);

export function isAnsweredByForm({route}: FieldState): boolean {
  return routesOfForm.has(route.kind);
}

export function passed({field}: FieldState, review: FieldReview): Partial<FieldState> {
  const {dialogue, check, by} = review;
  const {value, quote, facts} = check;
  const record = recordOf(dialogue, field);
  const done = withAnswer(dialogue, field, {
    ...(value === undefined ? {} : {value}),
    ...(quote === undefined ? {} : {quote}),
    facts,
    by,
  });
  return {dialogue: withEcho(done, field, record)};
}

/** Adds a notice of a changed answer, and of an answer that was given on the way. */
function withEcho(
  dialogue: Dialogue,
  id: string,
  {former, history, provisional}: OpenRecord,
): Dialogue {
  const record = recordOf(dialogue, id);
  const {label, sensitivity} = fieldOf(dialogue, id);
  const texts = textsOf(dialogue);
  const last = history.at(-1);
  const before = former ?? (last && {...last, facts: record.facts});
  if (record.value === undefined) return dialogue;
  const text = answerShown(dialogue, id, record);
  const shown = (each: string): string => (sensitivity === 'none' ? each : texts.masked);
  if (before) {
    const textBefore = answerShown(dialogue, id, before);
    if (textBefore === text) return withNotice(dialogue, texts.kept(label));
    return withNotice(dialogue, texts.changed(label, shown(textBefore), shown(text)));
  }
  return provisional ? withNotice(dialogue, texts.noted(label, shown(text))) : dialogue;
}

/** Keeps the facts that were found. The follow-up counts unless it brought a new fact. */
export function failed(state: FieldState, review: FieldReview): Partial<FieldState> {
  const {field, settings} = state;
  const {dialogue, check, fault} = review;
  const {facts, followUps, provisional, replies} = recordOf(dialogue, field);
  const hasGained = Object.keys(check.facts).length > Object.keys(facts).length;
  const isUnasked = provisional !== undefined && replies.length === 1 && followUps === 0;
  const problems =
    fault.feedback === undefined ? fault.problems : [...fault.problems, fault.feedback];
  const text = reviewText(false, problems, fault.missing);
  const {fact: _, ...rest} = state;
  const isHeld = isUnasked && fault.problems.length > 0;
  const notified = isHeld ? withNoted(dialogue, field, provisional.quote) : dialogue;
  return {
    ...rest,
    fault: isUnasked && !isHeld ? noFault : fault,
    unjudged: 0,
    transcript: withReview(state, text),
    calls: [],
    isByRule: state.isByRule || isLedByRule({dialogue, settings}),
    dialogue: withRecord(notified, field, {
      facts: check.facts,
      followUps: hasGained ? followUps : followUps + 1,
    }),
  };
}

/** Adds a notice with the words that the next question is about: the field was not asked about before. */
function withNoted(dialogue: Dialogue, id: string, quote: string): Dialogue {
  const {label, sensitivity} = fieldOf(dialogue, id);
  const {noted, masked} = textsOf(dialogue);
  return withNotice(dialogue, noted(label, sensitivity === 'none' ? quote : masked));
}

/** Skips the field. A field that was to be changed keeps its answer. */
export function skipped(state: FieldState): Partial<FieldState> {
  const {dialogue, field} = state;
  const {label} = fieldOf(dialogue, field);
  const end = {status: 'skipped'} as const;
  const {kept, skipped: leftOut} = textsOf(dialogue);
  const notice = recordOf(dialogue, field).former ? kept(label) : leftOut(label);
  return {dialogue: withNotice(withoutAnswer(dialogue, field, end), notice)};
}

export function declined(state: FieldState): Partial<FieldState> {
  const {dialogue, field} = state;
  const {label, required} = fieldOf(dialogue, field);
  const texts = textsOf(dialogue);
  const end = {status: 'declined'} as const;
  const notice = required ? texts.declinedRequired(label) : texts.declined(label);
  return {dialogue: withNotice(withoutAnswer(dialogue, field, end), notice)};
}

/** Ends the field without an answer after too many questions. A field that was to be changed keeps its answer. */
export function leftOpen(state: FieldState): Partial<FieldState> {
  const {dialogue, field} = state;
  const {label} = fieldOf(dialogue, field);
  const end = {status: 'skipped', reason: 'no answer was clear enough'} as const;
  const {kept, left} = textsOf(dialogue);
  const notice = recordOf(dialogue, field).former ? kept(label) : left(label);
  return {dialogue: withNotice(withoutAnswer(dialogue, field, end), notice)};
}

/** Adds the review to the model's conversation, also one that the model did not request. */
function withReview({transcript, calls}: FieldState, text: string): Transcript {
  if (calls.length > 0) return withResult(transcript, calls, text);
  return appendMessages(transcript, {role: 'user', text: reviewSectionText(text)});
}

/** Feedback may quote the answer: for a sensitive field it is not reported. */
export function reviewReport(
  {dialogue, field}: FieldState,
  {passed: isPassed, fault}: FieldReview,
): Fact {
  const {problems, missing, feedback} = fault;
  const isSensitive = fieldOf(dialogue, field).sensitivity !== 'none';
  const said = [...problems, ...(feedback === undefined ? [] : [feedback])].join(' ');
  return {
    type: 'interview.reviewed',
    field,
    passed: isPassed,
    missing_facts: isPassed ? [] : missing,
    ...(said === '' || isPassed || isSensitive ? {} : {feedback: said}),
  };
}
