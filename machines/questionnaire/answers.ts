/** A form that is filled by conversation: its answers, the words that they were read from, and its status. */

import {hasKana} from '../domain/language.ts';
import {oneLine} from '../domain/plain-text.ts';
import type {AnswerValue, Questionnaire, Sensitivity} from './questionnaire.ts';

export type FieldStatus =
  | 'pending'
  | 'interviewing'
  | 'reviewing'
  | 'done'
  | 'skipped'
  | 'declined'
  | 'notApplicable'
  /** The field, or a field that it depends on, has changed: it is asked again. */
  | 'stale';

/** A fact of a field, with the person's own words that say it. */
export interface FactValue {
  readonly value: string;
  readonly quote: string;
}

/** A value with the person's own words that it was read from. */
interface QuotedValue {
  readonly value: AnswerValue;
  readonly quote: string;
}

export interface SaidValue extends QuotedValue {
  /** Time of the reply, epoch ms: a word such as `tomorrow` is relative to it. */
  readonly at?: number;
}

export interface FieldRecord {
  readonly status: FieldStatus;
  readonly value?: AnswerValue;
  readonly quote?: string;
  readonly facts: Readonly<Record<string, FactValue>>;
  /** Number of follow-up questions that brought no new fact, since the field was last opened. */
  readonly followUps: number;
  /** Why it was skipped, declined or left open. */
  readonly reason?: string;
  /** A value that was said while another field was asked about. No reviewer has passed it. */
  readonly provisional?: SaidValue;
  /** Its earlier answers, the oldest first. */
  readonly history: readonly QuotedValue[];
  /** The reviewer that passed it. */
  readonly by?: 'rules' | 'model';
}

type FieldRecords = Readonly<Record<string, FieldRecord>>;

export const sections = ['language', 'country', 'timezone'] as const;

export type Section = (typeof sections)[number];

export type InterviewState =
  | 'greeting'
  | 'designing'
  | 'interviewing'
  | 'confirming'
  | 'paused'
  | 'submitted';

/** One message of the conversation. */
export interface Said {
  readonly from: 'agent' | 'person';
  readonly text: string;
  /** The agent that speaks, or to which the person replies. */
  readonly agent: SpeakingAgent;
  readonly section?: Section;
  readonly field?: string;
  /** True when the message refuses the last reply: it says why, and repeats the question at its end. */
  readonly refuses?: true;
  /** Epoch ms. Only on a message of the person. */
  readonly at?: number;
}

export type SpeakingAgent = 'greeter' | 'interviewer' | 'confirmation';

/** The known settings of the respondent: BCP 47, ISO 3166-1 alpha-2, IANA. */
export interface Respondent {
  readonly language?: string;
  readonly country?: string;
  readonly timezone?: string;
}

/** The settings at the beginning of an interview. */
export interface KnownRespondent extends Respondent {
  /** Given settings that the respondent did not state: their device or its language suggests them. */
  readonly assumed?: readonly Section[];
}

/** An answer as it is exported. */
export interface ExportedAnswer {
  readonly label: string;
  readonly status: FieldStatus;
  readonly value?: AnswerValue;
  readonly quote?: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly reason?: string;
  /** A value that no reviewer has passed. */
  readonly provisional?: AnswerValue;
  /** Absent: none. */
  readonly sensitivity?: Exclude<Sensitivity, 'none'>;
}

/** The answers of a form, complete or not. */
export interface Answers extends Respondent {
  /** The id of the form. */
  readonly form: string;
  /** The id of the interaction that filled it. */
  readonly submission: string;
  readonly status: InterviewState;
  /** Settings that the respondent did not state: a default is assumed, or the form does not need them. */
  readonly assumed?: readonly Section[];
  readonly answers: Readonly<Record<string, ExportedAnswer>>;
}

/** The current state of an interview, for display. */
export interface InterviewView {
  readonly state: InterviewState;
  readonly questionnaire: Questionnaire;
  /** Ids of the fields, in the order in which they are asked. */
  readonly order: readonly string[];
  readonly fields: FieldRecords;
  readonly said: readonly Said[];
  readonly answers: Answers;
  /** Id of the field that is being asked about. */
  readonly current?: string;
  /** Ids of required fields that are not done. The form can't be submitted before they are. */
  readonly open: readonly string[];
  readonly canSubmit: boolean;
}

/** A message of an interview that waits for a person's reply. */
export interface OpenAsk {
  /** The key of its effect: a reply names it. */
  readonly ask: string;
  /** The interaction that asks. */
  readonly interaction: string;
  readonly agent: SpeakingAgent;
  readonly message: string;
  /** The question in one line. */
  readonly question?: string;
  readonly state: InterviewState;
  readonly section?: Section;
  readonly field?: string;
}

// The answers of a form as text. Private answers are left out.

export interface AnswerWords {
  /** Replaces a private answer. */
  readonly keptPrivate: string;
  readonly answered: string;
  readonly yes: string;
  readonly no: string;
  /** Separates the values of a list. */
  readonly comma: string;
  /** Formats a day such as 2026-03-04; returns any other text unchanged. */
  readonly day: (iso: string) => string;
  readonly statuses: Readonly<Record<Exclude<FieldStatus, 'done'>, string>>;
}

interface AnswerInWords {
  readonly label: string;
  /** One line: the answer, or the status of the field with its reason. */
  readonly text: string;
  readonly status: FieldStatus;
}

/** The answers of the fields that apply, in order. */
export function answersInWords(
  {answers}: Answers,
  words: AnswerWords = englishAnswers,
): readonly AnswerInWords[] {
  return Object.values(answers)
    .filter(({status}) => status !== 'notApplicable')
    .map((answer) => ({
      label: oneLine(answer.label),
      text: answerText(answer, words),
      status: answer.status,
    }));
}

/** True for an interview in Japanese. Until its language is known, the labels of the form decide. */
export function isInJapanese({language, answers}: Answers): boolean {
  if (language !== undefined) return language.toLowerCase().split('-')[0] === 'ja';
  return Object.values(answers).some(({label}) => hasKana(label));
}

function answerText(
  {status, value, facts, reason, sensitivity}: ExportedAnswer,
  words: AnswerWords,
): string {
  const isPrivate = sensitivity !== undefined;
  if (status === 'done') {
    return isPrivate ? words.keptPrivate : oneLine(valueText(value, words) + factsText(facts));
  }
  const isUnexplained = reason === undefined || isPrivate;
  return words.statuses[status] + (isUnexplained ? '' : ` (${oneLine(reason)})`);
}

export const englishAnswers: AnswerWords = {
  keptPrivate: 'answered, and kept private',
  answered: 'answered',
  yes: 'yes',
  no: 'no',
  comma: ', ',
  day: (iso) => iso,
  statuses: {
    pending: 'not asked yet',
    interviewing: 'being asked',
    reviewing: 'being checked',
    skipped: 'skipped',
    declined: 'declined',
    notApplicable: 'does not apply',
    stale: 'to be asked again',
  },
};

function valueText(value: AnswerValue | undefined, words: AnswerWords): string {
  if (value === undefined) return words.answered;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return typeof value === 'object' ? value.join(words.comma) : words.day(String(value));
}

/** ` (years: 7; stack: TypeScript)` */
function factsText(facts: ExportedAnswer['facts']): string {
  const known = Object.entries(facts).map(([key, value]) => `${key}: ${value}`);
  return known.length === 0 ? '' : ` (${known.join('; ')})`;
}
