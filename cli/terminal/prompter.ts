/**
 * The event loop of a person at a terminal: keeps the chart synchronized with the open questions, and passes each line to the
 * dialogue, one after another.
 */

import {readFileSync} from 'node:fs';

import {type ActorRefFrom, createActor} from 'xstate';

import {
  type AskedEvent,
  type AskedInput,
  type AskedQuestion,
  askedMachine,
} from '../../machines/terminal/asked.ts';
import {openable} from '../../tools/containment/own-state.ts';
import type {Input} from '../terminal.ts';
import {discardTypeAhead} from './keyboard.ts';
import type {Completion, LineEvents} from './line-editor.ts';
import type {Surface} from './surface.ts';

export interface Dialogue {
  /** Synchronizes the chart with the open questions, and shows new ones. */
  readonly refresh: () => void;
  /** The text before the typed line. */
  readonly prompt: () => string;
  /** Resolves with true when the line leaves. Never rejects. */
  readonly receive: (text: string, line: EnteredLine) => Promise<boolean>;
  /** Completion of the line by Tab. */
  readonly complete: (line: string) => Completion;
  /** Called at the first Ctrl-C of a conversation. */
  readonly onWarned?: () => void;
  /** Called once, when the person leaves or interrupts. */
  readonly onLeft: (why: 'waiting' | 'interrupted') => void;
}

export interface EnteredLine {
  /** By `performance.now()`: when its first character was typed. */
  readonly begunAt: number;
  /** It was entered while the line before it was performed. */
  readonly isEarly: boolean;
}

export interface PrompterOptions {
  readonly asked: AskedRef;
  readonly surface: Surface;
  readonly input: Input;
  /** Messages sent before, the newest first. */
  readonly history?: readonly string[];
  /** Another program of the pipeline may read the keyboard: it is opened only for questions. */
  readonly isBorrowed?: boolean;
}

export interface Prompter {
  /** Synchronizes the chart with the open questions, and draws the prompt. Call it after every event. */
  readonly refresh: () => void;
  /** Withdraws the open question; resolves once the keyboard is free. */
  readonly close: () => Promise<void>;
}

export function createPrompter(
  dialogue: Dialogue,
  {asked, surface, input, history = [], isBorrowed = false}: PrompterOptions,
): Prompter {
  const isOneByOne = asked.getSnapshot().context.turns === 'one-by-one';
  let isClosed = false;
  let isRefreshing = false;
  const isObeying = (): boolean => asked.getSnapshot().value === 'obeying';
  const draw = (): void => {
    if (isClosed || isRefreshing) return;
    surface.prompt(isOneByOne && isObeying() ? '' : dialogue.prompt());
  };
  const refresh = (): void => {
    if (isClosed) return;
    // A question is shown before its prompt.
    isRefreshing = true;
    dialogue.refresh();
    isRefreshing = false;
    draw();
  };
  const {add: obey} = createQueue(async (text: string, line: EnteredLine) => {
    if (!isClosed && (await dialogue.receive(text, line))) {
      sendAsked(asked, {type: 'person.left'});
    }
    // Before the prompt is drawn again: an answered question does not ask for another line.
    refresh();
    sendAsked(asked, {type: 'line.obeyed'});
  });
  const listener: LineEvents = {
    onMessage: (text, begunAt) => {
      const line = {begunAt, isEarly: isObeying()};
      sendAsked(asked, {type: 'line.entered'});
      obey(text, line);
    },
    onInterrupt: () => sendAsked(asked, {type: 'person.interrupted'}),
    onEnd: () => sendAsked(asked, {type: 'terminal.closed'}),
  };
  const keyboard = keepKeyboard({asked, surface, input, isBorrowed}, async (isInterrupted) => {
    await surface.openKeyboard(input, listener, {history, complete: dialogue.complete});
    if (isInterrupted) listener.onInterrupt();
  });
  const onChange = (): void => {
    keyboard.refresh();
    draw();
  };
  const watching = watch(asked, dialogue, {onChange, onDone: surface.closeKeyboard});
  keyboard.refresh();
  return {
    refresh,
    close: async () => {
      isClosed = true;
      watching.unsubscribe();
      await keyboard.close();
    },
  };
}

interface KeptKeyboard {
  /** Opens or closes it as it is wanted. */
  readonly refresh: () => void;
  /** Resolves once it is closed. */
  readonly close: () => Promise<void>;
}

