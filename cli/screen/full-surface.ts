/**
 * The surface of a conversation on the full screen: what is printed carries the interaction that it belongs to. What the active
 * tab shows remains on the main screen when the full screen is left.
 */

import {escapeForTerminal} from '../../tools/escape.ts';
import {laidOut, type Lines, styleFor} from '../render/style.ts';
import type {Terminal} from '../terminal.ts';
import {createLineEditor, type LineEditor} from '../terminal/line-editor.ts';
import type {Surface} from '../terminal/surface.ts';
import {FullScreen, type ScreenOptions} from './full-screen.ts';
import type {Highlight} from './highlight.ts';
import {createProse} from './markdown.ts';
import type {Prose} from './transcript.ts';

export interface FullSurface extends Surface {
  readonly screen: FullScreen;
  /** Without an interaction, in the active tab. */
  readonly print: (lines: Lines, interaction?: string) => void;
  readonly write: (text: string, interaction?: string) => void;
  /** Streams Markdown; undefined: its end. */
  readonly stream: (text: string | undefined, interaction: string) => void;
  /** The rows of Markdown. */
  readonly prose: Prose;
  /** Prints a result, folded when it is long. */
  readonly report: (lines: Lines, interaction?: string) => void;
}

interface SurfaceOptions extends Omit<ScreenOptions, 'style' | 'prose'> {
  readonly highlight: Highlight;
}

/** Rows that remain on the main screen. */
const maxLeft = 1000;

export function createFullSurface(
  terminal: Terminal,
  {highlight, ...options}: SurfaceOptions,
): FullSurface {
  const {stderr} = terminal;
  const style = styleFor(stderr, terminal);
  const prose = createProse(style, highlight);
  const screen = new FullScreen(terminal, {...options, style, prose});
  const printed = createPrinted(screen, (rows) => void stderr.write(`${rows.join('\n')}\n`));
  let editor: LineEditor | undefined;
  let prompt = '';
  const ticker = createTicker(() => screen.drawStatus());
  const draw = (): void => {
    screen.draw();
    ticker.start();
  };
  const closeKeyboard = (): void => {
    editor?.close();
    editor = undefined;
  };
  return {
    ...printed,
    prose: (text, width) => prose(escapeForTerminal(text), width),
    screen,
    style,
    canRedraw: true,
    size: () => screen.size(),
    follow: (status, everyMs) => {
      screen.status = () => status() ?? '';
      ticker.everyMs = everyMs;
      draw();
    },
    draw,
    prompt: (next) => {
      prompt = next;
      editor?.prompt(prompt);
      draw();
    },
    openKeyboard: async (_, events) => {
      editor = createLineEditor((keys) => screen.open(keys), events);
      editor.prompt(prompt);
      await Promise.resolve();
    },
    closeKeyboard,
    ask: async (question) => {
      screen.type();
      return (await editor?.ask(question)) ?? {kind: 'end'};
    },
    aside: async (work) => await (editor ? editor.aside(work) : work()),
    close: () => {
      ticker.stop();
      closeKeyboard();
      printed.leave();
    },
  };
}

/** Calls `tick` at an interval until it returns false: then nothing changes by itself, and nothing is drawn. */
function createTicker(tick: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    everyMs: 0,
    stop,
    start(): void {
      timer ??= setInterval(() => {
        if (!tick()) stop();
      }, this.everyMs).unref();
    },
  };
}

interface Printed extends Pick<FullSurface, 'print' | 'write' | 'stream' | 'report'> {
  /** From now on, lines are written below those of the active tab. */
  readonly leave: () => void;
}

function createPrinted(screen: FullScreen, writeOut: (rows: readonly string[]) => void): Printed {
  let isLeft = false;
  const print = (lines: Lines, interaction?: string, isLong = false): void => {
    if (isLeft) {
      const rows = laidOut(lines, screen.columns);
      return rows.length > 0 ? writeOut(rows) : undefined;
    }
    screen.panes.transcript(interaction).print(lines, isLong);
    if (interaction === undefined && (typeof lines === 'function' || lines.length > 0))
      screen.showConversation();
    else screen.draw();
  };
  return {
    print: (lines, interaction) => print(lines, interaction),
    report: (lines, interaction) => print(lines, interaction, true),
    write: (text, interaction) => {
      if (text !== '') screen.panes.transcript(interaction).write(text);
      screen.draw();
    },
    stream: (text, interaction) => {
      if (text === undefined) screen.panes.transcript(interaction).endSaid();
      else screen.panes.transcript(interaction).say(text);
      screen.draw();
    },
    leave: () => {
      if (isLeft) return;
      isLeft = true;
      print(screen.panes.transcript().rows(screen.columns).slice(-maxLeft));
    },
  };
}
