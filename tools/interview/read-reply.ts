/** Classifies a reply by rule: an answer, a wish, a correction. Pasted text contains no commands. */

import type {
  Found,
  ReplyReading,
  ReplyToRead,
  Route,
} from '../../machines/questionnaire/answer-reading.ts';
import type {Section} from '../../machines/questionnaire/answers.ts';
import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
import {
  namedCorrection,
  numberedCorrection,
  shortValue,
  statedValue,
  takenBackText,
} from './corrections.ts';
import {readerOf} from './field-readers.ts';
import {type FoldedReply, readFieldReply} from './field-reply.ts';
import {fold, type Folded} from './fold.ts';
import {foundAside} from './found.ts';
import {fieldNamed, labelledParts} from './labels.ts';
import {type Command, commandOf} from './phrases.ts';
import {changedSetting} from './read-setting.ts';
import {wishedLanguage} from './settings/languages.ts';
import {readValue} from './values/value.ts';

// The field that a sentence is about, by the words of its label: `Actually I do need a car`.

/** Longer replies are more than a mention. */
const maxLength = 200;

const native = /[\p{Script=Han}\p{Script=Katakana}ー]+|[\p{Script=Latin}\p{Script=Cyrillic}]+/gu;
const common =
  /^(?:a|an|and|any|are|can|could|did|do|does|for|have|has|how|if|in|is|it|many|may|much|my|not|of|on|or|our|should|the|this|that|to|was|we|were|what|when|where|which|who|why|will|with|would|you|your|i|don|t)$/;

/** Undefined for a question, and unless exactly one field has most of its words in the text. */
function fieldMentioned(text: string, fields: readonly FormField[]): FormField | undefined {
  if (text.length > maxLength || /[?？]\s*$/.test(text)) return undefined;
  const said = significantWords(text);
  const [field, second] = fields.filter(({label}) => {
    const words = [...significantWords(label)];
    return words.length > 0 && words.filter((word) => said.has(word)).length * 2 > words.length;
  });
  return second === undefined ? field : undefined;
}

function significantWords(text: string): ReadonlySet<string> {
  const words = fold(text).text.toLowerCase().match(native) ?? [];
  return new Set(words.filter((word) => !common.test(word)));
}

/** Never rejects. Takes time linear in the text. */
export async function readReply(reply: ReplyToRead): Promise<ReplyReading> {
  const {about, text} = reply;
  const foldedReply = {...reply, folded: fold(text)};
  if (foldedReply.folded.text.trim() === '') return only({kind: 'unclear'});
  if ('field' in about) return readFieldReply(foldedReply, about.field);
  const command = commandOf(text);
  if ('section' in about) return ofSection(command, about.section, foldedReply);
  const language = wishedLanguage(text);
  if (language !== undefined) return only({kind: 'language', language});
  return only('paused' in about ? ofPause(command) : ofConfirmation(command, foldedReply));
}

function only(route: Route, found: readonly Found[] = []): ReplyReading {
  return {route, found};
}

const directCommands = [
  'skip',
  'decline',
  'without',
  'why',
  'help',
  'back',
  'pause',
  'quit',
  'startOver',
] as const;
const commandsInPause = ['quit', 'startOver', 'pause', 'help'] as const;

/** The command, if it is allowed here. */
function oneOf<C extends Command>(
  allowed: readonly C[],
  command: Command | undefined,
): {readonly kind: C} | undefined {
  const kind = allowed.find((one) => one === command);
  return kind === undefined ? undefined : {kind};
}

/** Commands that are unclear here; `hello` shows the language. */
const unclearInSection: ReadonlySet<string> = new Set(['lost', 'continue', 'submit']);

/** The reply may state the setting, values of fields, or both. */
function ofSection(
  command: Command | undefined,
  section: Section,
  reply: FoldedReply,
): ReplyReading {
  const language = section === 'language' ? undefined : wishedLanguage(reply.text);
  if (language !== undefined) return only({kind: 'language', language});
  const direct = oneOf(directCommands, command === 'nothing' ? 'without' : command);
  if (direct) return only(direct);
  const isUnclear = section !== 'language' && unclearInSection.has(command ?? '');
  const open = reply.fields.filter(({id}) => !reply.done.includes(id));
  return only({kind: isUnclear ? 'unclear' : 'answer'}, foundAside(reply.folded, open, reply));
}

/** Any other command continues the interview. Text without a command is an answer: to the field that was asked before the pause, if there is one. */
function ofPause(command: Command | undefined): Route {
  if (command === undefined) return {kind: 'answer'};
  if (command === 'disagree') return {kind: 'pause'};
  return oneOf(commandsInPause, command) ?? {kind: 'continue'};
}

function ofConfirmation(command: Command | undefined, reply: FoldedReply): Route {
  if (isAgreed(reply.folded)) return {kind: 'confirm'};
  const direct = oneOf(commandsInPause, command);
  if (direct) return direct;
  const last = reply.fields.at(-1);
  if (command === 'back' && last) return {kind: 'correct', field: last.id};
  if (command !== undefined) return {kind: 'unclear'};
  return correctionIn(reply) ?? changedSetting(reply.folded, reply) ?? {kind: 'unclear'};
}

const agreements: ReadonlySet<Command | undefined> = new Set(['agree', 'submit'] as const);

/** The whole reply agrees: `Yes, everything is correct, please submit it.` */
function isAgreed({raw, text}: Folded): boolean {
  if (agreements.has(commandOf(raw))) return true;
  const clauses = text.split(/[,.!\n]+/).filter((clause) => clause.trim() !== '');
  const isShort = clauses.length > 1 && clauses.length <= 5;
  return isShort && clauses.every((clause) => agreements.has(commandOf(clause)));
}

function correctionIn(reply: FoldedReply): Route | undefined {
  const {field, text} = namedIn(reply) ?? addressIn(reply) ?? mentionedIn(reply) ?? {};
  if (!field) return undefined;
  return {kind: 'correct', field: field.id, ...(text === undefined || text === '' ? {} : {text})};
}

interface Named {
  readonly field: FormField;
  readonly text?: string;
}

/** By number or by name. */
function namedIn({text, folded, fields}: FoldedReply): Named | undefined {
  return (
    numberedCorrection(text, fields) ??
    namedCorrection(text, fields) ??
    labelledParts(folded, fields).parts[0] ??
    shortValue(text, fields) ??
    statedValue(text, fields) ??
    fieldNamed(text, fields)
  );
}

function mentionedIn({text, fields}: FoldedReply): Named | undefined {
  const field = fieldMentioned(text, fields);
  return field && {field};
}

/** By an address that only one field can have. Numbers and choices occur in sentences with another meaning. */
function addressIn(reply: ReplyToRead): Named | undefined {
  const text = takenBackText(reply.text) ?? reply.text.trim();
  const folded = fold(text);
  const [field, second] = reply.fields.filter(
    (one) => readerOf(one).isAddress && 'value' in readValue(one, folded, reply),
  );
  return field && !second ? {field, text} : undefined;
}
