/** Rejects text whose delivery could have an unintended effect. The error quotes it and says how to send it. */

import type {AppError} from '../../../machines/domain/app-error.ts';
import type {
  HumanDecision,
  HumanQuestion,
  HumanQuestionKind,
} from '../../../machines/domain/human.ts';
import type {Texts} from '../../language.ts';
import {usageError} from '../../line/usage-error.ts';
import {oneLine} from '../../render/text.ts';
import type {Chat, Focused} from '../chat.ts';
import {isSuspended} from '../roots.ts';
import type {Asking, Waiting} from './waiting.ts';

const yes = /^(?:y|yes|ok|okay|はい|ええ|うん)[.!。！]?$/i;
const no = /^(?:n|no|いいえ|いや)[.!。！]?$/i;
const continueWords =
  /^(?:(?:y|yes|ok|okay|go on|continue|resume|start over|restart)[.!]?|(?:はい|続け\S*|再開\S*|最初から\S*|やり直\S*)[。！]?)$/i;

const maxShown = 2000;

/** Appends the text that a person typed. */
export function notSent({en, ja}: Texts, text: string): Texts {
  const shown = oneLine(text, maxShown);
  return {en: `${en}; not sent: “${shown}”`, ja: `${ja}。送らなかった文: 「${shown}」`};
}

export function suspendedTexts(number: number): Texts {
  return {
    en: `${number} is suspended: /resume ${number} continues it`,
    ja: `${number} は中断しています。/resume ${number} で続きます`,
  };
}

/** Text whose typing began before the question was shown can't be an answer to it. */
export function askedMeanwhile(place: string, text: string | undefined): AppError {
  const message: Texts = {
    en: `${place} asked while you were typing: read the question, and answer again`,
    ja: `入力の間に ${place} が質問しました。質問を読んで、もう一度答えてください`,
  };
  return usageError(text === undefined ? message : notSent(message, text));
}

/**
 * For text without a command that does not answer an interview. Throws AppError `usage` for a bare yes or no, for text to an
 * interaction that waits for a decision, and for a request to continue a suspended one.
 */
export function requireDeliverable(text: string, focused: Focused | undefined, chat: Chat): void {
  const waiting = chat.questions.gates();
  const atFocus = waiting.find(({open}) => open.interaction === focused?.id);
  const word = wordIn(text);
  const [first] = waiting;
  if (word && first) throw confirmation(word, atFocus ?? first, waiting.length > 1);
  if (atFocus) throw heldBack(text, atFocus);
  if (focused) return;
  const suspended = chat.roots.all().findLast(isSuspended);
  if (suspended && continueWords.test(text)) {
    const {number} = suspended;
    throw usageError(suspendedTexts(number));
  }
  if (word) {
    throw usageError({
      en: 'nothing waits for a yes or no',
      ja: '「はい」か「いいえ」を待つものはありません',
    });
  }
}

/** For a reply to an interview. Throws AppError `usage` when the interview is paused and the text does not continue it. */
export function requireContinuing(text: string, {open, place}: Asking): void {
  if (open.state !== 'paused' || continueWords.test(text)) return;
  const message: Texts = {
    en: `${place} is paused: to continue it, type "continue", or /answer ${place} TEXT; for a new task: /focus none, then send it again`,
    ja: `${place} は休憩中です。続けるには「続ける」か /answer ${place} TEXT、新しいタスクなら /focus none の後にもう一度送ってください`,
  };
  throw usageError(notSent(message, text));
}

function wordIn(text: string): 'yes' | 'no' | undefined {
  if (yes.test(text)) return 'yes';
  return no.test(text) ? 'no' : undefined;
}

const plan: Texts = {en: 'plan', ja: '計画'};
const action: Texts = {en: 'action', ja: '操作'};

const nouns: Readonly<Record<HumanQuestionKind, Texts>> = {
  plan,
  confirmation: plan,
  action,
  protected: action,
  result: {en: 'result', ja: '結果'},
  debate: {en: 'position', ja: '立場'},
  'in-doubt': action,
};

/** A decision is a command: the error names the command for the word. */
function confirmation(
  word: 'yes' | 'no',
  {open: {question}, place}: Waiting,
  isOneOfSeveral: boolean,
): AppError {
  const decision = word === 'yes' ? 'approve' : 'reject';
  const which = isOneOfSeveral ? ` ${place}` : '';
  if (!isAnswer(question, decision)) {
    return usageError(waitsFor(place, commandsOf(question, which)));
  }
  const noun = nouns[question.kind];
  const does: Texts = {en: decision, ja: word === 'yes' ? '承認' : '却下'};
  const proposal: Texts = isOneOfSeveral
    ? {en: `this ${noun.en} of ${place}`, ja: `${place} の${noun.ja}`}
    : {en: `this ${noun.en}`, ja: `この${noun.ja}`};
  return usageError({
    en: `${does.en} ${proposal.en}? /${decision}${which}`,
    ja: `${proposal.ja}を${does.ja}しますか？ /${decision}${which}`,
  });
}

function heldBack(text: string, {open: {question}, place}: Waiting): AppError {
  const {en, ja} = waitsFor(place, commandsOf(question, ''));
  const ways: Texts = {
    en: `${en}; for a new task: /focus none, then send it again`,
    ja: `${ja}。新しいタスクなら /focus none の後にもう一度送ってください`,
  };
  return usageError(notSent(ways, text));
}

function waitsFor(place: string, commands: Texts): Texts {
  return {en: `${place} waits for ${commands.en}`, ja: `${place} は ${commands.ja} を待っています`};
}

function commandsOf({allowed}: HumanQuestion, which: string): Texts {
  const commands = allowed.map((each) => `/${each}${which}`);
  return {en: commands.join(', ').replace(/, ([^,]*)$/, ' or $1'), ja: commands.join('、')};
}

function isAnswer({allowed}: HumanQuestion, decision: HumanDecision['decision']): boolean {
  return allowed.includes(decision);
}
