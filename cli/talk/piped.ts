/** A conversation whose lines come from a pipe or a file: each line is performed when the one before it has ended. */

import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import {say, type Reader} from '../language.ts';
import {laidOut, type Lines, styleFor} from '../render/style.ts';
import {heightOf, pageWidthOf, tryToWrite, widthOf, write, type Terminal} from '../terminal.ts';
import {type LineCount, messagesIn} from '../terminal/keyboard.ts';
import type {ChatCommand} from './command.ts';
import {formOf} from './interactions.ts';
import {obeyAll} from './obey.ts';
import {parseLine} from './parse.ts';
import type {Chat, Ui} from './talk.ts';

export function createPipedUi({stdout, stderr, env, language}: Terminal): Ui {
  return {
    style: styleFor(stderr, {env, language}),
    isAttended: false,
    isOneScreen: false,
    size: () => ({width: widthOf(stderr), height: heightOf(stderr)}),
    print: (lines) => void tryToWrite(stderr, textOf(lines, widthOf(stderr))),
    write: () => {},
    report: (lines) => void write(stdout, textOf(lines, pageWidthOf(stdout))),
    ask: async () => ({kind: 'end'}),
    aside: async (work) => await work(),
  };
}

function textOf(lines: Lines, width: number): string {
  return laidOut(lines, width)
    .map((line) => `${line}\n`)
    .join('');
}

/**
 * Resolves at the end of the input, or when an interaction waits for a person's decision, with a text about the unread
 * lines. Rejects with AppError, whose last detail is this text, at the first line that fails.
 */
export async function converseFrom({stdin}: Terminal, chat: Chat): Promise<string | undefined> {
  const count = {arrived: 0, taken: 0};
  const messages = messagesIn(stdin, count);
  const obeyNext = async (): Promise<boolean> => {
    const next = await messages.next();
    if (next.done === true) return false;
    return (await obeyLine(next.value, chat)) || (await obeyNext());
  };
  try {
    return (await obeyNext()) ? unreadText(count, chat.ui.style) : undefined;
  } catch (error) {
    const unread = unreadText(count, chat.ui.style);
    if (!(error instanceof AppError) || unread === undefined) throw error;
    const {code, wording, cause} = error;
    throw new AppError(code, wording, {cause, details: [...error.details, unread]});
  }
}

/** Undefined when all lines were read. */
function unreadText({arrived, taken}: LineCount, reader: Reader): string | undefined {
  const unread = arrived - taken;
  return unread === 0 ? undefined : say(t`not read: ${unread} {line|lines} after it`, reader);
}

/** Resolves with true when the line is `/quit`. */
async function obeyLine(text: string, chat: Chat): Promise<boolean> {
  await untilAsked(chat);
  const reading = parseLine(text, chat.questions.answering() !== undefined);
  if (!reading.ok) throw new AppError('usage', reading.problem);
  const [command, ...rest] = reading.commands;
  return command !== undefined && (await obeyInTurn(command, rest, chat));
}

async function obeyInTurn(
  command: ChatCommand,
  [next, ...rest]: readonly ChatCommand[],
  chat: Chat,
): Promise<boolean> {
  const isOver = await obeyAll([command], chat, performance.now());
  if (isOver || (await isLeftToPerson(chat))) return true;
  return next !== undefined && (await obeyInTurn(next, rest, chat));
}

/** With an interview in focus, the next line is an answer: waits until the interview asks or has ended. */
async function untilAsked(chat: Chat): Promise<void> {
  chat.questions.refresh();
  const focused = chat.focus.get();
  if (chat.questions.answering() || !focused || formOf(focused) !== 'interview') return;
  await focused.root.run.quiet();
  await turn();
  chat.questions.refresh();
}

/**
 * Waits until nothing runs any more, or the next line may answer an open question; resolves with true when an interaction
 * needs a person's decision to continue.
 */
async function isLeftToPerson(chat: Chat): Promise<boolean> {
  const {roots, questions} = chat;
  const working = roots.working();
  await Promise.all(working.map(async ({run}) => await run.quiet()));
  // What has ended is handled in a later turn of the loop.
  await turn();
  questions.refresh();
  const left = roots.working();
  if (left.length === 0) return false;
  const isStuck = left.every(({run}) => run.atWork().length === 0);
  if (isStuck && questions.gates().length > 0) return true;
  if (isStuck && questions.interviews().length > 0) return false;
  return await isLeftToPerson(chat);
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
