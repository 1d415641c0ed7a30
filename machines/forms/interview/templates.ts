/** What is said by rule: questions of the form's own words, and answers as they are shown. */

import type {AnswerValue, FactDefinition, FormField} from '../../questionnaire/questionnaire.ts';
import {applicable, type Dialogue, fieldOf, recordOf, requiredOpen, textsOf} from './dialogue.ts';
import type {AnswerRow} from './texts/texts.ts';

/** What was wrong with an answer. */
export interface Fault {
  readonly problems: readonly string[];
  /** Keys of facts, or what is missing in words. */
  readonly missing: readonly string[];
}

export const noFault: Fault = {problems: [], missing: []};

/** The question for a field; the fact that it asks about by itself, if it does. */
export function fieldQuestion(
  dialogue: Dialogue,
  id: string,
  fault: Fault,
): {readonly text: string; readonly fact?: string} {
  const texts = textsOf(dialogue);
  const field = fieldOf(dialogue, id);
  const {problems} = fault;
  const missing = missingFacts(dialogue, id, fault);
  const [fact] = missing;
  const isAboutFact =
    problems.length === 0 || recordOf(dialogue, id).replies.at(-1)?.fact === fact?.key;
  if (fact && isAboutFact) {
    return {text: [...problems, texts.askFact(field, fact)].join('\n'), fact: fact.key};
  }
  if (problems.length > 0) return {text: texts.askAgain(field, problems, missing)};
  const isFirst = !dialogue.said.some((said) => said.field !== undefined);
  return {text: texts.askField(field, isFirst)};
}

function missingFacts(
  {questionnaire}: Dialogue,
  id: string,
  {missing}: Fault,
): readonly FactDefinition[] {
  return questionnaire.facts.filter(({field, key}) => field === id && missing.includes(key));
}

/** A value as a person reads it on a list; empty when there is none. */
export function shownValue(dialogue: Dialogue, {id, sensitivity}: FormField): string {
  const {value} = recordOf(dialogue, id);
  if (value === undefined) return '';
  return sensitivity === 'none' ? valueText(dialogue, value) : textsOf(dialogue).masked;
}

export function valueText(dialogue: Dialogue, value: AnswerValue): string {
  const {yes, no} = textsOf(dialogue);
  if (typeof value === 'boolean') return value ? yes : no;
  return typeof value === 'object' ? value.join(', ') : String(value);
}

/** The table of all answers, with what is to be said below it; `isMasked`: as a log may hold it. */
export function confirmationText(dialogue: Dialogue, isMasked: boolean): string {
  const texts = textsOf(dialogue);
  const {title} = dialogue.questionnaire;
  const rows = applicable(dialogue).map((field, index): AnswerRow => {
    const {value, status} = recordOf(dialogue, field.id);
    const isKnown = status === 'done' && value !== undefined;
    const shown = isMasked
      ? shownValue(dialogue, field)
      : isKnown
        ? valueText(dialogue, value)
        : '';
    return {
      number: index + 1,
      label: field.label,
      answer: isKnown ? shown : '',
      isRequired: field.required,
    };
  });
  const open = requiredOpen(dialogue).map(({label}) => label);
  return open.length > 0 ? texts.askMissing(title, rows, open) : texts.askConfirmation(title, rows);
}
