/** One open submission: combines the server's events with the messages that the person sends. */

import {type Api, Refused} from './api.ts';
import {follow, type Following, type StreamEvent} from './follow.ts';
import type {Keep} from './keep.ts';
import {createOutbox, type Outbox} from './outbox.ts';
import {createShowing, type Showing} from './showing.ts';
import {isOver, lastPosition, type Problem, type Shown} from './shown.ts';
import type {Message, Outgoing, Standing, Submission} from './wire.ts';

export interface TalkListeners {
  readonly changed: (shown: Shown) => void;
  /** A text that could not be sent returns to the person. */
  readonly gaveBack: (text: string) => void;
  /** The submission no longer exists, or the token is not for it. */
  readonly gone: () => void;
}

export interface Talk {
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
