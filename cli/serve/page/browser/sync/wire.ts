/** The data between page and server: a submission as its own respondent sees it. */

import type {FieldType} from '../../../../../machines/questionnaire/field-types.ts';

export type SubmissionState =
  | 'greeting'
  | 'designing'
  | 'interviewing'
  | 'confirming'
  | 'paused'
  | 'submitted';

export type FieldStatus =
  | 'pending'
  | 'interviewing'
  | 'reviewing'
  | 'done'
  | 'skipped'
  | 'declined'
  | 'notApplicable'
  | 'stale';

export type {FieldType};

/** Dates are ISO 8601. */
export type Value = string | number | boolean | readonly string[];

export type Setting = 'language' | 'country' | 'timezone';

export interface Message {
  /** Ascends from 1; the same after a restart. */
  readonly position: number;
  readonly from: 'agent' | 'person';
  readonly text: string;
  /** The agent that speaks or is addressed. */
  readonly agent: 'greeter' | 'interviewer' | 'confirmation';
  readonly section?: Setting;
  readonly field?: string;
  /** It says why the last reply is not accepted, and repeats the question at its end. */
  readonly refuses?: true;
}

export interface Field {
  readonly id: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly status: FieldStatus;
  readonly sensitivity: 'none' | 'personal' | 'secret';
  readonly choices?: readonly string[];
  /** Of a date: a day, or `today`. */
  readonly min?: number | string;
  readonly max?: number | string;
  readonly why?: string;
  readonly value?: Value;
}

/** The state of a submission, without its messages. */
export interface Standing {
  readonly id: string;
  /** The id of the form, as in `/f/FORM`. */
  readonly form: string;
  readonly title: string;
  readonly description?: string;
  readonly state: SubmissionState;
  /** No further message is accepted. */
  readonly hasEnded: boolean;
  /** The next question is being prepared. */
  readonly isAtWork: boolean;
  /** In the order of the conversation. */
  readonly fields: readonly Field[];
  /** The field of the current question. */
  readonly current?: string;
  readonly canSubmit: boolean;
  /** Required fields without an answer. */
  readonly open: readonly string[];
  /** BCP 47, ISO 3166-1 alpha-2, IANA. */
  readonly language?: string;
  readonly country?: string;
  readonly timezone?: string;
  /** Settings that the person did not state. */
  readonly assumed?: readonly Setting[];
}

export interface Submission extends Standing {
  readonly messages: readonly Message[];
}

/** A submission that has just begun. Only the token opens it. */
export interface Begun {
  readonly id: string;
  readonly token: string;
}

/** A message of a person. */
export interface Outgoing {
  readonly text: string;
  /** An answer for this field, independent of the current question. */
  readonly field?: string;
  /** The last message that the person had seen. */
  readonly seen?: number;
}
