/** A model that can't be called: its reason is shown once, and the number of attempts when the run stops for it. */

import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {t} from '../../../machines/message.ts';
import {say, type Reader} from '../../language.ts';
import {durationText} from '../numbers.ts';

type Of<T extends ProgressEvent['type']> = Extract<ProgressEvent, {readonly type: T}>;

/** A wait of this length has its own line. */
const longWaitMs = 10_000;

export interface Outages {
  /** The line of this attempt; undefined if nothing is new. */
  readonly retried: (event: Of<'model.retried'>, reader: Reader) => string | undefined;
  /** The message of a warning, with a count in place of a reason that was shown before. */
  readonly warned: (event: Of<'warning'>, reader: Reader) => string;
}

export function createOutages(): Outages {
  /** By model: the last reason, and the number of failed calls. */
  const met = new Map<string, {readonly reason: string; readonly calls: number}>();
  return {
    retried: ({model, attempt, delayMs, reason}, reader) => {
      const isRepeated = attempt > 1 && met.get(model)?.reason === reason;
      met.set(model, {reason, calls: attempt});
      if (!isRepeated)
        return (
          withModelName(model, reason) + say(t`; asked again in ${durationText(delayMs)}`, reader)
        );
      return delayMs < longWaitMs
        ? undefined
        : say(t`${model}: attempt ${attempt + 1} in ${durationText(delayMs)}`, reader);
    },
    warned: ({message}, reader) => {
      const repeated = [...met].find(([model, {reason}]) =>
        message.includes(withModelName(model, reason)),
      );
      if (!repeated) return message;
      const [model, {reason, calls}] = repeated;
      const silent = say(t`${model}: did not answer ${calls + 1} calls`, reader);
      return message.replace(withModelName(model, reason), silent);
    },
  };
}

function withModelName(model: string, reason: string): string {
  return reason.startsWith(`${model}: `) ? reason : `${model}: ${reason}`;
}

/** Holds back the lines of an outage until the run continues: if the run ends with it, the result says so. */
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

const waitsFor = /(?:; )?the run (?:is paused until a call succeeds|waits for a higher limit)$/;

/** A limit was shown when it was reached. */
function isSaid({message}: Of<'warning'>, event: ProgressEvent): boolean {
  return event.type === 'result' && event.summary.includes(message.replace(waitsFor, ''));
}
