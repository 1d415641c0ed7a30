/** The dialogue of an interview, which its agents hand over to each other, and its updates. */

import {ownMember} from '../../domain/json.ts';
import {hasKana} from '../../domain/language.ts';
import type {FieldReply, Found, SettingToRead} from '../../questionnaire/answer-reading.ts';
import type {
  FieldRecord,
  FieldStatus,
  KnownRespondent,
  Respondent,
  Said,
  Section,
} from '../../questionnaire/answers.ts';
import {typeOf} from '../../questionnaire/field-types.ts';
import type {AnswerValue, FormField, Questionnaire} from '../../questionnaire/questionnaire.ts';
import {fieldsIn, isRelevant} from '../../questionnaire/relevance.ts';
import type {InterviewTexts} from './texts/interview-texts.ts';
import {textsFor} from './texts/texts.ts';

/** The record of a field during the interview, with the person's replies since it was opened. */
export interface OpenRecord extends FieldRecord {
  readonly replies: readonly FieldReply[];
  /** The record before a change. It is restored when the change is skipped or left open. */
  readonly former?: OpenRecord;
}

export interface Dialogue {
  readonly questionnaire: Questionnaire;
  readonly respondent: Respondent;
  /** See `Answers.assumed`. */
  readonly assumed: readonly Section[];
  /** Ids of the fields, in the order in which they are asked. */
  readonly order: readonly string[];
  readonly fields: Readonly<Record<string, OpenRecord>>;
  readonly said: readonly Said[];
  /** Models (`provider/model`) that made no progress with their tools: rules replace them for the rest of the form. */
  readonly unusableModels: readonly string[];
  /** Notices to the person, sent with the next message. */
  readonly notices: readonly string[];
  /** The field that is asked next, regardless of the order. */
  readonly next?: string;
}

const blank: OpenRecord = {
  status: 'pending',
  facts: {},
  followUps: 0,
  history: [],
  replies: [],
};

export function openDialogue(
  questionnaire: Questionnaire,
  {assumed = [], ...respondent}: KnownRespondent,
): Dialogue {
  return settled({
    questionnaire,
    respondent,
    assumed,
    order: questionnaire.fields.map(({id}) => id),
    fields: Object.fromEntries(questionnaire.fields.map(({id}) => [id, blank])),
    said: [],
    unusableModels: [],
    notices: [],
  });
}

export function textsOf(dialogue: Pick<Dialogue, 'respondent' | 'questionnaire'>): InterviewTexts {
  return textsFor(languageOf(dialogue));
}

/** The respondent's language. Until it is known: Japanese for a form with kana, otherwise English. */
export function languageOf({
  respondent: {language},
  questionnaire: {title, description = '', fields},
}: Pick<Dialogue, 'respondent' | 'questionnaire'>): string {
  if (language !== undefined) return language;
  const words = [title, description, ...fields.map(({label}) => label)].join(' ');
  return hasKana(words) ? 'ja' : 'en';
}

/** Throws Error for a field that the form does not have. */
export function fieldOf({questionnaire}: Pick<Dialogue, 'questionnaire'>, id: string): FormField {
  const field = questionnaire.fields.find((each) => each.id === id);
  if (!field) throw new Error(`the form has no field ${id}`);
  return field;
}

export function recordOf({fields}: Pick<Dialogue, 'fields'>, id: string): OpenRecord {
  return ownMember(fields, id) ?? blank;
}

const openStatuses: ReadonlySet<FieldStatus> = new Set([
  'pending',
  'interviewing',
  'reviewing',
  'stale',
]);

/** The field to ask about now; undefined when none is left. */
export function nextField(dialogue: Dialogue): string | undefined {
  const {order, next} = dialogue;
  return next ?? order.find((id) => openStatuses.has(recordOf(dialogue, id).status));
}

/** Required fields that apply and are not done. */
export function requiredOpen(dialogue: Dialogue): FormField[] {
  return dialogue.order
    .map((id) => fieldOf(dialogue, id))
    .filter(({id, required}) => required && !isAnswered(dialogue, id));
}

/** The fields that apply, in the order in which they are asked. */
export function applicable(dialogue: Dialogue): FormField[] {
  return dialogue.order
    .map((id) => fieldOf(dialogue, id))
    .filter(({id}) => recordOf(dialogue, id).status !== 'notApplicable');
}

export function isDone(dialogue: Dialogue, id: string): boolean {
  return recordOf(dialogue, id).status === 'done';
}

function isAnswered(dialogue: Dialogue, id: string): boolean {
  const {status} = recordOf(dialogue, id);
  return status === 'done' || status === 'notApplicable';
}

export function withRecord(dialogue: Dialogue, id: string, change: Partial<OpenRecord>): Dialogue {
  const record = {...recordOf(dialogue, id), ...change};
  return {...dialogue, fields: {...dialogue.fields, [id]: record}};
}

export function withNotice(dialogue: Dialogue, notice: string): Dialogue {
  return {...dialogue, notices: [...dialogue.notices, notice]};
}

/** The message after the pending notices, and the dialogue with it. */
export function withMessage(
  dialogue: Dialogue,
  said: Omit<Said, 'from'>,
): {readonly dialogue: Dialogue; readonly message: string} {
  const message = [...dialogue.notices, said.text].join('\n\n');
  return {
    message,
    dialogue: {
      ...dialogue,
      notices: [],
      said: [...dialogue.said, {...said, text: message, from: 'agent'}],
    },
  };
}

export function withReply(dialogue: Dialogue, said: Omit<Said, 'from'>): Dialogue {
  return {...dialogue, said: [...dialogue.said, {...said, from: 'person'}]};
}

