/** The context of an interview, and its updates. */

import type {MachineContext} from 'xstate';

import type {Failure} from '../../domain/failure.ts';
import {languageOfRequest} from '../../domain/language.ts';
import type {FinalStatus, FormOutput, FormParts} from '../../domain/result.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import type {PortOutcome} from '../../ports.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import type {
  Answers,
  ExportedAnswer,
  FieldRecord,
  InterviewState as InterviewStatus,
  InterviewView,
  KnownRespondent,
  Respondent,
  Section,
} from '../../questionnaire/answers.ts';
import {defaultType, typeOf, typesThat} from '../../questionnaire/field-types.ts';
import type {Questionnaire} from '../../questionnaire/questionnaire.ts';
import type {FormInput, FormNow} from '../../tree/form-event.ts';
import {phaseOf} from '../phases.ts';
import {
  applicable,
  type Dialogue,
  fieldOf,
  isDone,
  nextField,
  openDialogue,
  recordOf,
  requiredOpen,
  textsOf,
  withNotice,
} from './dialogue.ts';
import type {ReceivedReply, Utterance} from './exchange.ts';
import {type AgentSettings, agentSettings} from './interview-settings.ts';
import {shownValue} from './templates.ts';

export type InterviewInput = Omit<
  FormInput<'interview' | 'agent' | 'maxOutputTokens'>,
  'asked' | 'attachments' | 'given' | 'diff'
>;

export interface InterviewState extends InterviewInput, Utterance {
  readonly respondent: KnownRespondent;
  readonly route: ReceivedReply['route'];
  readonly failure?: Failure;
}

const nothing: Questionnaire = {id: '', title: '', fields: [], facts: []};

export function openInterview(input: InterviewInput): InterviewState {
  const {respondent = {}, ...rest} = input;
  const {above, questionnaire} = rest;
  return {
    ...rest,
    respondent,
    dialogue: opened({respondent, above}, questionnaire ?? nothing),
    message: '',
    route: {kind: 'unclear'},
  };
}

export function agentsOf({settings}: InterviewState): AgentSettings {
  return agentSettings(settings);
}

export function formRead(
  state: InterviewState,
  outcome: PortOutcome<'readQuestionnaire'>,
): Partial<InterviewState> {
  if (outcome.kind === 'invalid') return {failure: {code: 'config', message: outcome.problem}};
  const questionnaire =
    outcome.kind === 'read' ? outcome.questionnaire : formOfRequest(state.request);
  return {questionnaire, dialogue: opened(state, questionnaire)};
}

interface Beginning {
  readonly respondent: KnownRespondent;
  /** The request of the interaction above, whose language a spawned interview takes. */
  readonly above?: string | undefined;
}

function opened({respondent, above}: Beginning, questionnaire: Questionnaire): Dialogue {
  const {assumed = [], ...given} = respondent;
  const language = given.language ?? languageOfRequest(above ?? '');
  const known = above === undefined || language === undefined ? given : {...given, language};
  const unasked: readonly Section[] = above === undefined ? [] : ['language'];
  const all = [...assumed, ...unasked, ...unneededIn(questionnaire, known)];
  return openDialogue(questionnaire, {...known, assumed: [...new Set(all)]});
}

export function settingsTaken(
  {settings}: InterviewState,
  change: SettingsChange,
): Partial<InterviewState> {
  return {settings: changeSettings(settings, change)};
}

/** Adds a notice with the progress and the next question. */
export function recapped({dialogue}: InterviewState): Partial<InterviewState> {
  const fields = applicable(dialogue);
  const done = fields.filter(({id}) => isDone(dialogue, id)).length;
  const next = nextField(dialogue);
  const label = next === undefined ? undefined : fieldOf(dialogue, next).label;
  return {dialogue: withNotice(dialogue, textsOf(dialogue).recap(done, fields.length, label))};
}

/** The unknown settings that no field and no fact needs. A needed time zone is inferred from the country. */
export function unneededIn(
  {fields, facts}: Questionnaire,
  {country, timezone}: Respondent,
): readonly Section[] {
  const given = new Set(fields.map(({type}) => type));
  const stated = facts.map(({doneCriteria = ''}) => doneCriteria).join('\n');
  const types = typesThat(({criteria}, type) => given.has(type) || criteria?.test(stated) === true);
  const needs = new Set(types.flatMap((type) => typeOf({type}).needs ?? []));
  const needsZone = needs.has('timezone') && timezone === undefined;
  return [
    ...(country === undefined && !needsZone && !needs.has('country') ? ['country' as const] : []),
    ...(timezone === undefined && !needsZone ? ['timezone' as const] : []),
  ];
}

/** The form of a request that names no form: its one field asks the request. */
function formOfRequest(request: string): Questionnaire {
  return {
    id: 'request',
    title: request,
    fields: [
      {
        id: 'answer',
        label: request,
        required: true,
        type: defaultType,
        sensitivity: 'none',
        order: 1,
      },
    ],
    facts: [],
  };
}

// The result of an interview, and its view and partial result while it runs.

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
