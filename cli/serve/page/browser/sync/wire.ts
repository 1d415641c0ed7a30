/** The data of the page: a submission as the server sends it to its own respondent, and what is shown of it. */

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

type Setting = 'language' | 'country' | 'timezone';

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

// All data that the page shows: the submission as last received from the server, and messages being sent.

/** A message that no reply of the server covers yet. */
export interface Sending extends Outgoing {
  /** The same for every attempt. */
  readonly key: string;
  /** `arrived`: it is in the conversation, the next question is not yet. */
  readonly fate: 'sending' | 'waiting' | 'arrived';
  /** Stored in this tab only. */
  readonly isSecret: boolean;
}

export interface Shown {
  readonly submission: Submission;
  readonly sending: readonly Sending[];
  readonly connection: 'live' | 'lost' | 'offline';
  /** Why the last action failed. */
  readonly problem?: Problem;
}

export type Problem = 'refused' | 'moved' | 'tooLong' | 'unreached';

export function withStanding(shown: Shown, standing: Standing): Shown {
  const {messages} = shown.submission;
  return {...shown, submission: {...standing, messages}};
}

/** Ignores messages that are already known. Messages may arrive in any order. */
export function withMessages(shown: Shown, received: readonly Message[]): Shown {
  const {messages} = shown.submission;
  const known = new Set(messages.map(({position}) => position));
  const fresh = received.filter(({position}) => !known.has(position));
  if (fresh.length === 0) return shown;
  const all = [...messages, ...fresh].toSorted((one, other) => one.position - other.position);
  return {
    ...shown,
    submission: {...shown.submission, messages: all},
    sending: markArrived(shown.sending, fresh),
  };
}

/** The stream may deliver a message before the request that posted it is answered. */
function markArrived(sending: readonly Sending[], fresh: readonly Message[]): readonly Sending[] {
  const [first, ...others] = sending;
  const hasArrived = fresh.some(({from, text}) => from === 'person' && text === first?.text);
  return first && hasArrived ? [{...first, fate: 'arrived'}, ...others] : sending;
}

export interface Progress {
  /** The number of finished fields. A required field is finished only when it is done. */
  readonly done: number;
  readonly total: number;
  /** A field that does not apply yet may follow: the total is the largest possible. */
  readonly isOpen: boolean;
  /** From 0 to 1. Never falls when a field begins to apply. */
  readonly share: number;
}

/** Counts all fields while the form is filled, so that the total does not change, and then those that apply. */
export function progressOf({fields, state, current}: Standing): Progress {
  const applying = fields.filter(({status}) => status !== 'notApplicable');
  const done = applying.filter(isFinished).length;
  const isFilled = state === 'confirming' || state === 'submitted';
  const counted = isFilled ? applying : fields;
  const at = fields.findIndex(({id}) => id === current);
  const passed = counted.filter(
    (field) =>
      isFinished(field) || (field.status === 'notApplicable' && fields.indexOf(field) < at),
  );
  const total = counted.length;
  return {
    done,
    total,
    isOpen: counted.length > applying.length,
    share: passed.length / (total || 1),
  };
}

function isFinished({status, required}: Field): boolean {
  return status === 'done' || (!required && (status === 'skipped' || status === 'declined'));
}

export function lastPosition({messages}: Submission): number | undefined {
  return messages.at(-1)?.position;
}

/** No further message is accepted. */
export function isOver({state, hasEnded}: Standing): boolean {
  return hasEnded || state === 'submitted';
}
