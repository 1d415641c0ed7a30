/** The ends of a field: a passed answer, a skip, a refusal, or no clear answer; and the next question after a failed review. */

import type {Fact} from '../../../facts/fact.ts';
import {appendMessages, type Transcript} from '../../../prompts/transcript.ts';
import type {Route} from '../../../questionnaire/answer-reading.ts';
import {withResult} from '../agents/agent-turn.ts';
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
import {isLedByRule} from '../interview-settings.ts';
import {reviewSectionText, reviewText} from '../prompts.ts';
import {answerShown, noFault} from '../templates.ts';
import type {FieldReview} from './field-reviewer-state.ts';
import type {FieldState} from './field-state.ts';

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
