/** A spawned interview: it takes its language from the request above, and asks only for needed settings. */

import {languageOfRequest} from '../../domain/language.ts';
import type {Respondent, Section} from '../../questionnaire/answers.ts';
import {defaultType, typeOf, typesThat} from '../../questionnaire/field-types.ts';
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

/** The settings that no field and no fact needs. */
function unneededIn({fields, facts}: Questionnaire): readonly Section[] {
  const given = new Set(fields.map(({type}) => type));
  const stated = facts.map(({doneCriteria = ''}) => doneCriteria).join('\n');
  const types = typesThat(({criteria}, type) => given.has(type) || criteria?.test(stated) === true);
  const needs = new Set<Section>(types.flatMap((type) => typeOf({type}).needs ?? []));
  return (['country', 'timezone'] as const).filter((section) => !needs.has(section));
}

/** The form of a request that names no form: its one field asks the request. */
export function formOfRequest(request: string): Questionnaire {
  return {
    id: 'request',
    title: request,
    fields: [
      {
        id: 'answer',
        label: request,
        required: true,
        type: defaultType,
        sensitivity: 'none',
        order: 1,
      },
    ],
    facts: [],
  };
}
