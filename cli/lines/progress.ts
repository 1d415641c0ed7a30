/** Progress on stderr: plain lines, and on a terminal a status line below them that is redrawn. */

import type {ProgressEvent} from '../../machines/domain/progress.ts';
import {canRedraw, widthOf, type Terminal} from '../terminal.ts';
import {advance} from '../view/fold.ts';
import {emptyView} from '../view/run-view.ts';
import {createDeltaLines} from './deltas.ts';
import type {Level} from './events.ts';
import {statusText} from './status.ts';
import {styleFor} from './style.ts';
import {createTeller} from './teller.ts';

export interface Progress {
  readonly show: (event: ProgressEvent) => void;
  /** A line of the launcher's own, at every level. Must be escaped. */
  readonly note: (line: string) => void;
  /** Holds everything back while a person is asked. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Removes the status line and stops its timer. */
  readonly close: () => void;
}

const redrawMs = 250;
/** Lines held back while a person thinks; older ones are counted, not kept. */
const maxHeld = 2000;
const eraseLine = '\r\u001b[K';

export function createProgress(
  {stderr, env}: Pick<Terminal, 'stderr' | 'env'>,
  level: Level,
): Progress {
  const style = styleFor(stderr, env);
  let hasStatus = (level === 'normal' || level === 'verbose') && canRedraw(stderr, env);
  const deltas = createDeltaLines();
  const held: string[] = [];
  const teller = createTeller();
  const startedAt = Date.now();
  let view = emptyView;
  let isPaused = false;
  let isDrawn = false;
  let dropped = 0;

  const erase = (): void => {
    if (isDrawn) stderr.write(eraseLine);
    isDrawn = false;
  };
  const draw = (): void => {
    if (!hasStatus || isPaused) return;
    const line = statusText(view, Date.now() - startedAt, widthOf(stderr) - 1);
    stderr.write(`${eraseLine}${style.dim(line)}`);
    isDrawn = true;
  };
  const print = (lines: readonly string[]): void => {
    if (lines.length === 0) return;
    if (isPaused) {
      held.push(...lines);
      dropped += held.splice(0, Math.max(0, held.length - maxHeld)).length;
      return;
    }
    erase();
    stderr.write(`${lines.join('\n')}\n`);
    draw();
  };
  const timer = hasStatus ? setInterval(draw, redrawMs).unref() : undefined;

  return {
    show: (event) => {
      if (event.type === 'model.delta') {
        if (level === 'verbose') print(deltas.add(event));
        return;
      }
      const before = view;
      view = advance(view, event);
      const screen = {style, level, width: widthOf(stderr)};
      print(teller.tell(event, {before, after: view}, screen));
    },
    note: (line) => print([line]),
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
      isPaused = false;
      print([...held.splice(0), ...deltas.flush()]);
      erase();
    },
  };
}
