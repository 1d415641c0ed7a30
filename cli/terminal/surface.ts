/**
 * Owns the screen: printed lines above; below them a status line, or, while the keyboard is open, the status and the prompt at
 * which a person types.
 */

import type {Message} from '../../machines/message.ts';
import {say} from '../language.ts';
import {type Paint, type ScreenSize, type Style, styleFor} from '../render/style.ts';
import {widthOfText} from '../render/text.ts';
import {type Input, type Output, type Terminal, canRedraw, heightOf, widthOf} from '../terminal.ts';
import {type KeyboardOptions, createPlainKeyboard, discardTypeAhead} from './keyboard.ts';
import {type Line, type LineEditor, type LineEvents, createLineEditor} from './line-editor.ts';

export interface Surface {
  readonly style: Style;
  readonly size: () => ScreenSize;
  /** Rows can be redrawn. */
  readonly canRedraw: boolean;
  /** Writes whole lines above the status and the prompt. */
  readonly print: (lines: readonly string[]) => void;
  /** Writes text that may end within a row; while a person types, an unfinished row waits. */
  readonly write: (text: string) => void;
  /** Redraws the status at an interval: one plain row. Undefined: the drawn row stays. */
  readonly follow: (status: () => string | undefined, everyMs: number) => void;
  /** Draws the status now. */
  readonly draw: () => void;
  /** The text before the typed line. */
  readonly prompt: (prompt: string) => void;
  /** Resolves once the keyboard is open; at once where rows can't be redrawn, or when it was closed meanwhile. */
  readonly openKeyboard: (
    input: Input,
    events: LineEvents,
    options?: EditorOptions,
  ) => Promise<void>;
  readonly closeKeyboard: () => void;
  /** Asks for one line at the open keyboard; one question at a time. Never rejects. */
  readonly ask: (prompt: string) => Promise<Line>;
  /** Leaves the terminal to another program while `work` runs. */
  readonly aside: <T>(work: () => Promise<T>) => Promise<T>;
  /** Removes status and prompt. Later output still appears. */
  readonly close: () => void;
}

export type EditorOptions = Pick<KeyboardOptions, 'history' | 'complete'>;

const eraseLine = '\r\u001b[K';
const lineUp = '\u001b[A';
const eraseBelow = '\u001b[J';

export function createSurface({
  stderr: output,
  env,
  language,
}: Pick<Terminal, 'stderr' | 'env' | 'language'>): Surface {
  const style = styleFor(output, {env, language});
  const isRedrawn = canRedraw(output, env);
  const row = createStatusRow(output, style.dim);
  const editing = createEditing({output, env, style}, isRedrawn);
  let prompt = '';
  let status: (() => string | undefined) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const text = isRedrawn ? status?.() : undefined;
    const editor = editing.editor();
    if (editor) editor.prompt(prompt, text === undefined ? undefined : style.dim(text));
    else if (text !== undefined) row.draw(text);
  };
  const closeKeyboard = (): void => {
    editing.close();
    prompt = '';
  };
  const {ask, aside} = editing;
  return {
    ask,
    aside,
    style,
    size: () => ({width: widthOf(output), height: heightOf(output)}),
    canRedraw: isRedrawn,
    print: (lines) => {
      const editor = editing.editor();
      if (editor || lines.length === 0) return editor?.print(lines);
      row.write(`${lines.join('\n')}\n`);
      draw();
    },
    write: (text) => (editing.editor() ? editing.write(text) : row.write(text)),
    follow: (next, everyMs) => {
      status = next;
      clearInterval(timer);
      if (isRedrawn) timer = setInterval(draw, everyMs).unref();
    },
    draw,
    prompt: (next) => {
      prompt = next;
      draw();
    },
    openKeyboard: async (input, events, options) => {
      await editing.open(input, events, options, row.erase);
      draw();
    },
    closeKeyboard,
    close: () => {
      status = undefined;
      clearInterval(timer);
      closeKeyboard();
      row.erase();
    },
  };
}

interface Editing extends Pick<Surface, 'ask' | 'aside' | 'write'> {
  /** While the keyboard is open. */
  readonly editor: () => LineEditor | undefined;
  /** `onOpen` is called before the keyboard draws. */
  readonly open: (
    input: Input,
    events: LineEvents,
    options: EditorOptions | undefined,
    onOpen: () => void,
  ) => Promise<void>;
  readonly close: () => void;
}

function createEditing(
  screen: Pick<KeyboardOptions, 'output' | 'env' | 'style'>,
  isRedrawn: boolean,
): Editing {
  let editor: LineEditor | undefined;
  let part = '';
  let opened = 0;
  return {
    editor: () => editor,
    write: (text) => {
      const rows = (part + text).split('\n');
      part = rows.pop() ?? '';
      editor?.print(rows);
    },
    open: async (input, events, options, onOpen) => {
      opened += 1;
      const own = opened;
      const create = isRedrawn ? await loadKeyboard() : createPlainKeyboard;
      if (own !== opened) return;
      onOpen();
      editor = createLineEditor((keys) => create({input, ...screen, ...options}, keys), events);
    },
    close: () => {
      opened += 1;
      editor?.close();
      editor = undefined;
    },
    ask: async (question) => (await editor?.ask(question)) ?? {kind: 'end'},
    aside: async (work) => await (editor ? editor.aside(work) : work()),
  };
}

async function loadKeyboard(): Promise<typeof createPlainKeyboard> {
  const {createScreenKeyboard} = await import('../screen/main-screen.ts');
  return createScreenKeyboard;
}

interface StatusRow {
  readonly draw: (text: string) => void;
  readonly erase: () => void;
  /** Replaces the status row by text. */
  readonly write: (text: string) => void;
}

function createStatusRow(output: Output, paint: Paint): StatusRow {
  /** Columns of the drawn status line. */
  let drawn = 0;
  const clear = (): string => {
    const rowsAbove = Math.max(0, Math.ceil(drawn / widthOf(output)) - 1);
    drawn = 0;
    // A terminal that has become narrower has broken the line into rows.
    return rowsAbove === 0 ? eraseLine : `\r${lineUp.repeat(rowsAbove)}${eraseBelow}`;
  };
  const erase = (): void => {
    if (drawn > 0) output.write(clear());
  };
  return {
    draw: (text) => {
      output.write(clear() + paint(text));
      drawn = widthOfText(text);
    },
    erase,
    write: (text) => {
      if (text === '') return;
      erase();
      output.write(text);
    },
  };
}

// A question that a person answers with yes or no.

export function isYes(text: string): boolean {
  return /^(?:y|yes|はい)$/i.test(text.trim());
}

/** Input and stderr must be terminals. Never rejects. */
export async function confirm(question: Message, terminal: Terminal): Promise<boolean> {
  const line = await askOnce(`${say(question, terminal)} [y/N] `, terminal);
  return line.kind === 'line' && isYes(line.text);
}

// A single question at a terminal, of a command that asks nothing else.

const ignore = (): void => {};
const ignoring = {onMessage: ignore, onInterrupt: ignore, onEnd: ignore};

/** Input and stderr must be terminals. Never rejects. */
export async function askOnce(question: string, terminal: Terminal): Promise<Line> {
  if (await discardTypeAhead(terminal.stdin)) return {kind: 'interrupt'};
  const surface = createSurface(terminal);
  await surface.openKeyboard(terminal.stdin, ignoring);
  const line = await surface.ask(question);
  surface.close();
  return line;
}
