/** The line editor: messages of a person at a terminal, answers to single questions, and lines printed above. */

import type {Keyboard, KeyboardEvents} from './keyboard.ts';

/** The candidates for the last word of a line, and the word. */
export type Completion = readonly [found: readonly string[], part: string];

/** The outcome of a question for one line. */
export type Line =
  | {readonly kind: 'line'; readonly text: string}
  /** Ctrl-D, or the input has ended. */
  | {readonly kind: 'end'}
  /** Ctrl-C. */
  | {readonly kind: 'interrupt'}
  /** The question was settled elsewhere. */
  | {readonly kind: 'withdrawn'};

export interface LineEditor {
  /** Writes whole lines above the typed text. */
  readonly print: (lines: readonly string[]) => void;
  /** The text before the line, and, on terminals that can be redrawn, a row above it. */
  readonly prompt: (prompt: string, status?: string) => void;
  /** Asks for one line; one question at a time. Never rejects. */
  readonly ask: (prompt: string) => Promise<Line>;
  /** Leaves the terminal to another program while `work` runs; lines printed meanwhile appear after it. */
  readonly aside: <T>(work: () => Promise<T>) => Promise<T>;
  readonly close: () => void;
}

export interface LineEvents {
  /** `begunAt`: by `performance.now()`, when its first character was typed. */
  readonly onMessage: (text: string, begunAt: number) => void;
  /** Ctrl-C on an empty line. */
  readonly onInterrupt: () => void;
  /** Ctrl-D, or the terminal was closed. */
  readonly onEnd: () => void;
}

/** `open`: the keyboard of the terminal. */
export function createLineEditor(
  open: (events: KeyboardEvents) => Keyboard,
  events: LineEvents,
): LineEditor {
  let main: {readonly prompt: string; readonly status?: string} = {prompt: ''};
  const single = createSingleQuestion();
  const refresh = (): void => {
    if (screen.isAway()) return;
    const asked = single.prompt();
    if (asked !== undefined) keyboard.show(asked);
    else keyboard.show(main.prompt, main.status);
  };
  const keyboard = open({
    onLine: (text, begunAt) => {
      if (single.prompt() === undefined) events.onMessage(text, begunAt);
      else single.receive(text, begunAt);
      refresh();
    },
    onInterrupt: (wasTyped) => {
      const wasAsked = single.end('interrupt');
      if (!wasAsked && !wasTyped) events.onInterrupt();
      refresh();
    },
    onEnd: () => {
      single.end('end');
      events.onEnd();
    },
  });
  const screen = createSharedScreen(keyboard, refresh);
  return {
    print: screen.print,
    aside: screen.aside,
    prompt: (prompt, status) => {
      const isSame = main.prompt === prompt && main.status === status;
      main = {prompt, ...(status === undefined ? {} : {status})};
      if (!isSame) refresh();
    },
    ask: async (prompt) => {
      const line = single.ask(prompt);
      refresh();
      return await line;
    },
    close: () => {
      single.end('withdrawn');
      keyboard.close();
    },
  };
}

interface SharedScreen extends Pick<LineEditor, 'print' | 'aside'> {
  /** Another program has the terminal: lines wait, and nothing is drawn. */
  readonly isAway: () => boolean;
}

function createSharedScreen(keyboard: Keyboard, refresh: () => void): SharedScreen {
  let held: string[] | undefined;
  const print = (lines: readonly string[]): void => {
    if (held) held.push(...lines);
    else if (lines.length > 0) {
      keyboard.print(lines);
      refresh();
    }
  };
  const takeBack = (): void => {
    const lines = held ?? [];
    held = undefined;
    keyboard.takeBack();
    print(lines);
    refresh();
  };
  return {
    print,
    isAway: () => held !== undefined,
    aside: async (work) => {
      held = [];
      keyboard.letGo();
      return await work().finally(takeBack);
    },
  };
}

interface SingleQuestion {
  /** Undefined without a question. */
  readonly prompt: () => string | undefined;
  readonly ask: (prompt: string) => Promise<Line>;
  /** A line whose typing began before the question was shown does not answer it. */
  readonly receive: (text: string, begunAt: number) => void;
  /** Returns false when there was no question. */
  readonly end: (kind: Exclude<Line['kind'], 'line'>) => boolean;
}

function createSingleQuestion(): SingleQuestion {
  let asked: {readonly prompt: string; readonly at: number} | undefined;
  let settle: ((line: Line) => void) | undefined;
  return {
    prompt: () => asked?.prompt,
    ask: async (prompt) => {
      asked = {prompt, at: performance.now()};
      const {promise, resolve} = Promise.withResolvers<Line>();
      settle = resolve;
      return await promise;
    },
    receive: (text, begunAt) => {
      if (asked === undefined || begunAt < asked.at) return;
      asked = undefined;
      settle?.({kind: 'line', text});
    },
    end: (kind) => {
      const wasAsked = asked !== undefined;
      asked = undefined;
      settle?.({kind});
      return wasAsked;
    },
  };
}
