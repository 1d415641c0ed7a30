/** Sends what a person decides, and shows why it was refused. */

import type {JsonObject} from '../../../../../machines/domain/json.ts';
import {element} from '../../../../serve/page/browser/element.ts';
import {safeText} from '../elements/safe-text.ts';
import {SourceError} from '../sources/source.ts';
import type {Stage} from '../stage.ts';

export interface Attempt {
  /** Has the reason of the last refusal. */
  readonly problem: HTMLElement;
  /** Does nothing while an earlier action is still in flight. */
  readonly run: (action: () => Promise<void>) => Promise<void>;
}

/** `form`: what is busy meanwhile. */
export function createAttempt(form: () => HTMLElement): Attempt {
  const problem = element('p', {class: 'notice alarm', role: 'alert', hidden: true});
  let isRunning = false;
  const mark = (isBusy: boolean): void => {
    isRunning = isBusy;
    form().setAttribute('aria-busy', String(isBusy));
  };
  return {
    problem,
    run: async (action) => {
      if (isRunning) return;
      problem.hidden = true;
      mark(true);
      try {
        await action();
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        problem.replaceChildren(safeText(error.message));
        problem.hidden = false;
      } finally {
        mark(false);
      }
    },
  };
}

interface Sending {
  /** Shown in the status line afterwards. */
  readonly sent: string;
  /** Absent: the shown one. */
  readonly trace?: string;
  readonly actor?: string;
}

export async function sendEvent(
  {source, view, notify}: Stage,
  event: JsonObject,
  {sent, trace = view().head.id, actor}: Sending,
): Promise<void> {
  await source.send(trace, event, actor);
  notify(sent);
}
