/** The HTTP interface of submissions as the page knows it, with no interview behind it: each answer is taken as it is. */

import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {text as readText} from 'node:stream/consumers';

import type {
  Field,
  Message,
  Outgoing,
  Submission,
} from '../../../../cli/serve/page/browser/wire.ts';
import {pageResponse} from '../../../../cli/serve/page/page.ts';
import {fakeFields, fakeWords} from './fake-form.ts';

export interface FakeServer {
  readonly url: string;
  /** Ends every connection, and takes no more until it listens again. */
  readonly stop: () => Promise<void>;
  readonly listen: () => Promise<void>;
}

interface Held {
  submission: Submission;
  readonly token: string;
  readonly streams: Set<ServerResponse>;
  readonly answered: Map<string, unknown>;
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly held: Held;
}

export async function startFakeServer(): Promise<FakeServer> {
  const all = new Map<string, Held>();
  const server = createServer((request, response) => void route(all, request, response));
  const listen = async (port = 0): Promise<void> =>
    await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen();
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    listen: async () => await listen(port),
    stop: async () =>
      await new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function route(
  all: Map<string, Held>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const {pathname} = new URL(request.url ?? '/', 'http://fake');
  const page = pageResponse(pathname);
  const held = all.get(pathname.split('/')[3] ?? '');
  if (page) {
    response.writeHead(page.status, Object.fromEntries(page.headers));
    response.end(Buffer.from(await page.arrayBuffer()));
  } else if (pathname === '/v1/forms/application/submissions') {
    const fresh = begun(all.size + 1);
    all.set(fresh.submission.id, fresh);
    json(response, 201, {id: fresh.submission.id, token: fresh.token});
  } else if (held && request.headers.authorization === `Bearer ${held.token}`) {
    const verb = `${request.method} ${pathname.split('/')[4] ?? ''}`;
    if (verb === 'DELETE ') all.delete(held.submission.id);
    await verbs[verb]?.({request, response, held});
  } else {
    json(response, 404, {error: {code: 'not_found', message: 'no such submission'}});
  }
}

const verbs: Readonly<Record<string, (asked: Asked) => Promise<void> | void>> = {
  'GET ': ({response, held}) => json(response, 200, held.submission),
  'GET export': ({response, held}) =>
    json(response, 200, {
      answers: Object.fromEntries(held.submission.fields.map(({id, value}) => [id, value])),
    }),
  'DELETE ': ({response}) => json(response, 204, undefined),
  'GET events': follow,
  'POST messages': hear,
  'POST confirm': ({response, held}) => {
    change(held, {state: 'submitted'}, []);
    json(response, 200, {state: 'submitted', messages: []});
  },
};

function begun(number: number): Held {
  const submission: Submission = {
    id: `s${number}`,
    form: 'application',
    title: 'Job application',
    description: 'It takes about five minutes. You can stop at any time and come back later.',
    state: 'greeting',
    isAtWork: false,
    hasEnded: false,
    messages: [
      {
        position: 1,
        from: 'agent',
        agent: 'greeter',
        text: fakeWords('en').greeting,
        section: 'language',
      },
    ],
    fields: fakeFields.map(({asks: _asks, ...field}) => ({...field, status: 'pending'})),
    canSubmit: false,
    open: [],
  };
  return {submission, token: `token-${number}`, streams: new Set(), answered: new Map()};
}

function follow({request, response, held}: Asked): void {
  const after = Number(request.headers['last-event-id'] ?? 0);
  response.writeHead(200, {'content-type': 'text/event-stream'});
  const {messages, ...standing} = held.submission;
  response.write(toEvent('state', standing));
  for (const message of messages.filter(({position}) => position > after)) {
    response.write(toEvent('message', message));
  }
  held.streams.add(response);
  response.on('close', () => held.streams.delete(response));
}

async function hear({request, response, held}: Asked): Promise<void> {
  const key = String(request.headers['idempotency-key']);
  const outgoing: Outgoing = JSON.parse(await readText(request));
  const before = held.submission.messages.length;
  if (!held.answered.has(key)) {
    if (outgoing.seen !== undefined && outgoing.seen < before) {
      json(response, 409, {error: {code: 'conversation_moved', message: 'it went on'}});
      return;
    }
    answer(held, outgoing);
    const {state, messages} = held.submission;
    held.answered.set(key, {state, messages: messages.slice(before)});
  }
  json(response, 200, held.answered.get(key));
}

function answer(held: Held, {text, field}: Outgoing): void {
  const {current, ...submission} = held.submission;
  const about = field ?? current;
  const language = submission.language ?? (text === '日本語' ? 'ja' : 'en');
  const fields = submission.fields.map((known) =>
    known.id === about ? answered(known, text) : known,
  );
  const next = fakeFields.find(({id}) =>
    fields.some((known) => known.id === id && known.status === 'pending'),
  );
  held.submission = submission;
  const said = {from: 'person', text, field: about} as const;
  if (next) {
    const question = {from: 'agent', text: next.asks[language] ?? '', field: next.id} as const;
    const changes = {language, fields, state: 'interviewing', current: next.id} as const;
    change(held, changes, [said, question]);
  } else {
    const question = {from: 'agent', text: fakeWords(language).confirm, field: undefined} as const;
    const changes = {language, fields, state: 'confirming', canSubmit: true} as const;
    change(held, changes, [said, question]);
  }
}

function answered(field: Field, text: string): Field {
  if (/^(skip|スキップ)$/i.test(text)) return {...field, status: 'skipped'};
  return {...field, status: 'done', value: field.type === 'choices' ? text.split(', ') : text};
}

interface Saying extends Pick<Message, 'from' | 'text'> {
  readonly field: string | undefined;
}

function change(held: Held, changes: Partial<Submission>, saying: readonly Saying[]): void {
  const {messages: before} = held.submission;
  const fresh = saying.map(({from, text, field}, index) => ({
    position: before.length + index + 1,
    from,
    text,
    agent: 'interviewer' as const,
    ...(field === undefined ? {} : {field}),
  }));
  held.submission = {...held.submission, ...changes, messages: [...before, ...fresh]};
  const {messages: _messages, ...standing} = held.submission;
  for (const stream of held.streams) {
    for (const message of fresh) stream.write(toEvent('message', message));
    stream.write(toEvent('state', standing));
  }
}

function toEvent(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {'content-type': 'application/json'});
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
