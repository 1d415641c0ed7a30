/** The texts of the built-in interviewer in one language. */

import type {Section} from '../../../questionnaire/answers.ts';
import type {
  FactDefinition,
  FormField,
  Questionnaire,
} from '../../../questionnaire/questionnaire.ts';

/** A field with its answer, as it is shown. */
export interface AnswerRow {
  /** By which the person may name it. */
  readonly number: number;
  readonly label: string;
  /** Empty when there is none. */
  readonly answer: string;
  readonly isRequired: boolean;
}

export interface InterviewTexts {
  /** The language in its own words. */
  readonly name: string;
  /** The first words, before anything is asked. */
  readonly greeting: (form: Pick<Questionnaire, 'title' | 'description'>) => string;
  /** `languages` are those that there are texts for, in their own words. */
  readonly askLanguage: (languages: readonly string[]) => string;
  /** `choices` are names that were probably meant. */
  readonly askCountry: (choices: readonly string[]) => string;
  /** `choices` are IANA time zones; it may be long. */
  readonly askTimezone: (choices: readonly string[]) => string;
  readonly notUnderstood: string;
  /** A country or a time zone was not understood for good. */
  readonly assumed: (section: Section, value: string) => string;
  readonly askField: (field: FormField, isFirst: boolean) => string;
  readonly askFact: (field: FormField, fact: FactDefinition) => string;
  /** Asks for a field once more: what is wrong, and facts that are missing. */
  readonly askAgain: (
    field: FormField,
    problems: readonly string[],
    missing: readonly FactDefinition[],
  ) => string;
  readonly why: (field: FormField) => string;
  readonly cannotSkip: (label: string) => string;
  /** The person wants to submit while the field is asked about. */
  readonly stillOpen: (label: string, isRequired: boolean) => string;
  /** A change was given up. */
  readonly kept: (label: string) => string;
  readonly skipped: (label: string) => string;
  readonly declined: (label: string) => string;
  /** Of a required field: nothing can be submitted without it. */
  readonly declinedRequired: (label: string) => string;
  /** A field that was asked about often enough. */
  readonly left: (label: string) => string;
  readonly changed: (label: string, before: string, after: string) => string;
  /** An answer that was given while something else was asked. */
  readonly noted: (label: string, value: string) => string;
  readonly languageChanged: string;
  /** There are no texts in the respondent's language: those that there are, in their own words. */
  readonly otherLanguage: (languages: readonly string[]) => string;
  readonly paused: string;
  /** Three lines at most: how far it is, what comes next. */
  readonly recap: (done: number, total: number, next: string | undefined) => string;
  readonly formChanged: string;
  readonly askConfirmation: (title: string, rows: readonly AnswerRow[]) => string;
  readonly askMissing: (
    title: string,
    rows: readonly AnswerRow[],
    open: readonly string[],
  ) => string;
  readonly cannotSubmit: (open: readonly string[]) => string;
  readonly whichField: string;
  /** Of several changes, names that no field has. */
  readonly notChanged: (names: readonly string[]) => string;
  readonly submitted: string;
  readonly yes: string;
  readonly no: string;
  readonly list: (values: readonly string[]) => string;
  /** Of 2026-03-04; other texts as they are. */
  readonly date: (iso: string) => string;
  /** Behind an answer: what each fact asks, and its value. */
  readonly facts: (known: readonly (readonly [fact: string, value: string])[]) => string;
  /** In place of a value that nobody may see on a list. */
  readonly masked: string;
  readonly problems: ProblemTexts;
}

export type TimeUnit = 'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes';

/** A number, the characters of a text, how many were chosen. */
export type Measured = 'number' | 'text' | 'choices';

/** What is wrong with an answer. None repeats it: it may be private. */
export interface ProblemTexts {
  readonly blank: string;
  readonly notNumber: (isWhole: boolean) => string;
  readonly severalNumbers: string;
  readonly notWhole: string;
  /** The number was said in another unit, of no fixed size in the one that is asked for. */
  readonly otherUnit: (unit: TimeUnit) => string;
  readonly notDate: string;
  readonly severalDates: string;
  /** 31 February. */
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
  /** The form has a pattern for it. */
  readonly notMatching: string;
}
