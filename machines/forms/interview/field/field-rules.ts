/** Private fields: no model asks about them or reviews their answers. */

import type {FieldRecord} from '../../../questionnaire/answers.ts';
import {typeOf} from '../../../questionnaire/field-types.ts';
import type {Questionnaire} from '../../../questionnaire/questionnaire.ts';

/** True for any secret field, and for a personal field whose answer rules can read. */
export function isPrivate({fields, facts}: Questionnaire, id: string): boolean {
  const field = fields.find((each) => each.id === id);
  if (!field || field.sensitivity === 'none') return false;
  if (field.sensitivity === 'secret') return true;
  return !typeOf(field).isProse && !facts.some((fact) => fact.field === id);
}

/** Minimum length of a hidden quote: shorter ones also occur in other sentences. */
const leastHidden = 5;

/** Hides the quotes of private answers in a text: one reply may answer several fields. */
export function withoutPrivate(
  {
    questionnaire,
    fields,
  }: {
    readonly questionnaire: Questionnaire;
    readonly fields: Readonly<Record<string, FieldRecord>>;
  },
  text: string,
): string {
  return questionnaire.fields
    .filter(({id}) => isPrivate(questionnaire, id))
    .flatMap(({id}) => quotesOf(fields[id]))
    .filter((quote) => quote.length >= leastHidden)
    .reduce((now, quote) => now.replaceAll(quote, keptPrivate), text);
}

/** Replaces a private answer. */
export const keptPrivate = '(kept private)';

function quotesOf(record: FieldRecord | undefined): string[] {
  const {quote, provisional, history = []} = record ?? {};
  const all = [quote, provisional?.quote, ...history.map((before) => before.quote)];
  return all.filter((each) => each !== undefined);
}
