/** What is read, by rule, from what a person says in an interview. */

import type {FactValue, Respondent, Section} from './answers.ts';
import type {AnswerValue, FactDefinition, FormField} from './questionnaire.ts';

/** A person's reply, with what it may be about. */
export interface ReplyToRead extends Respondent {
  readonly text: string;
  readonly about:
    | {readonly section: Section}
    | {readonly field: string}
    | {readonly confirmation: true}
    | {readonly paused: true};
  /** All fields that apply, in their order. */
  readonly fields: readonly FormField[];
  /** Ids of those that have an answer. */
  readonly done: readonly string[];
  /** When it was said, epoch ms. */
  readonly at: number;
}

/** What a reply is. */
export type Route =
  | {
      readonly kind: 'answer';
      /** The part of the reply that answers, verbatim, where the rest holds values for other fields. */
      readonly text?: string;
    }
  | {
      readonly kind:
        | 'skip'
        | 'decline'
        | 'why'
        | 'pause'
        | 'quit'
        | 'confirm'
        | 'continue'
        | 'startOver'
        | 'unclear';
    }
  | {readonly kind: 'language'; readonly language: string}
  /** The reply is for another field than was asked about: one that has an answer, which is not right, or an open one. */
  | ({
      readonly kind: 'correct';
      /** Changes that were said after it. */
      readonly more?: readonly FieldChange[];
      /** What else was to be changed, in the person's words: no field is called so. */
      readonly unread?: readonly string[];
    } & FieldChange);

export interface FieldChange {
  readonly field: string;
  /** What it is to be, in the person's words; absent: it is to be asked about. */
  readonly text?: string;
}

/** Whoever quits may come back. */
export function isPause({kind}: Route): boolean {
  return kind === 'pause' || kind === 'quit';
}

/** A value for another field than the one that was asked about; of a day without its year, as it is written. */
export interface Found {
  readonly field: string;
  readonly value: AnswerValue;
  /** Verbatim from the reply. */
  readonly quote: string;
}

export interface ReplyReading {
  readonly route: Route;
  readonly found: readonly Found[];
}

export interface SettingToRead {
  readonly section: Section;
  /** As somebody named it. A time zone may be blank: then it is inferred from the country. */
  readonly text: string;
  readonly language?: string;
  readonly country?: string;
}

export interface SettingReading {
  /** BCP 47, ISO 3166-1 alpha-2 or IANA. */
  readonly value?: string;
  /** Why there is none, in English. */
  readonly problem?: string;
  /** What it may be. */
  readonly choices?: readonly string[];
}

/** Words that a person said on a field. */
export interface FieldReply {
  readonly text: string;
  /** The key of the fact that was asked about by itself. */
  readonly fact?: string;
  /** When it was said, epoch ms, if that was before the field's turn. */
  readonly at?: number;
}

export interface AnswerCheck extends Respondent {
  readonly field: FormField;
  readonly facts: readonly FactDefinition[];
  /** The oldest first. */
  readonly replies: readonly FieldReply[];
  /** Facts that are known. */
  readonly known: Readonly<Record<string, FactValue>>;
  /** When the last was said, epoch ms. */
  readonly at: number;
}

export interface AnswerReading {
  readonly value?: AnswerValue;
  /** Verbatim from a reply. */
  readonly quote?: string;
  /** All that are known now. */
  readonly facts: Readonly<Record<string, FactValue>>;
  /** What is wrong with the answer, for the person, in their language. */
  readonly problems: readonly string[];
  /** Keys of the facts that are not known. */
  readonly missing: readonly string[];
  /** Whether rules can judge all that the form asks of the answer. */
  readonly suffices: boolean;
}
