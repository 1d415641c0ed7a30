/** The results of reading a person's replies in an interview by rule. */

import type {FactValue, Respondent, Section} from './answers.ts';
import type {AnswerValue, FactDefinition, FormField} from './questionnaire.ts';

/** A person's reply, with the context for reading it. */
export interface ReplyToRead extends Respondent {
  readonly text: string;
  readonly about:
    | {readonly section: Section}
    | {readonly field: string}
    | {readonly confirmation: true}
    | {readonly paused: true};
  /** All fields that apply, in their order. */
  readonly fields: readonly FormField[];
  /** Ids of the fields that have an answer. */
  readonly done: readonly string[];
  /** Time of the reply, epoch ms. */
  readonly at: number;
}

/** The kind of a reply, with its details. */
export type Route =
  | {
      readonly kind: 'answer';
      /** The verbatim part of the reply that answers, if the rest holds values for other fields. */
      readonly text?: string;
    }
  | {
      readonly kind:
        | 'skip'
        | 'decline'
        | 'why'
        | 'help'
        /** To the question before the first. */
        | 'back'
        /** There is nothing to answer: no answer to a required field, unless it is repeated. */
        | 'without'
        | 'pause'
        | 'quit'
        | 'confirm'
        | 'continue'
        | 'startOver'
        | 'unclear';
    }
  | {readonly kind: 'language'; readonly language: string}
  /** ISO 3166-1 alpha-2 or IANA. */
  | {
      readonly kind: 'setting';
      readonly section: Exclude<Section, 'language'>;
      readonly value: string;
    }
  /** The reply names its field, usually another one than the current: it corrects an answer, or answers an open field. */
  | {
      readonly kind: 'correct';
      readonly field: string;
      /** The new answer in the person's words; absent: the field is asked about. */
      readonly text?: string;
    };

/** Quitting counts as a pause: the person may come back. */
export function isPause({kind}: Route): boolean {
  return kind === 'pause' || kind === 'quit';
}

const commands: ReadonlySet<Route['kind']> = new Set([
  'skip',
  'decline',
  'why',
  'help',
  'back',
  'pause',
  'quit',
  'confirm',
  'continue',
  'startOver',
  'language',
  'setting',
]);

/** The whole reply is a command: it holds nothing that a field asks for. */
export function isCommand({kind}: Route): boolean {
  return commands.has(kind);
}

/** A value for a field other than the current one. A day without a year is kept as written. */
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
  /** The setting as a person or a model named it. A blank time zone is inferred from the country. */
  readonly text: string;
  readonly language?: string;
  readonly country?: string;
}

export interface SettingReading {
  /** BCP 47, ISO 3166-1 alpha-2 or IANA. */
  readonly value?: string;
  /** Why there is no value, in English. */
  readonly problem?: string;
  /** The possible values. */
  readonly choices?: readonly string[];
}

/** A person's words on a field. */
export interface FieldReply {
  readonly text: string;
  /** The key of the fact, if the question was about a single fact. */
  readonly fact?: string;
  /** Time of the reply, epoch ms, if it came before the field was asked about. */
  readonly at?: number;
}

export interface AnswerCheck extends Respondent {
  readonly field: FormField;
  readonly facts: readonly FactDefinition[];
  /** The oldest first. */
  readonly replies: readonly FieldReply[];
  /** The known facts, by key. */
  readonly known: Readonly<Record<string, FactValue>>;
  /** Time of the last reply, epoch ms. */
  readonly at: number;
}

export interface AnswerReading {
  readonly value?: AnswerValue;
  /** Verbatim from a reply. */
  readonly quote?: string;
  /** All facts that are known now, by key. */
  readonly facts: Readonly<Record<string, FactValue>>;
  /** The problems of the answer, in the person's language. */
  readonly problems: readonly string[];
  /** Keys of the facts that are not known. */
  readonly missing: readonly string[];
  /** True when rules can judge all requirements of the form on the answer. */
  readonly suffices: boolean;
}
