/** Puts together what a person sends: a line, lines that go on after a backslash, or a paste. */

import type {Line} from '../gate/line-input.ts';
import {createSurface, type SurfaceOptions} from './keyboard.ts';

export interface LineEditor {
  /** Writes whole lines above what is typed. */
  readonly print: (lines: readonly string[]) => void;
  /** What stands before the line, and, where lines can be redrawn, on a row above it. */
  readonly prompt: (prompt: string, status?: string) => void;
  /** Asks for one line by itself; one question at a time. Never rejects. */
  readonly ask: (prompt: string) => Promise<Line>;
  /** Leaves the terminal to another program while the work is done; what is printed meanwhile comes after it. */
  readonly aside: <T>(work: () => Promise<T>) => Promise<T>;
  readonly close: () => void;
}

export interface LineEvents {
  /** `begunAt`: by `performance.now()`, when its first character was typed. */
  readonly onMessage: (text: string, begunAt: number) => void;
  /** Ctrl-C where nothing was typed. */
  readonly onInterrupt: () => void;
  /** Ctrl-D, or the terminal is gone. */
  readonly onEnd: () => void;
}

/** So many lines that come faster than anybody types are a paste, on a terminal that does not mark them: one message. */
const leastPaste = 4;
const pasteGapMs = 30;
const continued = '… ';

export function createLineEditor(
  options: SurfaceOptions,
  {onMessage, onInterrupt, onEnd}: LineEvents,
): LineEditor {
  let main: {readonly prompt: string; readonly status?: string} = {prompt: ''};
  let asking: {readonly prompt: string; readonly answer: (line: Line) => void} | undefined;
  let held: string[] | undefined;
  let begunAt = 0;
  /** Lines that end in a backslash, without it. */
  let open: string[] = [];
  let batch: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  const refresh = (): void => {
    if (held) return;
    if (asking) surface.show(asking.prompt);
    else if (open.length > 0) surface.show(continued);
    else surface.show(main.prompt, main.status);
  };
  const forget = (): boolean => {
    const wasOpen = open.length > 0 || batch.length > 0;
    clearTimeout(timer);
    [open, batch] = [[], []];
    return wasOpen;
  };
  const answer = (line: Line): void => {
    const {answer: tell} = asking ?? {};
    asking = undefined;
    tell?.(line);
  };
  const send = (): void => {
    const sent = batch.length < leastPaste ? batch : [batch.join('\n')];
    batch = [];
    for (const text of sent) {
      const whole = [...open, text].join('\n');
      open = isContinued(whole) ? [whole.slice(0, -1)] : [];
      if (open.length === 0) onMessage(whole, begunAt);
    }
    refresh();
  };
  const surface = createSurface(options, {
    onBegin: () => {
      begunAt = performance.now();
    },
    onLine: (text) => {
      if (asking) {
        answer({kind: 'line', text});
        return refresh();
      }
      batch.push(text);
      clearTimeout(timer);
      timer = setTimeout(send, pasteGapMs);
    },
    onInterrupt: (wasTyped) => {
      const wasOpen = forget();
      if (asking) answer({kind: 'interrupt'});
      else if (!wasTyped && !wasOpen) onInterrupt();
      refresh();
    },
    onEnd: () => {
      if (batch.length > 0) send();
      answer({kind: 'end'});
      onEnd();
    },
  });
  return {
    print: (lines) => {
      if (lines.length === 0) return;
      if (held) held.push(...lines);
      else {
        surface.print(lines);
        refresh();
      }
    },
    prompt: (prompt, status) => {
      const isSame = main.prompt === prompt && main.status === status;
      main = {prompt, ...(status === undefined ? {} : {status})};
      if (!isSame) refresh();
    },
    ask: async (prompt) =>
      await new Promise<Line>((resolve) => {
        asking = {prompt, answer: resolve};
        refresh();
      }),
    aside: async (work) => {
      held = [];
      surface.letGo();
      try {
        return await work();
      } finally {
        surface.takeBack();
        const lines = held;
        held = undefined;
        if (lines.length > 0) surface.print(lines);
        refresh();
      }
    },
    close: () => {
      forget();
      surface.close();
    },
  };
}

/** An even number of backslashes is text. */
export function isContinued(text: string): boolean {
  return (/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 1;
}
