/**
 * The types of fields, one row each. A new type needs a row here, a reader in `tools/interview/field-readers.ts`, an input
 * in `cli/serve/page/browser/answers.ts`, and a test.
 */

/** Messages list them in this order. */
export const fieldTypes = [
  'text',
  'number',
  'integer',
  'date',
  'email',
  'url',
  'phone',
  'boolean',
  'choice',
  'choices',
] as const;

export type FieldType = (typeof fieldTypes)[number];

/** The type of a field that gives none. */
export const defaultType: FieldType = 'text';

export interface FieldTypeRow {
  /** The JavaScript type of an answer, or of one choice in it: `relevant_if` compares it with such a value. */
  readonly value: 'string' | 'number' | 'boolean';
  /** Any words are an answer. A model may word it, and several replies may form one answer. */
  readonly isProse?: true;
  /** The answer is a day, as `YYYY-MM-DD`. It is read relative to the time of the reply. */
  readonly isDay?: true;
  /** `relevant_if` may compare it by <, <=, > and >=. */
  readonly isOrdered?: true;
  /** The form may give a pattern for the answer. */
  readonly hasPattern?: true;
  /** The form lists the possible answers. */
  readonly choices?: 'one' | 'several';
  /** Absent: a field of this type takes no `min` and `max`. */
  readonly boundProblem?: BoundCheck;
  /** The properties of a JSON Schema that become a field of this type. */
  readonly property: SchemaProperty;
  /** Settings of the respondent that are needed to read an answer, besides the language. */
  readonly needs?: readonly ('country' | 'timezone')[];
  /** Matches the done criteria of facts with a value of this type, which have the same needs. */
  readonly criteria?: RegExp;
  /** The last line of a question for this type. Absent: no line, or for a day one that depends on its bounds. */
  readonly request?: {readonly en: string; readonly ja: string};
}

export interface SchemaProperty {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'enum' | 'array';
  /** Formats of a string. The row without formats takes strings in no known format. */
  readonly formats?: readonly string[];
  /** A pattern of the property only restates its format, and is ignored. */
  readonly restatesFormat?: true;
}

const rows: Readonly<Record<FieldType, FieldTypeRow>> = {
  text: {
    value: 'string',
    isProse: true,
    hasPattern: true,
    boundProblem: countProblem,
    property: {type: 'string'},
  },
  number: {
    value: 'number',
    isOrdered: true,
    boundProblem: amountProblem,
    property: {type: 'number'},
    request: {en: 'A number, please.', ja: '数字でお答えください。'},
  },
  integer: {
    value: 'number',
    isOrdered: true,
    boundProblem: wholeAmountProblem,
    property: {type: 'integer'},
    request: {en: 'A whole number, please.', ja: '整数でお答えください。'},
  },
  date: {
    value: 'string',
    isDay: true,
    isOrdered: true,
    boundProblem: dayProblem,
    property: {type: 'string', formats: ['date'], restatesFormat: true},
    needs: ['timezone'],
    criteria: /\b(?:date|day)\b|日付|年月日|日にち/i,
  },
  email: {
    value: 'string',
    hasPattern: true,
    boundProblem: countProblem,
    property: {type: 'string', formats: ['email', 'idn-email'], restatesFormat: true},
  },
  url: {
    value: 'string',
    hasPattern: true,
    boundProblem: countProblem,
    property: {type: 'string', formats: ['uri', 'url']},
    request: {en: 'A web address, please.', ja: 'ウェブサイトのアドレスでお答えください。'},
  },
  phone: {
    value: 'string',
    hasPattern: true,
    boundProblem: countProblem,
    property: {type: 'string', formats: ['e164', 'phone', 'tel']},
    needs: ['country'],
    criteria: /phone|電話/i,
  },
  boolean: {
    value: 'boolean',
    property: {type: 'boolean'},
    request: {en: 'Yes or no?', ja: '「はい」か「いいえ」でお答えください。'},
  },
  choice: {
    value: 'string',
    choices: 'one',
    property: {type: 'enum'},
    request: {
      en: 'Please choose one; the number is enough:',
      ja: '一つお選びください。番号でも構いません。',
    },
  },
  choices: {
    value: 'string',
    choices: 'several',
    boundProblem: countProblem,
    property: {type: 'array'},
    request: {
      en: 'Please choose one or more; the numbers are enough:',
      ja: '一つ以上お選びください。番号でも構いません。',
    },
  },
};

/** The row of a field's type. */
export function typeOf({type}: {readonly type: FieldType}): FieldTypeRow {
  return rows[type];
}

/** The types whose rows satisfy a condition, in their order. */
export function typesThat(
  holds: (row: FieldTypeRow, type: FieldType) => boolean,
): readonly FieldType[] {
  return fieldTypes.filter((type) => holds(rows[type], type));
}

// Checks of the bounds of a field, `min` and `max`, by the type of the field.

/** Returns the problem of a bound; undefined for a bound that the type allows. */
type BoundCheck = (bound: number | string, type: string) => string | undefined;

function amountProblem(bound: number | string, type: string): string | undefined {
  return typeof bound === 'string' ? `must be a number in a field of type ${type}` : undefined;
}

function wholeAmountProblem(bound: number | string, type: string): string | undefined {
  if (typeof bound === 'string') return amountProblem(bound, type);
  return Number.isInteger(bound) ? undefined : `must be a whole number in a field of type ${type}`;
}

/** For a number of characters or of choices. */
function countProblem(bound: number | string, type: string): string | undefined {
  const problem = wholeAmountProblem(bound, type);
  if (problem !== undefined) return problem;
  return Number(bound) >= 0 ? undefined : 'must be at least 0';
}

function dayProblem(bound: number | string): string | undefined {
  const isGood = bound === 'today' || isDay(String(bound));
  return isGood ? undefined : 'must be a day (YYYY-MM-DD) or today';
}

/** True for a day of the calendar, written as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return (
    day !== undefined && Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month))
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
