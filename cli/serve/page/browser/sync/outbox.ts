/** Sends messages one after another, each until the server has replied: a lost connection loses none. */

import {type Api, Refused, type SentReply} from './api.ts';
import type {Keep} from './keep.ts';
import type {Sending} from './shown.ts';
import type {Outgoing} from './wire.ts';

export interface OutboxListeners {
  readonly changed: (sending: readonly Sending[]) => void;
  readonly received: (received: SentReply) => void;
  /** The server refused the message: the text returns to the person. */
  readonly refused: (message: Sending, refusal: Refused) => void;
}

export interface Outbox {
  /** Sends the messages that an earlier page left unsent. */
  readonly start: () => void;
  readonly add: (message: Outgoing, isSecret: boolean) => void;
  /** Retries now instead of after the pause. */
  readonly retry: () => void;
  /** Stops sending. */
  readonly end: () => void;
}

const longestPauseMs = 30_000;

export function createOutbox(api: Api, keep: Keep, listeners: OutboxListeners): Outbox {
  const queue = createQueue(keep, listeners.changed);
  let isBusy = false;
  let failures = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;

  const delivered = (received: SentReply): void => {
    failures = 0;
    listeners.received(received);
    queue.drop();
    next();
  };
  const failed = (error: unknown, message: Sending): void => {
    if (error instanceof Refused && !isPassing(error)) {
      queue.drop();
      listeners.refused(message, error);
      next();
    } else {
      const seconds = error instanceof Refused ? error.retryAfter : undefined;
      pause = setTimeout(next, Math.min(1000 * (seconds ?? 2 ** failures), longestPauseMs));
      failures += 1;
      queue.mark('waiting');
    }
  };
  const next = (): void => {
    clearTimeout(pause);
    const message = queue.first();
    if (isBusy || !message) return;
    isBusy = true;
    queue.mark('sending');
    const saying = api.say(toOutgoing(message), message.key).finally(() => {
      isBusy = false;
    });
    saying.then(delivered, (error: unknown) => failed(error, message));
  };
  return {
    start: () => {
      queue.show();
      next();
    },
    add: (message, isSecret) => {
      queue.add({...message, isSecret, key: crypto.randomUUID(), fate: 'sending'});
      next();
    },
    retry: next,
    end: () => {
      clearTimeout(pause);
      queue.end();
    },
  };
}

interface Queue {
  readonly show: () => void;
  readonly first: () => Sending | undefined;
  readonly add: (message: Sending) => void;
  readonly drop: () => void;
  /** Of the first message. */
  readonly mark: (fate: Sending['fate']) => void;
  readonly end: () => void;
}

/** Messages that have not arrived, the oldest first; kept until they have. */
function createQueue(keep: Keep, changed: (sending: readonly Sending[]) => void): Queue {
  let sending = readLeft(keep);
  const set = (next: readonly Sending[]): void => {
    const hasSecret = next.some(({isSecret}) => isSecret);
    sending = next;
    keep.write(name, next.length > 0 ? JSON.stringify(next) : '', hasSecret);
    changed(next);
  };
  return {
    show: () => changed(sending),
    first: () => sending[0],
    add: (message) => set([...sending, message]),
    drop: () => set(sending.slice(1)),
    mark: (fate) => {
      const [first, ...others] = sending;
      if (first && first.fate !== fate) set([{...first, fate}, ...others]);
    },
    end: () => {
      sending = [];
    },
  };
}

const name = 'outbox';

function toOutgoing({text, field, seen}: Sending): Outgoing {
  return {
    text,
    ...(field === undefined ? {} : {field}),
    ...(seen === undefined ? {} : {seen}),
  };
}

/** The same request may succeed later. */
function isPassing({status, code}: Refused): boolean {
  return status === 429 || status >= 500 || code === 'not_now';
}

function readLeft(keep: Keep): readonly Sending[] {
  const left: unknown = JSON.parse(keep.read(name) ?? '[]');
  return Array.isArray(left) ? left : [];
}
