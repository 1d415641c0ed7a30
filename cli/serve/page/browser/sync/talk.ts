/** One open submission: its messages are sent one after another and kept until they have arrived, and the server's events are followed. */

import {type Api, Refused, type SentReply} from './api.ts';
import {follow, type Following, type StreamEvent} from './follow.ts';
import {
  type Begun,
  type Field,
  isOver,
  lastPosition,
  type Message,
  type Outgoing,
  type Problem,
  type Sending,
  type Shown,
  type Standing,
  type Submission,
  withMessages,
  withStanding,
} from './wire.ts';

interface TalkListeners {
  readonly changed: (shown: Shown) => void;
  /** A text that could not be sent returns to the person. */
  readonly gaveBack: (text: string) => void;
  /** The submission no longer exists, or the token is not for it. */
  readonly gone: () => void;
}

interface Talk {
  /** Shows the opened submission, and follows it to its end. */
  readonly start: () => void;
  /** With `field`: an answer for that field. */
  readonly say: (text: string, field?: string) => void;
  /** Always resolves: the outcome is shown on the page. */
  readonly submit: () => Promise<void>;
  /** Undefined when they can't be loaded. */
  readonly answers: () => Promise<Blob | undefined>;
  /** Resolves with true when everything is deleted. */
  readonly erase: () => Promise<boolean>;
  readonly end: () => void;
}

export function createTalk(
  api: Api,
  keep: Keep,
  opened: Submission,
  listeners: TalkListeners,
): Talk {
  const showing = createShowing(opened, listeners.changed);
  const readAgain = async (): Promise<void> => await readConversation(api, showing);
  const outbox = createOutbox(api, keep, {
    changed: (sending) => showing.change({sending}),
    received: ({messages}) => {
      showing.received(messages);
      if (showing.now().connection !== 'live') void readAgain();
    },
    refused: ({text}, refusal) => {
      listeners.gaveBack(text);
      showing.problem(problemOf(refusal));
      void readAgain();
    },
  });
  const following = follow({
    connect: async (signal) => await api.follow(lastPosition(showing.now().submission), signal),
    event: (event) => applyEvent(event, showing),
    connected: showing.connected,
    isFinal: (error) => error instanceof Refused && [401, 403, 404].includes(error.status),
    refused: listeners.gone,
  });
  const stopWatching = watchConnection(following, outbox, showing);

  return {
    start: () => {
      listeners.changed(showing.now());
      if (isOver(opened)) return;
      outbox.start();
      following.start();
    },
    say: (text, field) => {
      showing.problem(undefined);
      const {message, isSecret} = toOutgoing(text, field, showing.now());
      outbox.add(message, isSecret);
    },
    submit: async () => {
      await attempt(showing, api.confirm);
      await readAgain();
    },
    answers: async () => await attempt(showing, api.answers),
    erase: async () => (await attempt(showing, api.erase)) === 'erased',
    end: () => {
      stopWatching();
      following.end();
      outbox.end();
    },
  };
}

async function readConversation(api: Api, {received, connected}: Showing): Promise<void> {
  try {
    const {messages, ...standing} = await api.read();
    received(messages, standing);
  } catch {
    connected(false);
  }
}

/** Undefined when the server refuses or can't be reached; the problem is then shown. */
async function attempt<T>({problem}: Showing, act: () => Promise<T>): Promise<T | undefined> {
  problem(undefined);
  try {
    return await act();
  } catch (error) {
    problem(error instanceof Refused ? problemOf(error) : 'unreached');
    return undefined;
  }
}

function problemOf({status, code}: Refused): Problem {
  if (code === 'conversation_moved') return 'moved';
  return status === 413 ? 'tooLong' : 'refused';
}

function applyEvent({type, data}: StreamEvent, {received}: Showing): void {
  if (type === 'message') {
    const message: Message = JSON.parse(data);
    received([message]);
  } else if (type === 'state') {
    const standing: Standing = JSON.parse(data);
    received([], standing);
  }
}

interface ToSend {
  readonly message: Outgoing;
  readonly isSecret: boolean;
}

/** A message after an unanswered one refers to the same messages as that; otherwise to all that are shown. */
function toOutgoing(text: string, field: string | undefined, shown: Shown): ToSend {
  const {submission, sending} = shown;
  const seen = sending.length === 0 ? lastPosition(submission) : undefined;
  const about = submission.fields.find(({id}) => id === (field ?? submission.current));
  const isSecret = about?.sensitivity === 'secret';
  if (field !== undefined) return {message: {text, field}, isSecret};
  return {message: seen === undefined ? {text} : {text, seen}, isSecret};
}

/** Retries at once when the browser reports a connection. Returns a function that stops watching. */
function watchConnection(following: Following, outbox: Outbox, showing: Showing): () => void {
  const retry = (): void => {
    following.retry();
    outbox.retry();
  };
  const breakOff = (): void => {
    following.breakOff();
    showing.change({connection: 'offline'});
  };
  addEventListener('online', retry);
  addEventListener('offline', breakOff);
  document.addEventListener('visibilitychange', retry);
  return () => {
    removeEventListener('online', retry);
    removeEventListener('offline', breakOff);
    document.removeEventListener('visibilitychange', retry);
  };
}