/** `open` is called with true when Ctrl-C was typed before. */
function keepKeyboard(
  {asked, surface, input, isBorrowed}: Omit<PrompterOptions, 'history'>,
  open: (isInterrupted: boolean) => Promise<void>,
): KeptKeyboard {
  const isOneByOne = asked.getSnapshot().context.turns === 'one-by-one';
  let isHeld = false;
  let stopWaiting: (() => void) | undefined;
  const changes = createQueue(async (change: () => Promise<void>) => await change());
  const begin = async (): Promise<void> => {
    // Text that was typed before a run opens the keyboard can't be an answer.
    const isInterrupted = isHeld && isOneByOne && (await discardTypeAhead(input));
    if (isHeld) await open(isInterrupted);
  };
  const end = async (): Promise<void> => await Promise.resolve(surface.closeKeyboard());
  const hold = (isWanted: boolean): void => {
    if (isWanted === isHeld) return;
    isHeld = isWanted;
    stopWaiting?.();
    if (isWanted) stopWaiting = whenForeground(input, () => changes.add(begin));
    else changes.add(end);
  };
  return {
    refresh: () => hold(isBorrowed !== true || asked.getSnapshot().context.current !== undefined),
    close: async () => {
      hold(false);
      await changes.done();
    },
  };
}

/** Reports the person's interrupts, and that they leave. */
function watch(
  asked: AskedRef,
  {onWarned, onLeft}: Dialogue,
  {onChange, onDone}: {readonly onChange: () => void; readonly onDone: () => void},
): {readonly unsubscribe: () => void} {
  let wasWarned = false;
  const look = ({status, value, output}: ReturnType<AskedRef['getSnapshot']>): void => {
    if (status === 'done') {
      // Otherwise the next Ctrl-C is a signal, which ends a process that does not leave.
      onDone();
      return onLeft(output?.why ?? 'waiting');
    }
    const isWarned = value === 'warned';
    if (isWarned && !wasWarned) onWarned?.();
    wasWarned = isWarned;
    onChange();
  };
  return asked.subscribe(look);
}

/** Runs calls one after another. */
export function createQueue<Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<void>,
) {
  let last = Promise.resolve();
  const next = async (before: Promise<void>, args: Args): Promise<void> => {
    await before;
    await work(...args);
  };
  return {
    add: (...args: Args): void => {
      last = next(last, args);
    },
    done: async (): Promise<void> => await last,
  };
}

// Keeps the chart of the asked person synchronized with the open questions.

export type AskedRef = ActorRefFrom<typeof askedMachine>;

export function createAsked(turns: AskedInput['turns']): AskedRef {
  return createActor(askedMachine, {input: {turns}}).start();
}

/** Reports settled and new questions to the chart, and shows the new ones. */
export function syncQuestions<Question extends AskedQuestion>(
  asked: AskedRef,
  open: readonly Question[],
  put: (question: Question) => void = () => {},
): void {
  const known = asked.getSnapshot().context.questions;
  for (const {key} of known) {
    if (!open.some((each) => each.key === key)) sendAsked(asked, {type: 'question.settled', key});
  }
  for (const question of open) {
    if (known.some(({key}) => key === question.key)) continue;
    sendAsked(asked, {type: 'question.asked', question, at: performance.now()});
    put(question);
  }
}

/** A chart that has ended receives nothing. */
export function sendAsked(asked: AskedRef, event: AskedEvent): void {
  if (asked.getSnapshot().status === 'active') asked.send(event);
}

// Job control: a program that the shell runs in the background is stopped by the system for reading the keyboard.

const lookMs = 500;

/** Calls back once the program may read this input: at once, unless it is in the background. Returns a function that stops waiting. */
export function whenForeground(input: Input, open: () => void): () => void {
  if (isForeground(input)) {
    open();
    return () => {};
  }
  const timer = setInterval(() => {
    if (!isForeground(input)) return;
    clearInterval(timer);
    open();
  }, lookMs).unref();
  return () => clearInterval(timer);
}

/** Known on Linux only: process group and foreground group are fields 5 and 8 of `proc_pid_stat(5)`. */
function isForeground(input: Input): boolean {
  if (input !== process.stdin) return true;
  try {
    const stat = readFileSync(openable('/proc/self/stat'), 'utf8');
    const [, , group, , terminal, foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return terminal === '0' || foreground === '-1' || group === foreground;
  } catch {
    return true;
  }
}
