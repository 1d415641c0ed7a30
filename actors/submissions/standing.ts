/** The standing of a submission, for its respondent and for displays: while it is open, and when it has ended. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {
  Answers,
  ExportedAnswer,
  InterviewState,
  InterviewView,
  Said,
  Section,
} from '../../machines/questionnaire/answers.ts';
import {
  type FormField,
  type Questionnaire,
  questionnaireDigest,
} from '../../machines/questionnaire/questionnaire.ts';
import {peekRun} from '../history/peek.ts';
import type {Entry} from '../journal/journal.ts';
import type {SubmissionRecord, SubmissionRecords} from '../journal/submissions.ts';
import {openedIn} from '../run/run-input.ts';
import {recordedResult} from '../run/run-result.ts';
import {validForm} from '../run/validation.ts';
import type {Run, Runtime} from '../runtime-api.ts';
import {type Awake, isQuiet, untilQuiet} from './awake.ts';

/** One message of the conversation. */
export interface Message extends Said {
  /** Counts from 1 within the submission, across processes. */
  readonly position: number;
}

/** A field as the respondent sees it. */
type FieldStanding = Pick<
  FormField,
  | 'id'
  | 'label'
  | 'type'
  | 'required'
  | 'sensitivity'
  | 'choices'
  | 'min'
  | 'max'
  | 'intent'
  | 'why'
> &
  Pick<ExportedAnswer, 'status' | 'value' | 'quote' | 'reason' | 'provisional'>;

export interface Standing {
  readonly id: string;
  /** The name under which the form is served. */
  readonly form: string;
  readonly title: string;
  readonly description?: string;
  readonly state: InterviewState;
  /** No more messages are accepted. */
  readonly hasEnded: boolean;
  /** A message is being answered. */
  readonly isAtWork: boolean;
  readonly messages: readonly Message[];
  /** In the order in which they are asked. */
  readonly fields: readonly FieldStanding[];
  /** The field that is asked about. */
  readonly current?: string;
  readonly canSubmit: boolean;
  /** Required fields that are not done. */
  readonly open: readonly string[];
  readonly language?: string;
  readonly country?: string;
  readonly timezone?: string;
  /** See `Answers.assumed`. */
  readonly assumed?: readonly Section[];
  readonly answers: Answers;
}

/** Identifies a submission. */
type About = Pick<Standing, 'id' | 'form'>;

function standingOf(
  {id, form}: About,
  {state, questionnaire, order, said, answers, current, canSubmit, open}: InterviewView,
  isAtWork: boolean,
): Standing {
  return {
    id,
    form,
    ...headOf(questionnaire, answers),
    state,
    hasEnded: false,
    isAtWork,
    messages: numbered(said),
    fields: fieldsOf(questionnaire, order, answers),
    ...(current === undefined ? {} : {current}),
    canSubmit,
    open,
    answers,
  };
}

/** `answers` and `conversation`: from the result of the run. */
function endedStanding(
  {id, form}: About,
  questionnaire: Questionnaire,
  answers: Answers,
  conversation: readonly Said[],
): Standing {
  return {
    id,
    form,
    ...headOf(questionnaire, answers),
    state: answers.status,
    hasEnded: true,
    isAtWork: false,
    messages: numbered(conversation),
    fields: fieldsOf(questionnaire, Object.keys(answers.answers), answers),
    canSubmit: false,
    open: [],
    answers,
  };
}

function headOf(
  {title, description}: Questionnaire,
  {language, country, timezone, assumed}: Answers,
) {
  return {
    title,
    ...(description === undefined ? {} : {description}),
    ...(language === undefined ? {} : {language}),
    ...(country === undefined ? {} : {country}),
    ...(timezone === undefined ? {} : {timezone}),
    ...(assumed === undefined ? {} : {assumed}),
  };
}

function numbered(said: readonly Said[]): Message[] {
  return said.map((each, index) => ({position: index + 1, ...each}));
}

