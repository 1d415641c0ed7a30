/** Rejects text whose delivery could have an unintended effect. The error quotes it and says how to send it. */

import type {AppError} from '../../machines/domain/app-error.ts';
import type {HumanDecision, HumanQuestion, HumanQuestionKind} from '../../machines/domain/human.ts';
import {listed, type Message, t, type Value} from '../../machines/message.ts';
import {isRevision} from '../gate/decide.ts';
import {protocolWord} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';
import {isSuspended} from './roots.ts';
import {type Focused, isConversation, type Talk} from './talk.ts';
import type {Asking, Waiting} from './waiting.ts';

const yes = /^(?:y|yes|ok|okay|はい|ええ|うん)[.!。！]?$/i;
const no = /^(?:n|no|いいえ|いや)[.!。！]?$/i;
const continueWords =
  /^(?:(?:y|yes|ok|okay|go on|continue|resume|start over|restart)[.!]?|(?:はい|続け\S*|再開\S*|最初から\S*|やり直\S*)[。！]?)$/i;

const maxShown = 2000;

/** Appends the text that a person typed. */
export function notSent(why: Message | string, text: string): Message {
  return t`${why}; not sent: “${oneLine(text, maxShown)}”`;
}

export function suspendedTexts(number: number): Message {
  return t`${number} is suspended: /resume ${number} continues it`;
}

/** Text whose typing began before the question was shown can't be an answer to it. */
export function askedMeanwhile(place: string, text: string | undefined): AppError {
  const message: Message = t`${place} asked while you were typing: read the question, and answer again`;
  return usageError(text === undefined ? message : notSent(message, text));
}

/** A question in a tab that was not shown since can't be answered. */
export function notShown(place: string): AppError {
  return usageError(t`${place} waits in another tab: read the question first (Esc, then gw)`);
}

/**
 * For text without a command that does not answer an interview. Throws AppError `usage` for a bare yes or no, for text to an
 * interaction that waits for a decision, and for a request to continue a suspended one.
 */
export function requireDeliverable(text: string, focused: Focused | undefined, talk: Talk): void {
  const waiting = talk.questions.gates();
  const atFocus = gateAt(focused, talk);
  const word = wordIn(text);
  const [first] = waiting;
  if (word && first) throw confirmation(word, atFocus ?? first, waiting.length > 1);
  if (atFocus) throw heldBack(text, atFocus, talk);
  if (focused) return;
  const suspended = talk.roots.all().findLast(isSuspended);
  if (suspended && continueWords.test(text)) {
    const {number} = suspended;
    throw usageError(suspendedTexts(number));
  }
  if (word) {
    throw usageError(t`nothing waits for a yes or no`);
  }
}

/** The gate of the focused interaction, when the text says what should be different. */
export function revisedBy(
  text: string,
  focused: Focused | undefined,
  talk: Talk,
): Waiting | undefined {
  const atFocus = gateAt(focused, talk);
  return atFocus && isRevision(text, atFocus.open.question.allowed) ? atFocus : undefined;
}

/** That of the focused interaction; in one run, whose gates are asked one by one, the asked one. */
function gateAt(focused: Focused | undefined, talk: Talk): Waiting | undefined {
  const gates = talk.questions.gates();
  return isConversation(talk)
    ? gates.find(({interaction}) => interaction === focused?.id)
    : gates[0];
}

/** For a reply to an interview. Throws AppError `usage` when the interview is paused and the text does not continue it. */
export function requireContinuing(text: string, {open, place}: Asking): void {
  if (open.state !== 'paused' || continueWords.test(text)) return;
  const message: Message = t`${place} is paused: to continue it, type "continue", or /answer ${place} TEXT; for a new task: /focus none, then send it again`;
  throw usageError(notSent(message, text));
}

function wordIn(text: string): 'yes' | 'no' | undefined {
  if (yes.test(text)) return 'yes';
  return no.test(text) ? 'no' : undefined;
}

const plan: Message = t`plan`;
const action: Message = t`action`;

const nouns: Readonly<Record<HumanQuestionKind, Message>> = {
  plan,
  confirmation: plan,
  action,
  protected: action,
  result: t`result`,
  debate: t`position`,
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
  const does = protocolWord(decision);
  const proposal: Message = isOneOfSeveral ? t`this ${noun} of ${place}` : t`this ${noun}`;
  return usageError(t`${does} ${proposal}? /${decision}${which}`);
}

function heldBack(text: string, {open: {question}, place}: Waiting, talk: Talk): AppError {
  const waits = waitsFor(place, commandsOf(question, ''));
  if (!isConversation(talk)) return usageError(notSent(waits, text));
  const ways = t`${waits}; for a new task: /focus none, then send it again`;
  return usageError(notSent(ways, text));
}

function waitsFor(place: string, commands: Value): Message {
  return t`${place} waits for ${commands}`;
}

function commandsOf({allowed}: HumanQuestion, which: string): Value {
  const commands = allowed.map((each) => `/${each}${which}`);
  const others = listed(commands.slice(0, -1), (before, next) => t`${before}, ${next}`);
  return listed(
    [others, ...commands.slice(-1)].filter(Boolean),
    (before, last) => t`${before} or ${last}{:list}`,
  );
}

function isAnswer({allowed}: HumanQuestion, decision: HumanDecision['decision']): boolean {
  return allowed.includes(decision);
}
