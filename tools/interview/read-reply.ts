/** Classifies a reply by rule: an answer, a wish, a correction. Pasted text contains no commands. */

import type {
  Found,
  ReplyReading,
  ReplyToRead,
  Route,
} from '../../machines/questionnaire/answer-reading.ts';
import type {Section} from '../../machines/questionnaire/answers.ts';
import {typeOf} from '../../machines/questionnaire/field-types.ts';
import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
import {
  namedCorrection,
  numberedCorrection,
  shortValue,
  statedValue,
  takenBackText,
  type Correction,
} from './corrections.ts';
import {readerOf, readValue} from './field-readers.ts';
import {fold, type Folded} from './fold.ts';
import {foundAside, foundIn} from './found.ts';
import {fieldNamed, labelledParts, type Labelled} from './labels.ts';
import {type Command, commandOf} from './phrases.ts';
import {changedSetting} from './read-setting.ts';
import {wishedLanguage} from './settings.ts';
import {isChoice, yesOrNo} from './values/choice.ts';

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

// Classifies a reply that was given while a field was asked about.

/** A reply with its folded text: a long reply is folded only once. */
interface FoldedReply extends ReplyToRead {
  readonly folded: Folded;
}

function readFieldReply(reply: FoldedReply, id: string): ReplyReading {
  const current = reply.fields.find((field) => field.id === id);
  const route = routeOfWhole(current, reply);
  if (route) return {route, found: []};
  return (
    goingBack(reply, current) ??
    corrected(reply, current) ??
    labelled(reply, current) ??
    stated(reply, current) ??
    takenBack(reply, current) ??
    answered(reply, current)
  );
}

/** For commands that count only as a whole reply. */
function routeOfWhole(current: FormField | undefined, reply: FoldedReply): Route | undefined {
  const {text, folded} = reply;
  const command = commandOf(text);
  if (current && readerOf(current).isPlain?.(folded, current)) return answer;
  const escaped = escapedSlash(text, current);
  if (escaped !== undefined) return {kind: 'answer', text: escaped};
  return (
    ofCommand(command, current, reply) ??
    ofLanguage(current, text) ??
    (isSlashed(text) && command === undefined ? unclear : undefined)
  );
}

/** `//skip` is the answer `/skip`. A web address may begin with two slashes. */
function escapedSlash(text: string, current: FormField | undefined): string | undefined {
  const rest = text.trim().slice(1);
  return text.trim().startsWith('//') && (isProse(current) || isSlashed(rest)) ? rest : undefined;
}

/** Written as a command: a slash and one word. */
function isSlashed(text: string): boolean {
  return /^[/／][\p{L}-]+$/u.test(text.trim());
}

/** Returns to the field before the current one. */
function goingBack(
  {text, fields}: ReplyToRead,
  current: FormField | undefined,
): ReplyReading | undefined {
  if (commandOf(text) !== 'back') return undefined;
  const before = fields[fields.findIndex(({id}) => id === current?.id) - 1];
  return before ? correct({field: before}) : {route: {kind: 'back'}, found: []};
}

function isProse(field: FormField | undefined): boolean {
  return field !== undefined && typeOf(field).isProse === true;
}

const answer: Route = {kind: 'answer'};
const unclear: Route = {kind: 'unclear'};

/** Undefined for a command that may be an answer, as `yes` may. */
function ofCommand(
  command: Command | undefined,
  current: FormField | undefined,
  reply: FoldedReply,
): Route | undefined {
  const {folded} = reply;
  const empty =
    current && isDenied(command, folded) ? emptyRoute(current, command, reply) : undefined;
  if (empty) return empty;
  if (command === undefined || elsewhere.has(command)) return undefined;
  if (command === 'submit') return isSubmitted(current, folded.raw) ? {kind: 'confirm'} : answer;
  if (isOfLabel(current, folded)) return answer;
  const direct = fieldCommands.find((one) => one === command);
  return direct === undefined ? unclear : {kind: direct};
}

/** Commands that may be answers to the current field and refer to another field otherwise. */
const elsewhere: ReadonlySet<Command> = new Set([
  'agree',
  'disagree',
  'without',
  'nothing',
  'back',
]);
const fieldCommands = ['skip', 'decline', 'why', 'help', 'pause', 'quit', 'startOver'] as const;

