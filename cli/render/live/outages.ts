/** A model that can't be called: why is told once, and how often it was tried when the run stops for it. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {durationText} from '../numbers.ts';
import type {ProgressTexts} from './texts.ts';

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;

/** A wait of this long has a line of its own. */
const longWaitMs = 10_000;

export interface Outages {
  /** What is new in this attempt, if anything is. */
  readonly retried: (event: Of<'model.retried'>, texts: ProgressTexts) => string | undefined;
  /** The message of a warning, with a count in place of the reason that was told. */
  readonly warned: (event: Of<'warning'>, texts: ProgressTexts) => string;
}

export function createOutages(): Outages {
  /** By model: the last reason, and how many calls have met it. */
  const met = new Map<string, {readonly reason: string; readonly calls: number}>();
  return {
    retried: ({model, attempt, delayMs, reason}, texts) => {
      const isTold = attempt > 1 && met.get(model)?.reason === reason;
      met.set(model, {reason, calls: attempt});
      if (!isTold) return named(model, reason) + texts.askedAgain(durationText(delayMs));
      return delayMs < longWaitMs
        ? undefined
        : texts.attemptIn(model, attempt + 1, durationText(delayMs));
    },
    warned: ({message}, texts) => {
      const told = [...met].find(([model, {reason}]) => message.includes(named(model, reason)));
      if (!told) return message;
      const [model, {reason, calls}] = told;
      return message.replace(named(model, reason), texts.noAnswer(model, calls + 1));
    },
  };
}

function named(model: string, reason: string): string {
  return reason.startsWith(`${model}: `) ? reason : `${model}: ${reason}`;
}

/** Holds back what an outage has to say until the run goes on: a result that says it ends the run with it. */
export function withoutLastOutage(
  show: (event: ProgressEvent) => void,
): (event: ProgressEvent) => void {
  const held: Of<'warning'>[] = [];
  return (event) => {
    if (event.type === 'warning' && event.code === 'outage') {
      held.push(event);
      return;
    }
    const own = held.splice(0);
    for (const outage of own) if (!isSaid(outage, event)) show(outage);
    show(event);
  };
}

const waitsFor = /(?:; )?the run waits for (?:it|a higher limit)$/;

/** A limit was told when it was met. */
function isSaid({message}: Of<'warning'>, event: ProgressEvent): boolean {
  return event.type === 'result' && event.summary.includes(message.replace(waitsFor, ''));
}
