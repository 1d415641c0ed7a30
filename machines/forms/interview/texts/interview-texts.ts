/** The texts of the built-in interviewer in one language. */

import type {Section} from '../../../questionnaire/answers.ts';
import type {
  FactDefinition,
  FormField,
  Questionnaire,
} from '../../../questionnaire/questionnaire.ts';

/** A field with its answer, for display. */
export interface AnswerRow {
  /** The person may name the field by this number. */
  readonly number: number;
  readonly label: string;
  /** Empty without an answer. */
  readonly answer: string;
  readonly isRequired: boolean;
}

export interface InterviewTexts {
  /** The name of the language in the language itself. */
  readonly name: string;
  /** The first message, before any question. */
  readonly greeting: (form: Pick<Questionnaire, 'title' | 'description'>) => string;
  /** `languages` are the names of the languages with texts, each in the language itself. */
  readonly askLanguage: (languages: readonly string[]) => string;
  /** `choices` are countries that were probably meant. */
  readonly askCountry: (choices: readonly string[]) => string;
  /** `choices` are IANA time zones; the list may be long. */
  readonly askTimezone: (choices: readonly string[]) => string;
  readonly notUnderstood: string;
  /** The commands. */
  readonly help: string;
  readonly nothingBefore: string;
  /** Why the greeter asks for a setting. */
  readonly whySetting: Readonly<Record<Section, string>>;
  readonly sections: Readonly<Record<Section, string>>;
  /** The reply gives answers of the form in place of a setting. */
  readonly forLater: string;
  /** A default is assumed for a setting that the person did not give. */
  readonly assumed: (section: Section, value: string) => string;
  readonly askField: (field: FormField, isFirst: boolean) => string;
  readonly askFact: (field: FormField, fact: FactDefinition) => string;
  /** Repeats the question for a field, with the problems and the missing facts. */
  readonly askAgain: (
    field: FormField,
    problems: readonly string[],
    missing: readonly FactDefinition[],
  ) => string;
  readonly why: (field: FormField) => string;
  readonly cannotSkip: (label: string) => string;
  /** The reply says that there is nothing to answer. */
  readonly needsAnswer: (label: string) => string;
  /** The person wants to submit while the field is asked about. */
  readonly stillOpen: (label: string, isRequired: boolean) => string;
  /** A change was given up. */
  readonly kept: (label: string) => string;
  readonly skipped: (label: string) => string;
  readonly declined: (label: string) => string;
  /** For a required field: the form can't be submitted without it. */
  readonly declinedRequired: (label: string) => string;
  /** A field is left open after too many questions. */
  readonly left: (label: string) => string;
  readonly changed: (label: string, before: string, after: string) => string;
  /** An answer that was given while another field was asked about. */
  readonly noted: (label: string, value: string) => string;
  readonly languageChanged: string;
  /** There are no texts in the respondent's language. `languages` are the English names of the languages with texts. */
  readonly otherLanguage: (languages: readonly string[]) => string;
  readonly paused: string;
  /** At most three lines: the progress and the next question. */
  readonly recap: (done: number, total: number, next: string | undefined) => string;
  readonly formChanged: string;
  /** `assumed`: settings that the person did not state, with their values. */
  readonly askConfirmation: (title: string, rows: readonly AnswerRow[], assumed?: string) => string;
  readonly askMissing: (
    title: string,
    rows: readonly AnswerRow[],
    open: readonly string[],
    assumed?: string,
  ) => string;
  readonly assumedSettings: (settings: readonly (readonly [Section, string])[]) => string;
  readonly cannotSubmit: (open: readonly string[]) => string;
  readonly whichField: string;
  readonly submitted: string;
  readonly yes: string;
  readonly no: string;
  readonly list: (values: readonly string[]) => string;
  /** Formats a day such as 2026-03-04; returns any other text unchanged. */
  readonly date: (iso: string) => string;
  /** Follows an answer: the question of each fact and its value. */
  readonly facts: (known: readonly (readonly [fact: string, value: string])[]) => string;
  /** Replaces a private value on a list. */
  readonly masked: string;
  readonly problems: ProblemTexts;
}

export type TimeUnit = 'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes';

/** The measured quantity: a number, the characters of a text, the number of choices. */
export type Measured = 'number' | 'text' | 'choices';

/** Problems of an answer. No text repeats the answer: it may be private. */
export interface ProblemTexts {
  readonly blank: string;
  readonly notName: string;
  readonly notNumber: (isWhole: boolean) => string;
  readonly severalNumbers: string;
  readonly notWhole: string;
  /** The number has another unit, which can't be converted to the requested one. */
  readonly otherUnit: (unit: TimeUnit) => string;
  readonly notDate: string;
  readonly severalDates: string;
  /** A day such as 31 February. */
  readonly noSuchDate: string;
  readonly yearMissing: string;
  readonly whichDate: (first: string, second: string) => string;
  readonly tooEarly: (earliest: string) => string;
  readonly tooLate: (latest: string) => string;
  readonly notEmail: string;
  readonly severalEmails: string;
  readonly notUrl: string;
  readonly severalUrls: string;
  readonly notPhone: string;
  readonly phoneWithoutCountry: string;
  readonly severalPhones: string;
  readonly notYesNo: string;
  /** `meant` is the choice that was probably meant. */
  readonly notChoice: (choices: readonly string[], meant: string | undefined) => string;
  readonly notChoices: (choices: readonly string[]) => string;
  readonly tooLittle: (kind: Measured, min: number) => string;
  readonly tooMuch: (kind: Measured, max: number) => string;
  readonly tooShort: (unit: 'words' | 'characters', min: number) => string;
  /** The answer does not match the pattern of the form. */
  readonly notMatching: string;
}
