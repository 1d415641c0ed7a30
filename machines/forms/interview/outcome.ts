/** The result of an interview, and its view and partial result while it runs. */

import type {MachineContext} from 'xstate';

import type {FinalStatus, FormOutput, FormParts} from '../../domain/result.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import {
  type Answers,
  type ExportedAnswer,
  type FieldRecord,
  type InterviewState as InterviewStatus,
  type InterviewView,
} from '../../questionnaire/answers.ts';
import type {FormNow} from '../../tree/form-event.ts';
import {phaseOf} from '../phases.ts';
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

type Now = FormNow<InterviewState>;

/** The interview with the dialogue of its active agent. */
function asOf({state, inside}: Now): InterviewState {
  return {...state, dialogue: innermostDialogue(state, inside)};
}

/** The dialogue of the innermost active agent; otherwise the interview's own. */
export function innermostDialogue(
  {dialogue}: Pick<InterviewState, 'dialogue'>,
  inside: readonly MachineContext[],
): Dialogue {
  return inside.findLast((context) => 'dialogue' in context)?.['dialogue'] ?? dialogue;
}

interface End {
  readonly context: InterviewState;
}

/** The output of a final state. */
export function ending(status: FinalStatus): (end: End) => FormOutput {
  return ({context, context: {dialogue, failure}}) => ({
    status,
    summary: summaryOf(dialogue, status, failure?.message),
    answers: answersOf(context, status === 'completed' ? 'submitted' : 'interviewing'),
    conversation: dialogue.said,
    ...(failure && status === 'error' ? {error: failure} : {}),
  });
}

function summaryOf(dialogue: Dialogue, status: FinalStatus, problem: string | undefined): string {
  if (status === 'error') return problem ?? 'The interview failed.';
  const fields = applicable(dialogue);
  const done = fields.filter(({id}) => isDone(dialogue, id)).length;
  const count = `${done} of ${fields.length} answers`;
  if (status === 'cancelled') return `Cancelled: ${count} were given.`;
  return `Submitted: ${dialogue.questionnaire.title}, ${count}.`;
}

/** The partial result of a running interview: its answers. */
export function interviewPartialResult(now: Now): FormParts {
  return {answers: answersOf(asOf(now), statusNow(now))};
}

export function interviewShared(now: Now): SharedPart[] {
  const {dialogue} = asOf(now);
  const {title} = dialogue.questionnaire;
  const answers = applicable(dialogue)
    .filter(({id}) => isDone(dialogue, id))
    .map((field) => `${field.label}: ${shownValue(dialogue, field)}`);
  return [
    {title: 'Form', text: title, brief: briefLine(title)},
    {title: 'Answers', text: answers.join('\n'), brief: `${answers.length} answers`},
  ];
}

/** The view of a running interview. */
export function interviewView(now: Now): InterviewView {
  const interview = asOf(now);
  const {dialogue} = interview;
  const state = statusNow(now);
  const open = requiredOpen(dialogue).map(({id}) => id);
  const current = state === 'interviewing' ? nextField(dialogue) : undefined;
  return {
    state,
    questionnaire: dialogue.questionnaire,
    order: dialogue.order,
    fields: dialogue.fields,
    said: dialogue.said,
    answers: answersOf(interview, state),
    ...(current === undefined ? {} : {current}),
    open,
    canSubmit: state === 'confirming' && open.length === 0,
  };
}

const statuses: ReadonlySet<string> = new Set<InterviewStatus>([
  'designing',
  'interviewing',
  'confirming',
  'paused',
  'submitted',
]);

function statusNow({at}: Now): InterviewStatus {
  const phase = at.value === 'submitted' ? 'submitted' : phaseOf(at);
  return phase !== undefined && statuses.has(phase) ? (phase as InterviewStatus) : 'greeting';
}

export function answersOf(
  {dialogue, interaction = ''}: Pick<InterviewState, 'dialogue' | 'interaction'>,
  status: InterviewStatus,
): Answers {
  const {questionnaire, respondent, assumed, order} = dialogue;
  return {
    form: questionnaire.id,
    submission: interaction,
    status,
    ...respondent,
    ...(assumed.length > 0 ? {assumed} : {}),
    answers: Object.fromEntries(order.map((id) => [id, exported(dialogue, id)])),
  };
}

/** The record of a field that does not apply: answers from a time when it did are not exported. */
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
