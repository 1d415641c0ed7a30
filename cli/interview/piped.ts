/** Replies from a pipe or a file to interviews, at the root or below it: one line is one message. */

import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {isGiven, startsSoon} from '../line/standard-input.ts';
import {laidOut, type Lines, styleFor} from '../render/style.ts';
import type {OpenScreen} from '../session.ts';
import {obeyLine} from '../talk/obey.ts';
import {type OneRun, talkOn} from '../talk/one-run.ts';
import {createPipedUi} from '../talk/piped.ts';
import {type Input, pageWidthOf, type Terminal} from '../terminal.ts';
import {messagesIn} from '../terminal/keyboard.ts';
import type {Progress} from '../terminal/progress.ts';
import type {Prompter} from '../terminal/prompter.ts';
import {respondentStyle} from './at-interview.ts';
import {recapText} from './screen.ts';

interface PipedStart extends Pick<PipedOptions, 'language'> {
  /** The interview was begun earlier: its progress is shown first. */
  readonly isResumed?: boolean;
}

export function pipedScreen(
  terminal: Terminal,
  {isResumed = false, ...known}: PipedStart = {},
): OpenScreen {
  return ({one, openProgress, suspend}) => {
    const progress = openProgress();
    const view = isResumed ? one.run.interview() : undefined;
    if (view) recapText(view).split('\n').forEach(progress.note);
    const options = {progress, suspend, terminal, isExpected: true, ...known};
    return {progress, prompter: createPipedPrompter(one, options)};
  };
}

export interface PipedOptions {
  readonly progress: Pick<Progress, 'note'>;
  readonly suspend: (why: 'waiting') => void;
  readonly terminal: Terminal;
  /** Input is certain to come, however late; otherwise a silent pipe counts as an empty one. */
  readonly isExpected: boolean;
  /** BCP 47, until the respondent's language is known. */
  readonly language?: string;
}

/**
 * Reads a line once nothing runs and an interview asks. Suspends the run when only a person can continue it: at a gate, at the
 * end of the input, and at a refused line, as the lines after it assumed another course.
 */
export function createPipedPrompter(one: OneRun, options: PipedOptions): Prompter {
  const {progress, suspend, terminal, isExpected, language} = options;
  const {run} = one;
  const {stdin, stderr} = terminal;
  const lines = createLines(stdin, isExpected);
  const ui = {
    ...createPipedUi(terminal),
    style: respondentStyle(run, language, styleFor(stderr, terminal)),
    print: (printed: Lines) => laidOut(printed, pageWidthOf(stderr)).forEach(progress.note),
  };
  const talk = talkOn(one, ui, () => {});
  let isReading = false;
  let isClosed = false;
  let isWatched = false;
  const leave = (): void => {
    isClosed = true;
    suspend('waiting');
  };
  const takeNext = async (): Promise<void> => {
    isReading = true;
    const line = await lines.next();
    isReading = false;
    if (isClosed) return;
    talk.questions.refresh();
    const outcome = line === undefined ? 'left' : await obeyLine(line, talk, performance.now());
    if (isClosed) return;
    if (outcome === 'done') refresh();
    else leave();
  };
  const watch = async (): Promise<void> => {
    isWatched = true;
    const state = await run.quiet();
    isWatched = false;
    if (state === 'ended' || isReading || isClosed) return;
    talk.questions.refresh();
    // A reply or a decision may have been sent since.
    if (run.atWork().length > 0) refresh();
    else if (talk.questions.answering()) void takeNext();
    // A message that is not shown yet is followed by another call.
    else if (run.asks().length === 0) leave();
  };
  const refresh = (): void => {
    if (!isReading && !isClosed && !isWatched) void watch();
  };
  return {
    refresh,
    close: async () => {
      isClosed = true;
      stdin.pause();
      const left = lines.leave().filter((line) => line.trim() !== '');
      if (left.length > 0)
        progress.note(say(t`not read: ${left.length} {line|lines} of standard input`, ui.style));
    },
  };
}

interface InputLines {
  /** Resolves with undefined at the end of the input. */
  readonly next: () => Promise<string | undefined>;
  /** Returns the lines that have arrived and were not consumed; they are not returned again. */
  readonly leave: () => readonly string[];
}

/** Reads the input from the first call of `next` on. */
function createLines(stdin: Input, isExpected: boolean): InputLines {
  const arrived: string[] = [];
  let reading: Promise<void> | undefined;
  let more = Promise.withResolvers<void>();
  let isOver = false;
  const read = async (): Promise<void> => {
    if (isExpected || (isGiven(stdin) && stdin.readable && (await startsSoon(stdin)))) {
      for await (const line of messagesIn(stdin)) {
        arrived.push(line);
        more.resolve();
      }
    }
    isOver = true;
    more.resolve();
  };
  const next = async (): Promise<string | undefined> => {
    reading ??= read();
    if (arrived.length === 0 && !isOver) {
      more = Promise.withResolvers();
      await more.promise;
    }
    return arrived.shift();
  };
  return {next, leave: () => arrived.splice(0)};
}
