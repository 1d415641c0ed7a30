/** Progress of one run: plain lines, and on a terminal a status line below them. */

import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {t} from '../../machines/message.ts';
import {say, type Reader} from '../language.ts';
import {continuedLines} from '../render/live/interactions.ts';
import {
  createDeltaLines,
  createProseStream,
  type ProseStream,
} from '../render/live/prose-stream.ts';
import {createReporter, type Views} from '../render/live/reporter.ts';
import {type PhaseModels, spinnerMs, spinnerText, statusText} from '../render/live/status.ts';
import type {Level, Style} from '../render/style.ts';
import {wrapWords} from '../render/text.ts';
import {advance} from '../render/view/fold.ts';
import {placeInRun} from '../render/view/place.ts';
import {emptyView, type RunView} from '../render/view/run-view.ts';
import type {Surface} from './surface.ts';

export interface Progress {
  readonly show: (event: ProgressEvent) => void;
  /** A line of the launcher itself, at every level. Must be escaped. */
  readonly note: (line: string) => void;
  /** Lines for the person who types: at once, also while output is held back. */
  readonly insert: (lines: readonly string[]) => void;
  /** The status line then names the model of a phase. `models` is called only with a status line; a failure is ignored. */
  readonly know: (models: () => Promise<PhaseModels>) => void;
  /** True when exactly this text was streamed last, with nothing printed after it. */
  readonly wasStreamed: (text: string) => boolean;
  /** Holds back all output while a person is asked. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Removes the status line and stops its timer. */
  readonly close: () => void;
}

export interface ProgressOptions {
  readonly level: Level;
  /** The streamed text is the answer, and progress and result are on the same screen. */
  readonly streamsAnswers?: boolean;
  /** The view before a continued run: its running interactions are listed first. */
  readonly seen?: RunView;
}

/** Without a status line, a line is printed after this long without output. */
const silenceMs = 30_000;
/** Lines held back while a person decides; older ones are only counted. */
const maxHeld = 2000;

export function createProgress(
  surface: Surface,
  {level, streamsAnswers = false, seen = emptyView}: ProgressOptions,
): Progress {
  const isReporting = level === 'normal' || level === 'verbose';
  const isLive = isReporting && surface.canRedraw;
  const width = (): number => surface.size().width;
  const stream = createProseStream(width);
  const lines = createHeldLines(surface, stream);
  const deltas = createDeltaLines();
  const status = createRunStatus(seen, surface.style);
  const reporter = createReporter();
  const breakSilence = (): void => {
    if (lines.isHeld()) return;
    lines.print([silenceText(status.text(width()), surface.style)]);
  };
  const silence = isReporting && !isLive ? setInterval(breakSilence, silenceMs).unref() : undefined;
  const print = (some: readonly string[]): void => {
    if (some.length > 0 && !lines.isHeld()) silence?.refresh();
    lines.print(some);
  };
  const addDelta = (event: Extract<ProgressEvent, {type: 'model.delta'}>): void => {
    if (!streamsAnswers || !isReporting) print(level === 'verbose' ? deltas.add(event) : []);
    else if (isOfRoot(event) && !lines.isHeld()) surface.write(stream.add(event.text));
  };
  const isShown = (event: ProgressEvent): boolean =>
    stream.covers(event) && (event.type === 'thought' || isOfRoot(event));
  const statusLine = (): string | undefined =>
    lines.isHeld() || stream.isOpen() ? undefined : status.live(width() - 1);
  if (isLive) surface.follow(statusLine, spinnerMs);
  if (isReporting) print(continuedLines(seen, {style: surface.style, width: width()}));

  return {
    show: (event) => {
      if (event.type === 'usage' && isOfRoot(event)) surface.write(stream.end());
      const views = status.advance(event);
      if (event.type === 'model.delta') addDelta(event);
      else if (!isShown(event)) {
        print(reporter.report(event, views, {style: surface.style, level, width: width(), isLive}));
      }
    },
    note: (line) => print(isLive ? wrapWords(line, width()) : [line]),
    insert: lines.insert,
    know: (learn) => {
      if (isLive) void status.know(learn);
    },
    wasStreamed: stream.wasStreamed,
    pause: lines.hold,
    resume: lines.release,
    close: () => {
      clearInterval(silence);
      surface.close();
      lines.release();
      print(deltas.flush());
      surface.write(stream.end());
    },
  };
}

function silenceText(status: string, style: Style): string {
  return style.dim(`  ${say(t`still at work: ${status}`, style)}`);
}

interface HeldLines {
  readonly print: (lines: readonly string[]) => void;
  readonly insert: (lines: readonly string[]) => void;
  readonly isHeld: () => boolean;
  readonly hold: () => void;
  readonly release: () => void;
}

/** Progress lines, held back while a person is asked. */
function createHeldLines(surface: Surface, stream: ProseStream): HeldLines {
  const held: string[] = [];
  let isHeld = false;
  let dropped = 0;
  const insert = (lines: readonly string[]): void => {
    stream.leave();
    if (stream.isOpen()) surface.write(stream.end());
    surface.print(lines);
  };
  const print = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    if (!isHeld) return insert(lines);
    held.push(...lines);
    dropped += held.splice(0, Math.max(0, held.length - maxHeld)).length;
  };
  return {
    print,
    insert,
    isHeld: () => isHeld,
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      const missing =
        dropped > 0 ? [surface.style.dim(say(t`… ${dropped} earlier lines`, surface.style))] : [];
      dropped = 0;
      print([...missing, ...held.splice(0)]);
    },
  };
}

interface RunStatus {
  readonly advance: (event: ProgressEvent) => Views;
  readonly text: (width: number) => string;
  /** With a mark that turns. */
  readonly live: (width: number) => string;
  /** Never rejects. */
  readonly know: (models: () => Promise<PhaseModels>) => Promise<void>;
}

function createRunStatus(seen: RunView, {language}: Reader): RunStatus {
  const startedAt = Date.now();
  let view = seen;
  let models: PhaseModels = {};
  const text = (width: number): string =>
    statusText(view, {elapsedMs: Date.now() - startedAt, width, models, language});
  return {
    advance: (event) => {
      const before = view;
      view = advance(view, event);
      return {before, after: view};
    },
    text,
    live: (width) => {
      const mark = spinnerText([view]);
      return mark + text(width - mark.length);
    },
    know: async (learn) => {
      try {
        models = await learn();
      } catch {}
    },
  };
}

function isOfRoot({interaction}: ProgressEvent): boolean {
  return placeInRun(interaction) === '';
}
