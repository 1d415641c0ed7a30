/** The standing of a submission, for its respondent and for displays: while it is open, and when it has ended. */

import type {
  Answers,
  ExportedAnswer,
  InterviewState,
  InterviewView,
  Said,
  Section,
} from '../../machines/questionnaire/answers.ts';
import type {FormField, Questionnaire} from '../../machines/questionnaire/questionnaire.ts';

/** One message of the conversation. */
export interface Message extends Said {
  /** Counts from 1 within the submission, across processes. */
  readonly position: number;
}

/** A field as the respondent sees it. */
export type FieldStanding = Pick<
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
export type About = Pick<Standing, 'id' | 'form'>;

export function standingOf(
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
export function endedStanding(
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