// Sends messages one after another, each until the server has replied: a lost connection loses none.

interface OutboxListeners {
  readonly changed: (sending: readonly Sending[]) => void;
  readonly received: (received: SentReply) => void;
  /** The server refused the message: the text returns to the person. */
  readonly refused: (message: Sending, refusal: Refused) => void;
}

interface Outbox {
  /** Sends the messages that an earlier page left unsent. */
  readonly start: () => void;
  readonly add: (message: Outgoing, isSecret: boolean) => void;
  /** Retries now instead of after the pause. */
  readonly retry: () => void;
  /** Stops sending. */
  readonly end: () => void;
}

const longestPauseMs = 30_000;

function createOutbox(api: Api, keep: Keep, listeners: OutboxListeners): Outbox {
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
    const saying = api.say(outgoingOf(message), message.key).finally(() => {
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
    keep.write(outboxName, next.length > 0 ? JSON.stringify(next) : '', hasSecret);
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

const outboxName = 'outbox';

function outgoingOf({text, field, seen}: Sending): Outgoing {
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
  const left: unknown = JSON.parse(keep.read(outboxName) ?? '[]');
  return Array.isArray(left) ? left : [];
}

// Data that outlives the page: links to begun forms, drafts, and unsent messages. A tab's own data come first; secrets stay
// in the tab. Without storage (it may be forbidden, or full) nothing outlives the page.

interface Keep {
  readonly read: (name: string) => string | undefined;
  /** An empty text deletes it. */
  readonly write: (name: string, text: string, isSecret?: boolean) => void;
  /** True once in each tab. */
  readonly isNewTab: () => boolean;
  readonly forgetAll: () => void;
}

/** Texts being typed, by the name of their place. */
export interface Drafts {
  /** Empty without a draft. */
  readonly read: (name: string) => string;
  /** `about`: its field. An empty text deletes it. */
  readonly write: (name: string, text: string, about?: Field) => void;
}

export function draftsIn({read, write}: Keep): Drafts {
  return {
    read: (name) => read(name) ?? '',
    write: (name, text, about) => write(name, text, about?.sensitivity === 'secret'),
  };
}

const program = 'quorate';

export function keepOf(submission: string): Keep {
  const prefix = `${program}:${submission}:`;
  return {
    read: (name) =>
      tried(() => sessionStorage.getItem(prefix + name)) ??
      tried(() => localStorage.getItem(prefix + name)) ??
      undefined,
    write: (name, text, isSecret = false) => {
      put(() => sessionStorage, prefix + name, text);
      put(() => localStorage, prefix + name, isSecret ? '' : text);
    },
    isNewTab: () => {
      const isNew = tried(() => sessionStorage.getItem(`${prefix}here`)) !== 'yes';
      put(() => sessionStorage, `${prefix}here`, 'yes');
      return isNew;
    },
    forgetAll: () => {
      for (const storage of [sessionStorage, localStorage]) {
        tried(() => {
          for (const key of Object.keys(storage))
            if (key.startsWith(prefix)) storage.removeItem(key);
        });
      }
    },
  };
}

/** The unfinished submission of this form that was begun on this device. */
export function begunBefore(form: string): Begun | undefined {
  const text = tried(() => localStorage.getItem(`${program}:form:${form}`));
  const [id, token] = text?.split('#') ?? [];
  return id && token ? {id, token} : undefined;
}

export function rememberBegun(form: string, begun: Begun | undefined): void {
  put(() => localStorage, `${program}:form:${form}`, begun ? `${begun.id}#${begun.token}` : '');
}

function put(storage: () => Storage, key: string, text: string): void {
  tried(() => {
    if (text === '') storage().removeItem(key);
    else storage().setItem(key, text);
  });
}

function tried<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

// The state that the page shows; calls a listener at each change.

interface Showing {
  readonly now: () => Shown;
  readonly change: (changes: Partial<Pick<Shown, 'sending' | 'connection'>>) => void;
  readonly received: (messages: readonly Message[], standing?: Standing) => void;
  /** Undefined: the problem is over. */
  readonly problem: (problem: Problem | undefined) => void;
  readonly connected: (isConnected: boolean) => void;
}

/** Shorter interruptions are not shown. */
const patienceMs = 1500;

function createShowing(opened: Submission, changed: (shown: Shown) => void): Showing {
  let shown: Shown = {submission: opened, sending: [], connection: 'live'};
  let patience: ReturnType<typeof setTimeout> | undefined;

  const set = (next: Shown): void => {
    if (next === shown) return;
    shown = next;
    changed(shown);
  };
  const change: Showing['change'] = (changes) => set({...shown, ...changes});
  return {
    now: () => shown,
    change,
    received: (messages, standing) =>
      set(withMessages(standing ? withStanding(shown, standing) : shown, messages)),
    problem: (problem) => {
      const {problem: before, ...rest} = shown;
      if (problem !== before) set(problem === undefined ? rest : {...rest, problem});
    },
    connected: (isConnected) => {
      if (isConnected) {
        clearTimeout(patience);
        patience = undefined;
        change({connection: 'live'});
      } else {
        patience ??= setTimeout(() => {
          patience = undefined;
          change({connection: navigator.onLine ? 'lost' : 'offline'});
        }, patienceMs);
      }
    },
  };
}
