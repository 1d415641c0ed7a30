/** A conversation whose lines come from a pipe or a file: one after another, each when the one before it has come to its end. */

import {createInterface} from 'node:readline';

import {AppError} from '../../machines/domain/app-error.ts';
import {styleFor} from '../lines/style.ts';
import {heightOf, tryToWrite, widthOf, write, type Terminal} from '../terminal.ts';
import type {Chat, Ui} from './chat.ts';
import {isContinued} from './line-editor.ts';
import {obey} from './obey.ts';
import {parseLine} from './parse.ts';

export function createPipedUi({stdout, stderr, env}: Terminal): Ui {
  return {
    style: styleFor(stderr, env),
    isAttended: false,
    size: () => ({width: widthOf(stderr), height: heightOf(stderr)}),
    print: (lines) => void tryToWrite(stderr, lines.map((line) => `${line}\n`).join('')),
    tell: (lines) => void write(stdout, lines.map((line) => `${line}\n`).join('')),
    ask: async () => ({kind: 'end'}),
    aside: async (work) => await work(),
  };
}

/**
 * Resolves at the end of the input, or when nothing but a person can bring on what works. Rejects with AppError at the first
 * line that can't be done: what follows was meant for another course of things.
 */
export async function converseFrom({stdin}: Terminal, chat: Chat): Promise<void> {
  const lines = createInterface({input: stdin, terminal: false});
  let open = '';
  for await (const line of lines) {
    const text = open + line;
    if (isContinued(text)) {
      open = `${text.slice(0, -1)}\n`;
      continue;
    }
    open = '';
    if (await obeyLine(text, chat)) return;
    if (await isLeftToPerson(chat)) return;
  }
  if (open.trim() !== '') {
    await obeyLine(open, chat);
    await isLeftToPerson(chat);
  }
}

/** Resolves with true when the line says to leave. */
async function obeyLine(text: string, chat: Chat): Promise<boolean> {
  const reading = parseLine(text);
  if (!reading.ok) throw new AppError('usage', reading.problem);
  for (const command of reading.commands) {
    if (command.kind === 'quit') return true;
    await obey(command, chat, performance.now());
    if (command.kind !== 'set' && (await isLeftToPerson(chat))) return true;
  }
  return false;
}

/** An effect may end without a word, so what is at work is looked at again this often. */
const recheckMs = 100;

/** Waits until nothing works any more; with true when something does that only a person can bring on. */
async function isLeftToPerson({roots, gates}: Chat): Promise<boolean> {
  for (;;) {
    const working = roots.working();
    if (working.length === 0) return false;
    const isStuck = working.every(({run}) => run.atWork().length === 0);
    if (isStuck && gates.waiting().length > 0) return true;
    // oxlint-disable-next-line no-await-in-loop
    await Promise.race([
      ...working.map(({run}) => run.result),
      new Promise((resolve) => setTimeout(resolve, recheckMs)),
    ]);
  }
}
