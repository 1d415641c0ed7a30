/** Advice for the author of a form about possible oversights. */

import type {FormProblem} from '../../machines/questionnaire/form-problem.ts';
import type {FormField, Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {fieldsIn} from '../../machines/questionnaire/relevance.ts';
import {criterionOf} from '../interview/criteria.ts';

/** `asWritten`: the ids of the fields in the order of the file. */
export function adviceOn(
  questionnaire: Questionnaire,
  asWritten: readonly string[],
): readonly FormProblem[] {
  const {fields} = questionnaire;
  const onFields = fields.flatMap((field) =>
    adviceOnField(field, fields).map(({path, text}) => ({
      path: ['fields', asWritten.indexOf(field.id), ...path],
      text,
    })),
  );
  const isAllOptional = fields.every(({required}) => !required);
  return [
    ...(isAllOptional
      ? [{path: ['fields'], text: 'no field is required = true: an empty form can be submitted'}]
      : []),
    ...onFields,
    ...adviceOnFacts(questionnaire),
  ];
}

function adviceOnField(field: FormField, fields: readonly FormField[]): readonly FormProblem[] {
  const {id, label, intent, why, relevantIf} = field;
  const before = fields.slice(0, fields.indexOf(field));
  const isPurposeless = intent === undefined && why === undefined;
  const later = (relevantIf === undefined ? [] : fieldsIn(relevantIf)).filter(
    (needed) => !before.some((earlier) => earlier.id === needed),
  );
  return [
    ...(isPurposeless
      ? [{path: [], text: `"${id}" has no intent: the reason for asking it can't be explained`}]
      : []),
    ...(before.some((earlier) => earlier.label === label)
      ? [
          {
            path: ['label'],
            text: `"${label}" names another field, too: a correction can't distinguish them`,
          },
        ]
      : []),
    ...later.map((needed) => ({
      path: ['relevant_if'],
      text: `"${needed}", on which "${id}" depends, is asked after it`,
    })),
  ];
}

function adviceOnFacts({fields, facts}: Questionnaire): readonly FormProblem[] {
  return facts.flatMap((fact, index) => {
    const field = fields.find(({id}) => id === fact.field);
    const {doneCriteria = ''} = fact;
    if (!field || doneCriteria === '' || criterionOf(doneCriteria)) return [];
    const path = ['facts', index, 'done_criteria'];
    const text = `only a model can judge “${doneCriteria}”: without one, any text that is not blank is accepted`;
    if (field.sensitivity === 'none') return [{path, text}];
    const sent = `“${field.id}” is ${field.sensitivity}, and its answers are sent to a model for that`;
    return [{path, text: `${text}; ${sent}`}];
  });
}