/** Keeps values for other open fields as provisional until those fields are asked about. */
export function withFound(dialogue: Dialogue, found: readonly Found[], at: number): Dialogue {
  return found.reduce((now, {field, value, quote}) => {
    const isOpen = openStatuses.has(recordOf(now, field).status);
    return isOpen ? withRecord(now, field, {provisional: {value, quote, at}}) : now;
  }, dialogue);
}

export function withSetting(
  dialogue: Dialogue,
  section: Section,
  value: string | undefined,
  isAssumed = false,
): Dialogue {
  const {respondent, assumed} = dialogue;
  const others = assumed.filter((each) => each !== section);
  return {
    ...dialogue,
    respondent: {...respondent, ...(value === undefined ? {} : {[section]: value})},
    assumed: isAssumed ? [...others, section] : others,
  };
}

/** Answers that depend on the setting are read again, from the same words. */
export function withChangedSetting(dialogue: Dialogue, section: Section, value: string): Dialogue {
  return dialogue.questionnaire.fields
    .filter((field) => isDone(dialogue, field.id) && typeOf(field).needs !== undefined)
    .reduce((now, {id}) => readAgain(now, id), withSetting(dialogue, section, value));
}

function readAgain(dialogue: Dialogue, id: string): Dialogue {
  const {value, quote} = recordOf(dialogue, id);
  if (value === undefined || quote === undefined) return dialogue;
  const {said} = dialogue;
  const {at} = said.findLast(({from, text}) => from === 'person' && text.includes(quote)) ?? {};
  const provisional = {value, quote, ...(at === undefined ? {} : {at})};
  const {next: _, ...opened} = reopened(dialogue, id);
  return withRecord(opened, id, {provisional});
}

/** `text`: the setting as a person or a model named it. */
export function settingToRead(
  {respondent: {language, country}}: Dialogue,
  section: Section,
  text: string,
): SettingToRead {
  return {
    section,
    text,
    ...(language === undefined ? {} : {language}),
    ...(country === undefined ? {} : {country}),
  };
}

/** Opens a field for another answer. Its value moves to its history. */
export function reopened(dialogue: Dialogue, id: string, text?: string): Dialogue {
  const before = recordOf(dialogue, id);
  const {value, quote = '', history} = before;
  const former = before.status === 'done' ? before : before.former;
  const record: OpenRecord = {
    ...blank,
    replies: text === undefined ? [] : [{text}],
    history: value === undefined ? history : [...history, {value, quote}],
    ...(former ? {former} : {}),
  };
  return {...dialogue, next: id, fields: {...dialogue.fields, [id]: record}};
}

/** Records an answer that a reviewer passed. If it has changed, the fields that depend on it are asked again. */
export function withAnswer(
  dialogue: Dialogue,
  id: string,
  answer: Pick<FieldRecord, 'value' | 'quote' | 'facts' | 'by'>,
): Dialogue {
  const {history, followUps, replies} = recordOf(dialogue, id);
  const record: OpenRecord = {...answer, history, followUps, replies, status: 'done'};
  const done = withoutNext({...dialogue, fields: {...dialogue.fields, [id]: record}});
  const before = history.at(-1);
  const isChanged = before !== undefined && !isSame(before.value, answer.value);
  return settled(isChanged ? withStale(done, id) : done);
}

/** Ends a field without an answer. A skipped change restores the former record. */
export function withoutAnswer(
  dialogue: Dialogue,
  id: string,
  end: {readonly status: 'skipped' | 'declined'; readonly reason?: string},
): Dialogue {
  const {former, ...record} = recordOf(dialogue, id);
  const ended = former && end.status === 'skipped' ? former : {...record, ...end};
  return settled(withoutNext({...dialogue, fields: {...dialogue.fields, [id]: ended}}));
}

/** The field that was chosen as the next has been asked. */
function withoutNext(dialogue: Dialogue): Dialogue {
  const {next: _, ...rest} = dialogue;
  return rest;
}

function isSame(before: AnswerValue, after: AnswerValue | undefined): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function withStale(dialogue: Dialogue, changed: string): Dialogue {
  const dependants = dialogue.questionnaire.fields.filter(
    ({id, relevantIf}) =>
      relevantIf !== undefined && fieldsIn(relevantIf).includes(changed) && isDone(dialogue, id),
  );
  return dependants.reduce((now, {id}) => withStaleField(now, id), dialogue);
}

/** Opens a done field again. Its former record is not restored. */
function withStaleField(dialogue: Dialogue, id: string): Dialogue {
  const {former: _, ...record} = recordOf(reopened(dialogue, id), id);
  return {...dialogue, fields: {...dialogue.fields, [id]: {...record, status: 'stale'}}};
}

/** Updates which fields apply. Repeats until nothing changes, because a condition may depend on a later field. */
export function settled(dialogue: Dialogue): Dialogue {
  let now = dialogue;
  for (const _ of dialogue.questionnaire.fields) {
    const next = settledOnce(now);
    if (next === now) return now;
    now = next;
  }
  return now;
}

function settledOnce(dialogue: Dialogue): Dialogue {
  const valueOf = (now: Dialogue) => (id: string) =>
    isDone(now, id) ? recordOf(now, id).value : undefined;
  return dialogue.questionnaire.fields.reduce((now, {id, relevantIf}) => {
    const isOut = recordOf(now, id).status === 'notApplicable';
    const applies = relevantIf === undefined || isRelevant(relevantIf, valueOf(now));
    if (applies === !isOut) return now;
    return withRecord(now, id, {status: applies ? 'pending' : 'notApplicable'});
  }, dialogue);
}
