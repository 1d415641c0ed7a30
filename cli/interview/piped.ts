/** Replies to interviews from a pipe or a file, to the run itself or to interviews below it: one line is one message. */

import type {Run} from '../../actors/runtime-api.ts';
import type {OpenGates} from '../gate/open-gates.ts';
import {isGiven, startsSoon} from '../line/standard-input.ts';
import {styleFor} from '../render/style.ts';
import type {OpenScreen} from '../session.ts';
import {type Input, pageWidthOf, type Terminal} from '../terminal.ts';
import {messagesIn} from '../terminal/messages.ts';
import type {Progress} from '../terminal/progress.ts';
import type {Prompter} from '../terminal/prompter.ts';
import {createConversation, recheckMs} from './conversation.ts';

/** `language`: BCP 47, until the respondent has said theirs. */
export function pipedScreen(terminal: Terminal, language?: string): OpenScreen {
  return ({run, gates, openProgress, suspend}) => {
    const progress = openProgress();
    const known = language === undefined ? {} : {language};
    const options = {run, gates, progress, suspend, terminal, isExpected: true, ...known};
    return {progress, prompter: createPipedPrompter(options)};
  };
}

export interface PipedOptions {
  readonly run: Run;
  readonly gates: Pick<OpenGates, 'list'>;
  readonly progress: Pick<Progress, 'note'>;
  readonly suspend: (why: 'waiting') => void;
  readonly terminal: Terminal;
  /** Somebody writes into the pipe, however late; otherwise a silent pipe counts as an empty one. */
  readonly isExpected: boolean;
  /** BCP 47, until the respondent has said theirs. */
  readonly language?: string;
}

/**
 * Reads a line once nothing is at work and an interview asks. Suspends the run where only a person can continue it: at a gate,
 * at the end of the input, and at a line that can't be taken, as the lines after it were meant for another course.
 */
export function createPipedPrompter(options: PipedOptions): Prompter {
  const {run, gates, progress, suspend, terminal, isExpected, language} = options;
  const {stdin, stderr, env} = terminal;
  const lines = createLines(stdin, isExpected);
  const {hear, room} = createConversation({
    asked: () => run.asks()[0],
    interview: () => run.interview(run.asks()[0]?.interaction),
    reply: (replied) => run.send(replied),
    print: (printed) => printed.forEach(progress.note),
    style: styleFor(stderr, env),
    width: () => pageWidthOf(stderr),
    ...(language === undefined ? {} : {language}),
  });
  let isReading = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const leave = (): void => {
    isClosed = true;
    suspend('waiting');
  };
  const takeNext = async (): Promise<void> => {
    isReading = true;
    const line = await lines.next();
    isReading = false;
    if (isClosed) return;
    const heard = line === undefined ? 'left' : hear(line);
    if (heard === 'left' || heard === 'refused') leave();
    else refresh();
  };
  const refresh = (): void => {
    clearTimeout(timer);
    const isAsked = run.asks().length > 0;
    if (isReading || isClosed || (!isAsked && gates.list().length === 0)) return;
    if (run.atWork().length > 0) timer = setTimeout(refresh, recheckMs);
    else if (isAsked) void takeNext();
    else leave();
  };
  return {
    refresh,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      stdin.pause();
      const left = lines.leave().filter((line) => line.trim() !== '');
      if (left.length > 0) progress.note(room().words.unread(left.length));
    },
  };
}

interface Lines {
  /** Resolves with undefined at the end of the input. */
  readonly next: () => Promise<string | undefined>;
  /** Returns the lines that have come and were not taken; they are not returned again. */
  readonly leave: () => readonly string[];
}

/** The input is read from the first call of `next` on. */
function createLines(stdin: Input, isExpected: boolean): Lines {
  const come: string[] = [];
  let reading: Promise<void> | undefined;
  let more = Promise.withResolvers<void>();
  let isOver = false;
  const read = async (): Promise<void> => {
    if (isExpected || (isGiven(stdin) && stdin.readable && (await startsSoon(stdin)))) {
      for await (const line of messagesIn(stdin)) {
        come.push(line);
        more.resolve();
      }
    }
    isOver = true;
    more.resolve();
  };
  const next = async (): Promise<string | undefined> => {
    reading ??= read();
    if (come.length === 0 && !isOver) {
      more = Promise.withResolvers();
      await more.promise;
    }
    return come.shift();
  };
  return {next, leave: () => come.splice(0)};
}
