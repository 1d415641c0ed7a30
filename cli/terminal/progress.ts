/** Progress on stderr: plain lines, and on a terminal a status line below them that is redrawn. */

import type {ProgressEvent} from '../../machines/domain/progress.ts';
import {createDeltaLines} from '../render/live/deltas.ts';
import {goesOnLines} from '../render/live/interactions.ts';
import {createProseStream} from '../render/live/prose-stream.ts';
import {createTeller} from '../render/live/reporter.ts';
import {statusText, type PhaseModels} from '../render/live/status.ts';
import type {Level} from '../render/screen.ts';
import {styleFor} from '../render/style.ts';
import {widthOfText, wrapWords} from '../render/text.ts';
import {advance} from '../render/view/fold.ts';
import {placeInRun} from '../render/view/place.ts';
import {emptyView, type RunView} from '../render/view/run-view.ts';
import {canRedraw, widthOf, type Terminal} from '../terminal.ts';

export interface Progress {
  readonly show: (event: ProgressEvent) => void;
  /** A line of the launcher's own, at every level. Must be escaped. */
  readonly note: (line: string) => void;
  /** From then on the status line names the model of a phase. Asked for only where there is one, which does without. */
  readonly know: (models: () => Promise<PhaseModels>) => void;
  /** Whether this text was shown as it was written, and nothing after it. */
  readonly told: (text: string) => boolean;
  /** The latest lines that commands have printed here. */
  readonly printed: () => readonly string[];
  /** Holds everything back while a person is asked. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Removes the status line and stops its timer. */
  readonly close: () => void;
}

export interface ProgressOptions {
  readonly level: Level;
  /** What is written is the answer, and whoever reads the progress reads the result on the same screen. */
  readonly streamsAnswers?: boolean;
  /** What there was to see before, of a run that goes on: what is at work below its root is told of first. */
  readonly seen?: RunView;
}

const redrawMs = 250;
/** Where no status line shows that a run works, silence of this length is broken by a line. */
const silenceMs = 30_000;
/** Of what commands print, as much as a result may quote. */
const maxPrinted = 5000;
/** Lines held back while a person thinks; older ones are counted, not kept. */
const maxHeld = 2000;
const eraseLine = '\r\u001b[K';
const lineUp = '\u001b[A';
const eraseBelow = '\u001b[J';

export function createProgress(
  {stderr, env}: Pick<Terminal, 'stderr' | 'env'>,
  {level, streamsAnswers = false, seen = emptyView}: ProgressOptions,
): Progress {
  const style = styleFor(stderr, env);
  const isTelling = level === 'normal' || level === 'verbose';
  const isLive = isTelling && canRedraw(stderr, env);
  let hasStatus = isLive;
  const deltas = createDeltaLines();
  const stream = createProseStream(() => widthOf(stderr));
  const held: string[] = [];
  const printed: string[] = [];
  const teller = createTeller();
  const startedAt = Date.now();
  let view = seen;
  let models: PhaseModels = {};
  let isPaused = false;
  /** The last that stands on the screen is what a model wrote. */
  let isTextLast = false;
  /** Columns of the status line that stands there. */
  let drawn = 0;
  let dropped = 0;

  const clear = (): string => {
    const rowsAbove = Math.max(0, Math.ceil(drawn / widthOf(stderr)) - 1);
    drawn = 0;
    // A terminal that has become narrower has broken the line into rows.
    return rowsAbove === 0 ? eraseLine : `\r${lineUp.repeat(rowsAbove)}${eraseBelow}`;
  };
  const erase = (): void => {
    if (drawn > 0) stderr.write(clear());
  };
  const draw = (): void => {
    if (!hasStatus || isPaused || stream.isOpen()) return;
    const width = widthOf(stderr) - 1;
    const line = statusText(view, {elapsedMs: Date.now() - startedAt, width, models});
    stderr.write(clear() + style.dim(line));
    drawn = widthOfText(line);
  };
  const print = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    if (isPaused) {
      held.push(...lines);
      dropped += held.splice(0, Math.max(0, held.length - maxHeld)).length;
      return;
    }
    erase();
    isTextLast = false;
    stderr.write(`${stream.end()}${lines.join('\n')}\n`);
    silence?.refresh();
    draw();
  };
  const hearDelta = (event: Extract<ProgressEvent, {type: 'model.delta'}>): void => {
    if (streamsAnswers && isTelling) {
      if (!isOfRoot(event)) return;
      erase();
      isTextLast = true;
      stderr.write(stream.add(event.text));
    } else if (level === 'verbose') print(deltas.add(event));
  };
  /** An answer ends what there is to see: that it is checked, too, needs no line between it and its sources. */
  const isShown = (event: ProgressEvent): boolean =>
    event.type === 'thought'
      ? stream.told(event.text)
      : event.type === 'phase.changed' && isTextLast && isOfRoot(event);
  const learnModels = async (learn: () => Promise<PhaseModels>): Promise<void> => {
    try {
      models = await learn();
    } catch {}
  };
  const breakSilence = (): void => {
    if (isPaused) return;
    const status = {elapsedMs: Date.now() - startedAt, width: widthOf(stderr), models};
    print([style.dim(`  still at work: ${statusText(view, status)}`)]);
  };
  const timer = hasStatus ? setInterval(draw, redrawMs).unref() : undefined;
  const silence = isTelling && !isLive ? setInterval(breakSilence, silenceMs).unref() : undefined;
  if (isTelling) print(goesOnLines(seen, {style, width: widthOf(stderr)}));

  return {
    show: (event) => {
      if (event.type === 'usage' && isOfRoot(event)) stderr.write(stream.end());
      if (event.type === 'tool.output' && isLive) {
        printed.push(...event.text.split('\n'));
        printed.splice(0, printed.length - maxPrinted);
      }
      const before = view;
      view = advance(view, event);
      if (event.type === 'model.delta') hearDelta(event);
      else if (!isShown(event)) {
        const screen = {style, level, width: widthOf(stderr), isLive};
        print(teller.tell(event, {before, after: view}, screen));
      }
    },
    note: (line) => print(isLive ? wrapWords(line, widthOf(stderr)) : [line]),
    know: (learn) => {
      if (isLive) void learnModels(learn);
    },
    told: stream.told,
    printed: () => printed,
    pause: () => {
      erase();
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      const missing = dropped > 0 ? [style.dim(`… ${dropped} earlier lines`)] : [];
      dropped = 0;
      print([...missing, ...held.splice(0)]);
    },
    close: () => {
      hasStatus = false;
      clearInterval(timer);
      clearInterval(silence);
      isPaused = false;
      print([...held.splice(0), ...deltas.flush()]);
      erase();
      stderr.write(stream.end());
    },
  };
}

function isOfRoot({interaction}: ProgressEvent): boolean {
  return placeInRun(interaction) === '';
}
