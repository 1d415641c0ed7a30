/** Sends messages one after the other, each until the server has answered: a lost connection loses none. */

import {type Api, Refused, type Told} from './api.ts';
import type {Keep} from './keep.ts';
import type {Sending} from './shown.ts';
import type {Outgoing} from './wire.ts';

export interface OutboxHearers {
  readonly changed: (sending: readonly Sending[]) => void;
  readonly told: (told: Told) => void;
  /** The server won't have it: the words go back to the person. */
  readonly refused: (message: Sending, refusal: Refused) => void;
}

export interface Outbox {
  /** Goes on with what an earlier page left unsent. */
  readonly start: () => void;
  readonly add: (message: Outgoing, isSecret: boolean) => void;
  /** Now, not when the next pause is over. */
  readonly retry: () => void;
  /** Sends no more. */
  readonly end: () => void;
}

const name = 'outbox';
const longestPauseMs = 30_000;

export function createOutbox(api: Api, keep: Keep, hearers: OutboxHearers): Outbox {
  let sending = readLeft(keep);
  let isBusy = false;
  let failures = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  const set = (next: readonly Sending[]): void => {
    const hasSecret = next.some(({isSecret}) => isSecret);
    sending = next;
    keep.write(name, next.length > 0 ? JSON.stringify(next) : '', hasSecret);
    hearers.changed(next);
  };
  const setFate = (fate: Sending['fate']): void => {
    const [first, ...others] = sending;
    if (first && first.fate !== fate) set([{...first, fate}, ...others]);
  };
  const fail = (error: unknown, message: Sending): void => {
    if (error instanceof Refused && !isPassing(error)) {
      set(sending.slice(1));
      hearers.refused(message, error);
      next();
    } else {
      const seconds = error instanceof Refused ? error.retryAfter : undefined;
      pause = setTimeout(next, Math.min(1000 * (seconds ?? 2 ** failures), longestPauseMs));
      failures += 1;
      setFate('waiting');
    }
  };
  const deliver = async (message: Sending): Promise<void> => {
    isBusy = true;
    setFate('sending');
    try {
      const told = await api.say(toOutgoing(message), message.key);
      isBusy = false;
      failures = 0;
      hearers.told(told);
      set(sending.slice(1));
      next();
    } catch (error) {
      isBusy = false;
      fail(error, message);
    }
  };
  const next = (): void => {
    clearTimeout(pause);
    const [message] = sending;
    if (message && !isBusy) void deliver(message);
  };

  return {
    start: () => {
      hearers.changed(sending);
      next();
    },
    add: (message, isSecret) => {
      set([...sending, {...message, isSecret, key: crypto.randomUUID(), fate: 'sending'}]);
      next();
    },
    retry: next,
    end: () => {
      clearTimeout(pause);
      sending = [];
    },
  };
}

function toOutgoing({text, field, seen}: Sending): Outgoing {
  return {
    text,
    ...(field === undefined ? {} : {field}),
    ...(seen === undefined ? {} : {seen}),
  };
}

/** Whether it may go through later as it is. */
function isPassing({status, code}: Refused): boolean {
  return status === 429 || status >= 500 || code === 'not_now';
}

function readLeft(keep: Keep): readonly Sending[] {
  const left: unknown = JSON.parse(keep.read(name) ?? '[]');
  return Array.isArray(left) ? left : [];
}
