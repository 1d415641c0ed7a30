/** What a form that is filled by conversation holds: the answers with the words they came from, and where it stands. */

import type {AnswerValue, Questionnaire, Sensitivity} from './questionnaire.ts';

export type FieldStatus =
  | 'pending'
  | 'interviewing'
  | 'reviewing'
  | 'done'
  | 'skipped'
  | 'declined'
  | 'notApplicable'
  /** What it depends on has changed: it is asked again. */
  | 'stale';

/** A fact of a field, with the person's own words that say it. */
export interface FactValue {
  readonly value: string;
  readonly quote: string;
}

/** A value with the person's own words that it was read from. */
export interface QuotedValue {
  readonly value: AnswerValue;
  readonly quote: string;
}

export interface SaidValue extends QuotedValue {
  /** When, epoch ms: `tomorrow` is told from then. */
  readonly at?: number;
}

export interface FieldRecord {
  readonly status: FieldStatus;
  readonly value?: AnswerValue;
  readonly quote?: string;
  readonly facts: Readonly<Record<string, FactValue>>;
  /** How often it was asked again since it was last opened. */
  readonly followUps: number;
  /** Why it was skipped, declined or left. */
  readonly reason?: string;
  /** Said while another field was asked about, or left unclear: no reviewer has passed it. */
  readonly provisional?: SaidValue;
  /** What it held before, the oldest first. */
  readonly history: readonly QuotedValue[];
  /** Who passed it. */
  readonly by?: 'rules' | 'model';
}

export type FieldRecords = Readonly<Record<string, FieldRecord>>;

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
  /** Who of the agents speaks, or is spoken to. */
  readonly agent: SpeakingAgent;
  readonly section?: Section;
  readonly field?: string;
  /** Epoch ms. Of what a person said. */
  readonly at?: number;
}

export type SpeakingAgent = 'greeter' | 'interviewer' | 'confirmation';

/** What is known of the respondent: BCP 47, ISO 3166-1 alpha-2, IANA. */
export interface Respondent {
  readonly language?: string;
  readonly country?: string;
  readonly timezone?: string;
}

/** An answer as it is exported. */
export interface ExportedAnswer {
  readonly label: string;
  readonly status: FieldStatus;
  readonly value?: AnswerValue;
  readonly quote?: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly reason?: string;
  /** What was said of it that nobody has passed. */
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
  /** What nobody said, and was taken as likely. */
  readonly assumed?: readonly Section[];
  readonly answers: Readonly<Record<string, ExportedAnswer>>;
}

/** An interview as it stands, for whoever shows it. */
export interface InterviewView {
  readonly state: InterviewState;
  readonly questionnaire: Questionnaire;
  /** Ids of the fields, in the order in which they are asked. */
  readonly order: readonly string[];
  readonly fields: FieldRecords;
  readonly said: readonly Said[];
  readonly answers: Answers;
  /** The field that is being asked about. */
  readonly current?: string;
  /** Required fields that are not done: nothing can be submitted before they are. */
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
  /** What is asked, in one line. */
  readonly question?: string;
  readonly state: InterviewState;
  readonly section?: Section;
  readonly field?: string;
}
