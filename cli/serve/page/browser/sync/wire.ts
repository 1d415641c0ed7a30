/** What the page and the server say to each other: a submission as its own respondent sees it. */

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

export interface Message {
  /** Ascends from 1; the same after a restart. */
  readonly position: number;
  readonly from: 'agent' | 'person';
  readonly text: string;
  /** Who of the agents speaks, or is spoken to. */
  readonly agent: 'greeter' | 'interviewer' | 'confirmation';
  readonly section?: 'language' | 'country' | 'timezone';
  readonly field?: string;
}

export interface Field {
  readonly id: string;
  readonly label: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly status: FieldStatus;
  readonly sensitivity: 'none' | 'personal' | 'secret';
  readonly choices?: readonly string[];
  readonly why?: string;
  readonly value?: Value;
}

/** Where a submission stands, without what was said. */
export interface Standing {
  readonly id: string;
  /** The id of the form, as in `/f/FORM`. */
  readonly form: string;
  readonly title: string;
  readonly description?: string;
  readonly state: SubmissionState;
  /** Nothing more can be said. */
  readonly hasEnded: boolean;
  /** Whether the next question is being thought of. */
  readonly isAtWork: boolean;
  /** In the order of the conversation. */
  readonly fields: readonly Field[];
  /** The field that is asked about. */
  readonly current?: string;
  readonly canSubmit: boolean;
  /** Required fields that are not done. */
  readonly open: readonly string[];
  /** BCP 47. */
  readonly language?: string;
}

export interface Submission extends Standing {
  readonly messages: readonly Message[];
}

/** A submission that has just begun. The token opens it, and nothing else does. */
export interface Begun {
  readonly id: string;
  readonly token: string;
}

/** What a person sends. */
export interface Outgoing {
  readonly text: string;
  /** Meant as this field's answer, whatever was asked. */
  readonly field?: string;
  /** The last message that the person had before them. */
  readonly seen?: number;
}
