/** Messages by rule: questions in the words of the form, and answers for display. */

import {ownMember} from '../../domain/json.ts';
import {type FieldRecord, type Section, sections} from '../../questionnaire/answers.ts';
import {typeOf} from '../../questionnaire/field-types.ts';
import type {
  AnswerValue,
  FactDefinition,
  FormField,
  Questionnaire,
} from '../../questionnaire/questionnaire.ts';
import {
  applicable,
  type Dialogue,
  fieldOf,
  languageOf,
  recordOf,
  requiredOpen,
  textsOf,
} from './dialogue.ts';
import type {AnswerRow, InterviewTexts} from './texts/interview-texts.ts';
import {hasTexts} from './texts/texts.ts';

/** The faults of an answer. */
export interface Fault {
  readonly problems: readonly string[];
  /** Keys of missing facts, or missing things in words. */
  readonly missing: readonly string[];
}

export const noFault: Fault = {problems: [], missing: []};

/** The question for a field. `fact` is set if it asks about a single fact. */
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
  if (problems.length > 0) {
    const text = texts.askAgain(field, problems, missing);
    const isNamed = recordOf(dialogue, id).former === undefined || text.includes(field.label);
    return {text: isNamed ? text : `${field.label}\n${text}`};
  }
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

/** The value of a field for a list, masked for a sensitive field; empty without a value. */
export function shownValue(dialogue: Dialogue, {id, sensitivity}: FormField): string {
  const {value} = recordOf(dialogue, id);
  if (value === undefined) return '';
  return sensitivity === 'none' ? valueText(dialogue, value) : textsOf(dialogue).masked;
}

function valueText(dialogue: Dialogue, value: AnswerValue): string {
  const {yes, no} = textsOf(dialogue);
  if (typeof value === 'boolean') return value ? yes : no;
  return typeof value === 'object' ? value.join(', ') : String(value);
}

/** The value of a field for the respondent, with its known facts. */
export function answerText(
  field: FormField,
  {value, facts}: Pick<FieldRecord, 'value' | 'facts'>,
  {texts, questionnaire}: {readonly texts: InterviewTexts; readonly questionnaire: Questionnaire},
): string {
  if (value === undefined) return '';
  const known = questionnaire.facts.flatMap(({field: id, key, fact}) => {
    const found = id === field.id ? ownMember(facts, key) : undefined;
    return found ? [[fact, texts.date(found.value)] as const] : [];
  });
  return shown(field, value, texts) + (known.length > 0 ? texts.facts(known) : '');
}

function shown(field: FormField, value: AnswerValue, texts: InterviewTexts): string {
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'object') return texts.list(value);
  return typeOf(field).isDay ? texts.date(String(value)) : String(value);
}

/** The answer of a field, for the respondent. */
export function answerShown(
  dialogue: Dialogue,
  id: string,
  record: Pick<FieldRecord, 'value' | 'facts'>,
): string {
  const {questionnaire} = dialogue;
  return answerText(fieldOf(dialogue, id), record, {texts: textsOf(dialogue), questionnaire});
}

/** The table of all answers and the question below it. `isMasked`: with private answers masked, for a log. */
export function confirmationText(dialogue: Dialogue, isMasked: boolean): string {
  const texts = textsOf(dialogue);
  const {title} = dialogue.questionnaire;
  const rows = applicable(dialogue).map((field, index): AnswerRow => {
    const record = recordOf(dialogue, field.id);
    const isHidden = isMasked && field.sensitivity !== 'none';
    const answer = isHidden ? texts.masked : answerShown(dialogue, field.id, record);
    const isKnown = record.status === 'done' && record.value !== undefined;
    return {
      number: index + 1,
      label: field.label,
      answer: isKnown ? answer : '',
      isRequired: field.required,
    };
  });
  const open = requiredOpen(dialogue).map(({label}) => label);
  const assumed = assumedText(dialogue);
  return open.length > 0
    ? texts.askMissing(title, rows, open, assumed)
    : texts.askConfirmation(title, rows, assumed);
}

/** The settings that the person did not state, in their words. */
function assumedText(dialogue: Dialogue): string {
  const {respondent, assumed} = dialogue;
  const texts = textsOf(dialogue);
  const settings = sections.flatMap((section) => {
    const value = assumed.includes(section) ? respondent[section] : undefined;
    return value === undefined ? [] : [[section, settingName(dialogue, section, value)] as const];
  });
  return settings.length === 0 ? '' : texts.assumedSettings(settings);
}

/** The name of a language or a country, in the language of the texts; a time zone, and an unknown code, as it is. */
export function settingName(
  dialogue: Pick<Dialogue, 'respondent' | 'questionnaire'>,
  section: Section,
  value: string,
): string {
  if (section === 'timezone') return value;
  const language = languageOf(dialogue);
  const isLanguage = section === 'language';
  const names = new Intl.DisplayNames(hasTexts(language) ? language : 'en', {
    type: isLanguage ? 'language' : 'region',
  });
  try {
    return names.of(isLanguage ? new Intl.Locale(value).language : value) ?? value;
  } catch {
    return value;
  }
}