/** Undefined if the denial answers the field: `None` does so, and `No` to a question. */
function emptyRoute(
  field: FormField,
  command: Command | undefined,
  reply: FoldedReply,
): Route | undefined {
  const {folded} = reply;
  if (isOfLabel(field, folded)) return undefined;
  const isOfChoices = typeOf(field).choices === 'several';
  if (isOfChoices || !isProse(field)) {
    return !isOfChoices && reads(field, folded, reply) ? undefined : {kind: 'skip'};
  }
  if (!field.required) return {kind: 'skip'};
  const isAnswer = command === 'without' || (command !== 'nothing' && isYesNoQuestion(field));
  return isAnswer ? undefined : {kind: 'without'};
}

/** `Done` may be the answer to a text field. */
function isSubmitted(current: FormField | undefined, text: string): boolean {
  return !isProse(current) || submitting.test(text);
}

const submitting = /submit|send|confirm|送|提出|確定/i;
/** `Nothing, thanks`, `No, I don't have one`; but `no, it's x` corrects an answer. */
function isDenied(command: Command | undefined, {raw, text}: Folded): boolean {
  if (command === 'without' || command === 'nothing') return true;
  if (yesOrNo(text.trim()) !== false) return false;
  const rest = commandOf(raw.replace(/^\s*(?:no|nope|nah|いいえ|いえ)[\s,.、。]+/i, ''));
  return command === 'disagree' || rest === 'without' || rest === 'nothing';
}

/** `pass` answers `Pass or fail?`. */
function isOfLabel(field: FormField | undefined, {text}: Folded): boolean {
  const words = text.toLowerCase().replaceAll(/[.!?]/g, '').trim();
  const isIn = new RegExp(`(?<![a-z])${RegExp.escape(words)}(?![a-z])`);
  return field !== undefined && isProse(field) && isIn.test(fold(field.label).text.toLowerCase());
}

function ofLanguage(current: FormField | undefined, text: string): Route | undefined {
  if (current && /language|言語|語学|何語/i.test(`${current.label} ${current.intent ?? ''}`))
    return undefined;
  const language = wishedLanguage(text);
  return language === undefined ? undefined : {kind: 'language', language};
}

/** A change that says that it is a change. In a text field, words such as `change my job` may be the answer. */
function corrected(
  {text, fields, done}: ReplyToRead,
  current: FormField | undefined,
): ReplyReading | undefined {
  const correction = namedCorrection(text, fields);
  if (!correction) return undefined;
  if (correction.field.id === current?.id) return ofCurrent(correction);
  const isSure = correction.how === 'exact' && done.includes(correction.field.id);
  return !isProse(current) || isSure ? correct(correction) : undefined;
}

function ofCurrent({text}: Correction): ReplyReading {
  return {route: text === undefined ? unclear : {kind: 'answer', text}, found: []};
}

function correct(
  {field, text}: {readonly field: FormField; readonly text?: string},
  found: readonly Found[] = [],
): ReplyReading {
  return {
    route: {kind: 'correct', field: field.id, ...(text === undefined || text === '' ? {} : {text})},
    found,
  };
}

/** `Name: Ann`, on one line or on several. */
function labelled(reply: FoldedReply, current: FormField | undefined): ReplyReading | undefined {
  const {parts, before} = labelledParts(reply.folded, reply.fields);
  const own = parts.find(({field}) => field.id === current?.id);
  const others = parts.filter((part) => part !== own);
  if (own) return {route: {kind: 'answer', text: own.text}, found: valuesOf(others, reply)};
  const [first, ...rest] = others;
  if (!first) return undefined;
  if (before === '') return correct(first, valuesOf(rest, reply));
  return {route: {kind: 'answer', text: before}, found: valuesOf(others, reply)};
}

function valuesOf(parts: readonly Labelled[], {done, ...context}: ReplyToRead): Found[] {
  return parts.flatMap(({field, text}) => {
    const reading = done.includes(field.id) ? undefined : readValue(field, fold(text), context);
    return reading && 'value' in reading ? [{field: field.id, ...reading}] : [];
  });
}

