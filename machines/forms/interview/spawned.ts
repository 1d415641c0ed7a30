/** An interview below another interaction: it takes its language from the request above, and asks only for needed settings. */

import {languageOfRequest} from '../../domain/language.ts';
import type {Respondent, Section} from '../../questionnaire/answers.ts';
import type {Questionnaire} from '../../questionnaire/questionnaire.ts';
import {type Dialogue, openDialogue} from './dialogue.ts';

/** `above`: the request of the interaction above. */
export function openSpawned(
  questionnaire: Questionnaire,
  respondent: Respondent,
  above: string,
): Dialogue {
  const language = respondent.language ?? languageOfRequest(above);
  const known = language === undefined ? respondent : {...respondent, language};
  const assumed: readonly Section[] = ['language', ...unneededIn(questionnaire)];
  return {...openDialogue(questionnaire, known), assumed};
}

/** A date is read by country and time zone, a phone number by country. */
function unneededIn({fields, facts}: Questionnaire): Section[] {
  const types: ReadonlySet<string> = new Set(fields.map(({type}) => type));
  const criteria = facts.map(({doneCriteria = ''}) => doneCriteria).join('\n');
  if (types.has('date') || dateWords.test(criteria)) return [];
  if (types.has('phone') || phoneWords.test(criteria)) return ['timezone'];
  return ['country', 'timezone'];
}

const dateWords = /\b(?:date|day)\b|日付|年月日|日にち/i;
const phoneWords = /phone|電話/i;
