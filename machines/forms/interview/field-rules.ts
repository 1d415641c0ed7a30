/** Which fields are nobody's business but the person's and the form's: no model hears what is said on them. */

import type {Questionnaire} from '../../domain/questionnaire.ts';

/** Of a sensitive field whose answer rules can read, and of a secret one whatever it is. */
export function isPrivate({fields, facts}: Questionnaire, id: string): boolean {
  const field = fields.find((each) => each.id === id);
  if (!field || field.sensitivity === 'none') return false;
  if (field.sensitivity === 'secret') return true;
  return field.type !== 'text' && !facts.some((fact) => fact.field === id);
}
