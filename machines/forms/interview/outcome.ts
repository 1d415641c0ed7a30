/** What an interview comes to, and how it stands while it is at work. */

import type {AnyActorRef, AnyMachineSnapshot} from 'xstate';

import type {FinalStatus, FormOutput, FormParts} from '../../domain/result.ts';
import type {Recorded} from '../../facts/record.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import {
  type Answers,
  type ExportedAnswer,
  type FieldRecord,
  type InterviewState as Stand,
  type InterviewView,
} from '../../questionnaire/answers.ts';
import {interactionOf} from '../../tree/path.ts';
import {phaseOf} from '../phases.ts';
import {dialogueNow} from './dialogue-now.ts';
import {
  applicable,
  type Dialogue,
  fieldOf,
  isDone,
  nextField,
  recordOf,
  requiredOpen,
} from './dialogue.ts';
import type {InterviewState} from './interview-state.ts';
import {shownValue} from './templates.ts';

interface End {
  readonly context: InterviewState;
  readonly self: AnyActorRef;
}

/** The output of a final state. */
export function ending(status: FinalStatus): (end: End) => FormOutput {
  return ({context: {dialogue, failure}, self}) => ({
    status,
    summary: summaryOf(dialogue, status, failure?.message),
    answers: answersOf(dialogue, status === 'completed' ? 'submitted' : 'interviewing', self),
    conversation: dialogue.said,
    ...(failure && status === 'error' ? {error: failure} : {}),
  });
}

function summaryOf(dialogue: Dialogue, status: FinalStatus, problem: string | undefined): string {
  if (status === 'error') return problem ?? 'The interview could not be led.';
  const fields = applicable(dialogue);
  const done = fields.filter(({id}) => isDone(dialogue, id)).length;
  const count = `${done} of ${fields.length} answers`;
  if (status === 'cancelled') return `Cancelled: ${count} were given.`;
  return `Submitted: ${dialogue.questionnaire.title}, ${count}.`;
}

/** The answers so far, of one that is at work. */
export function interviewSoFar(
  _: InterviewState,
  __: readonly Recorded[],
  actor: AnyActorRef,
): FormParts {
  return {answers: answersOf(dialogueNow(actor), standOf(actor), actor)};
}

export function interviewShared(
  _: InterviewState,
  __: readonly Recorded[],
  actor: AnyActorRef,
): SharedPart[] {
  const dialogue = dialogueNow(actor);
  const {title} = dialogue.questionnaire;
  const answers = applicable(dialogue)
    .filter(({id}) => isDone(dialogue, id))
    .map((field) => `${field.label}: ${shownValue(dialogue, field)}`);
  return [
    {title: 'Form', text: title, brief: briefLine(title)},
    {title: 'Answers', text: answers.join('\n'), brief: `${answers.length} answers`},
  ];
}

/** For whoever shows it: of the actor of an interview. */
export function interviewView(actor: AnyActorRef): InterviewView {
  const dialogue = dialogueNow(actor);
  const state = standOf(actor);
  const open = requiredOpen(dialogue).map(({id}) => id);
  const current = state === 'interviewing' ? nextField(dialogue) : undefined;
  return {
    state,
    questionnaire: dialogue.questionnaire,
    order: dialogue.order,
    fields: dialogue.fields,
    said: dialogue.said,
    answers: answersOf(dialogue, state, actor),
    ...(current === undefined ? {} : {current}),
    open,
    canSubmit: state === 'confirming' && open.length === 0,
  };
}

const stands: ReadonlySet<string> = new Set<Stand>([
  'designing',
  'interviewing',
  'confirming',
  'paused',
  'submitted',
]);

function standOf(actor: AnyActorRef): Stand {
  const snapshot: AnyMachineSnapshot = actor.getSnapshot();
  const phase = snapshot.matches('submitted') ? 'submitted' : phaseOf(snapshot);
  return phase !== undefined && stands.has(phase) ? (phase as Stand) : 'greeting';
}

export function answersOf(dialogue: Dialogue, status: Stand, actor: AnyActorRef): Answers {
  const {questionnaire, respondent, assumed, order} = dialogue;
  return {
    form: questionnaire.id,
    submission: submissionOf(actor),
    status,
    ...respondent,
    ...(assumed.length > 0 ? {assumed} : {}),
    answers: Object.fromEntries(order.map((id) => [id, exported(dialogue, id)])),
  };
}

/** The id of the interaction. */
function submissionOf(actor: AnyActorRef): string {
  const {context}: AnyMachineSnapshot = (interactionOf(actor) ?? actor).getSnapshot();
  const {id = ''}: {readonly id?: string} = context;
  return id;
}

/** Of a field that does not apply, whatever was said of it while it did. */
const noAnswer: Partial<FieldRecord> & Pick<FieldRecord, 'facts'> = {facts: {}};

function exported(dialogue: Dialogue, id: string): ExportedAnswer {
  const record = recordOf(dialogue, id);
  const {status} = record;
  const {value, quote, facts, reason, provisional} = status === 'notApplicable' ? noAnswer : record;
  const {label, sensitivity} = fieldOf(dialogue, id);
  return {
    label,
    status,
    ...(value === undefined ? {} : {value}),
    ...(quote === undefined ? {} : {quote}),
    facts: Object.fromEntries(Object.entries(facts).map(([key, fact]) => [key, fact.value])),
    ...(reason === undefined ? {} : {reason}),
    ...(provisional ? {provisional: provisional.value} : {}),
    ...(sensitivity === 'none' ? {} : {sensitivity}),
  };
}