/** `My email is x` in reply to a question about another field. */
function stated(reply: FoldedReply, current: FormField | undefined): ReplyReading | undefined {
  const value = statedValue(reply.text, reply.fields);
  if (!value || value.field.id === current?.id) return undefined;
  const isMeant = (value.isTakenBack && value.how === 'exact') || isOfOther(value, reply, current);
  return isMeant ? correct(value) : undefined;
}

/** The value has the type of the other field, or is not an answer to this one. */
function isOfOther(
  {field, text = ''}: Correction,
  reply: FoldedReply,
  current: FormField | undefined,
): boolean {
  if (isPlainValue(field, fold(text), reply)) return true;
  return current !== undefined && !isProse(current) && !reads(current, reply.folded, reply);
}

/** The whole text is the value: not a story that happens to contain one. */
function isPlainValue(field: FormField, folded: Folded, context: ReplyToRead): boolean {
  if (isProse(field) || folded.raw.length > maxValueLength) return false;
  return field.choices ? isChoice(folded.text, field.choices) : reads(field, folded, context);
}

const maxValueLength = 60;

function reads(field: FormField, folded: Folded, context: ReplyToRead): boolean {
  return 'value' in readValue(field, folded, context);
}

/** `No, it's x`: corrects the current field if possible, otherwise the last one that was answered. */
function takenBack(reply: ReplyToRead, current: FormField | undefined): ReplyReading | undefined {
  const text = takenBackText(reply.text);
  if (text === undefined || !current || isYesNoQuestion(current)) return undefined;
  const last = reply.fields.find(({id}) => id === reply.done.at(-1));
  const said = fold(text);
  if (!isProse(current) && reads(current, said, reply)) {
    return {route: {kind: 'answer', text}, found: []};
  }
  return last && reads(last, said, reply) ? correct({field: last, text}) : undefined;
}

function isYesNoQuestion(field: FormField): boolean {
  const isAsked =
    /^(?:do|does|did|are|is|was|were|have|has|had|can|could|will|would|may|any)\b|(?:ます|です|した|せん)か[?？]?$/i;
  return typeOf(field).value === 'boolean' || (isProse(field) && isAsked.test(field.label.trim()));
}

function answered(reply: FoldedReply, current: FormField | undefined): ReplyReading {
  const {folded, fields, done} = reply;
  if (isOffTopic(reply, current)) return {route: unclear, found: []};
  const open = fields.filter(({id}) => id !== current?.id && !done.includes(id));
  const {found, rest} = foundIn(folded, open, current, reply);
  if (rest === '') return {route: unclear, found};
  const isWhole = rest === undefined || rest === folded.raw;
  return {route: isWhole ? answer : {kind: 'answer', text: rest}, found};
}

const question =
  /^(?:(?:hey|hi|hello|so|and|but|ok|okay|well|wait|sorry)[, ]+)*(?:what|what's|who|who's|when|where|where's|why|how|which|can|could|do|does|did|is|are|am|will|would|should|may)\b.{0,200}\?$/i;
const japaneseQuestion = /^.{0,100}(?:ですか|ますか|でしょうか|なの|ませんか)[?]?$/u;
/** A question that names a choice, but does not ask for it as `Can I have L?` does. */
const about =
  /^(?:(?:hey|hi|hello|so|and|but|ok|okay|well|wait|sorry)[, ]+)*(?:what|who|when|where|why|how|which|do|does|did|is|are|am|will|would|should)\b.*\?$|は.+(?:ですか|ますか|でしょうか)[?]?$/iu;
const asksForText =
  /question|ask|comment|message|feedback|anything|inquiry|request|note|topic|subject|title|質問|意見|コメント|メッセージ|問い?合わせ|備考|要望|件名|相談/i;

/** A question is not an answer, unless the field asks for one. */
function isOffTopic(reply: FoldedReply, current: FormField | undefined): boolean {
  const words = reply.folded.text.trim();
  if (!question.test(words) && !japaneseQuestion.test(words)) return false;
  if (!current) return true;
  if (!isProse(current)) {
    return (current.choices && about.test(words)) || !reads(current, reply.folded, reply);
  }
  return !asksForText.test(`${current.label} ${current.intent ?? ''} ${current.id}`);
}