function fieldsOf(
  {fields}: Questionnaire,
  order: readonly string[],
  {answers}: Answers,
): FieldStanding[] {
  return order.flatMap((id) => {
    const [field, answer] = [fields.find((each) => each.id === id), answers[id]];
    return field && answer ? [{...asked(field), ...given(answer)}] : [];
  });
}

function asked({relevantIf: _relevantIf, order: _order, pattern: _pattern, ...field}: FormField) {
  return field;
}

function given({status, value, quote, reason, provisional}: ExportedAnswer) {
  return {
    status,
    ...(value === undefined ? {} : {value}),
    ...(quote === undefined ? {} : {quote}),
    ...(reason === undefined ? {} : {reason}),
    ...(provisional === undefined ? {} : {provisional}),
  };
}

// Reads the standing of a submission that is awake, sleeps, or has ended. Reading a sleeping one writes nothing.

export type Read = (id: string) => Promise<Standing>;

interface ReaderDeps {
  readonly runtime: Runtime;
  readonly records: SubmissionRecords;
  readonly awake: Awake;
  readonly findForm: (name: string) => Promise<Questionnaire | undefined>;
}

/** How long a run that was just woken may take to apply a changed form. */
const momentMs = 1_000;

export function createReader({runtime, records, awake, findForm}: ReaderDeps): Read {
  /** True for a sleeping submission that has work to do, or whose form has changed. */
  const needsWaking = async (
    {questionnaire}: InterviewView,
    about: About,
    isAtWork: boolean,
  ): Promise<boolean> => {
    const form = isAtWork ? undefined : await findForm(about.form);
    return (
      isAtWork ||
      (form !== undefined && questionnaireDigest(form) !== questionnaireDigest(questionnaire))
    );
  };
  return async (id) => {
    const about = await requireRecord(id, records);
    const run = awake.find(id);
    const live = run && liveStanding(about, run);
    if (live) return live;
    // The last entry of the run is about to be written.
    await run?.result;
    const entries = await runtime.entries(id);
    const ended = pastStanding(about, entries);
    if (ended) return ended;
    const {interview, isAtWork} = await peekRun(id, entries);
    if (interview && !(await needsWaking(interview, about, isAtWork)))
      return standingOf(about, interview, false);
    // Another server has it awake.
    if (interview && (await runtime.stateOf(id)) === 'running')
      return standingOf(about, interview, isAtWork);
    return await awake.use(id, async (woken) => {
      await untilQuiet(woken, momentMs);
      const standing = liveStanding(about, woken);
      if (standing) return standing;
      await woken.result;
      const past = pastStanding(about, await runtime.entries(id));
      if (past) return past;
      throw new AppError('busy', `submission ${id} is ending; try again`);
    });
  };
}

/** Undefined when the run has ended meanwhile. */
function liveStanding(about: About, run: Run): Standing | undefined {
  const view = run.interview();
  return view && standingOf(about, view, !isQuiet(run));
}

/** Undefined while the run is open. */
function pastStanding(about: About, entries: readonly Entry[]): Standing | undefined {
  const {answers, conversation = []} = recordedResult(entries) ?? {};
  const questionnaire = formIn(entries);
  if (!answers || !questionnaire) return undefined;
  return endedStanding(about, questionnaire, answers, conversation);
}

/** The last version of the form that was filled. */
function formIn(entries: readonly Entry[]): Questionnaire | undefined {
  const changes = entries.flatMap((entry) =>
    entry.type === 'received' && entry.event['type'] === 'form.changed' ? [entry.event] : [],
  );
  const last = changes.at(-1);
  return last ? validForm(last['questionnaire']) : openedIn(entries)?.questionnaire;
}

export async function requireRecord(
  id: string,
  records: SubmissionRecords,
): Promise<SubmissionRecord> {
  const record = await records.find(id);
  if (record) return record;
  throw new AppError('not_found', `there is no submission ${id}`);
}
