/** Which fields are nobody's business but the person's and the form's: no model hears what is said on them. */

import type {FieldRecord} from '../../../questionnaire/answers.ts';
import {typeOf} from '../../../questionnaire/field-types.ts';
import type {Questionnaire} from '../../../questionnaire/questionnaire.ts';

/** Of a sensitive field whose answer rules can read, and of a secret one whatever it is. */
export function isPrivate({fields, facts}: Questionnaire, id: string): boolean {
  const field = fields.find((each) => each.id === id);
  if (!field || field.sensitivity === 'none') return false;
  if (field.sensitivity === 'secret') return true;
  return !typeOf(field).isProse && !facts.some((fact) => fact.field === id);
}

/** Shorter words stand in sentences that mean something else, too. */
const leastHidden = 5;

/** What was said, without what it holds of private answers: they may be given in the same breath as others. */
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

/** Stands for it. */
export const keptPrivate = '(kept private)';

function quotesOf(record: FieldRecord | undefined): string[] {
  const {quote, provisional, history = []} = record ?? {};
  const all = [quote, provisional?.quote, ...history.map((before) => before.quote)];
  return all.filter((each) => each !== undefined);
}
