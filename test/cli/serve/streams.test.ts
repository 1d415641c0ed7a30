/**
 * Following a submission: a client that reconnects continues from its position, also at another server; a slow one costs
 * nothing.
 */

import {once} from 'node:events';
import {type ClientRequest, type IncomingMessage, request} from 'node:http';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';

import {expect, test} from 'vitest';

import type {SubmissionRepository} from '../../../actors/submissions/repository.ts';
import {createSqliteRepository} from '../../../actors/submissions/sqlite.ts';
import {type Filling, fill, fillAgain} from '../../support/filling.ts';
import {type StreamEvent, listenTo, until} from '../../support/sse.ts';
import {setServer} from './stage.ts';

const {server, folder, restart} = setServer();

async function follow({id, token}: Filling, headers = {}) {
  return await listenTo(`${server.url}/v1/submissions/${id}/events`, token, headers);
}

const isState =
  (state: string) =>
  ({event, data}: StreamEvent): boolean =>
    event === 'state' && data['state'] === state && data['isAtWork'] === false;

function positionsIn(received: readonly StreamEvent[]): (string | undefined)[] {
  return received.filter(({event}) => event === 'message').map(({id}) => id);
}

test('a stream sends earlier messages, continues with new ones, and ends when the form is submitted', async () => {
  const filling = await fill(server.ask);
  const {events} = await follow(filling);
  const begun = await until(events, isState('interviewing'));
  await filling.say('S');
  await filling.say('none');
  const asked = await until(events, isState('confirming'));
  await filling.confirm();
  const end = await until(events, isState('submitted'));

  expect(positionsIn(begun)).toEqual(['1']);
  expect(begun.at(-1)?.data).toMatchObject({
    id: filling.id,
    fields: [{id: 'size', label: 'Size'}, {}, {}],
  });
  expect(begun.at(-1)?.data).not.toHaveProperty('messages');
  expect(positionsIn(asked)).toEqual(['2', '3', '4', '5']);
  expect(end.at(-1)?.data).toMatchObject({hasEnded: true});
  expect(await events.next()).toMatchObject({done: true});
});

test('a client disconnected by a restart continues after its last position, with nothing missing or twice', async () => {
  const filling = await fill(server.ask);
  const first = await follow(filling);
  await filling.say('L');
  const seen = positionsIn(await until(first.events, ({id}) => id === '2'));
  await server.close();
  await expect(until(first.events, ({id}) => id === 'never')).rejects.toThrow(/ended|terminated/);
  await restart();
  const second = await follow(filling, {'last-event-id': seen.at(-1) ?? ''});
  await fillAgain(server.ask, filling).say('slim');
  const rest = positionsIn(await until(second.events, ({id}) => id === '5'));
  second.leave();

  expect([...seen, ...rest]).toEqual(['1', '2', '3', '4', '5']);
});

test.each(['99', '-1', 'x', '1.5', ''])(
  'a last event %j that there was not begins with the first message',
  async (last) => {
    const {events, leave} = await follow(await fill(server.ask), {'last-event-id': last});
    expect(positionsIn(await until(events, isState('interviewing')))).toEqual(['1']);
    leave();
  },
);

test('two tabs follow one submission, and both receive the messages of one of them', async () => {
  const filling = await fill(server.ask);
  const tabs = [await follow(filling), await follow(filling)];
  await filling.say('M');
  for (const {events, leave} of tabs) {
    expect(positionsIn(await until(events, ({id}) => id === '3'))).toEqual(['1', '2', '3']);
    leave();
  }
});

test('a message is read once for all readers of its submission', async () => {
  const repository = createSqliteRepository(join(folder(), 'submissions.db'));
  let reads = 0;
  const find: SubmissionRepository['find'] = (id) => {
    reads += 1;
    return repository.find(id);
  };
  await restart({repository: {...repository, find}});
  const filling = await fill(server.ask);
  const readers = await Promise.all(Array.from({length: 60}, async () => await follow(filling)));
  for (const {events} of readers) await until(events, isState('interviewing'));
  reads = 0;
  await filling.say('M');
  for (const {events, leave} of readers) {
    expect(positionsIn(await until(events, ({id}) => id === '3'))).toEqual(['2', '3']);
    leave();
  }
  expect(reads).toBeLessThan(readers.length);
});

test('a stream of a submission that is erased ends', async () => {
  const filling = await fill(server.ask);
  const {events} = await follow(filling);
  await until(events, isState('interviewing'));
  await server.ask(`/v1/submissions/${filling.id}`, {token: filling.token, method: 'DELETE'});
  for (;;) if ((await events.next()).done === true) break;
  expect((await follow(filling)).status).toBe(401);
});

test('a stream without new messages is kept alive', async () => {
  await restart({timing: {heartbeatMs: 10, stallMs: 30_000}});
  const filling = await fill(server.ask);
  const {events, comments, leave} = await follow(filling);
  await until(events, isState('interviewing'));
  const next = events.next();
  await expect.poll(comments).toBeGreaterThan(2);
  await filling.say('M');
  expect((await next).value).toMatchObject({event: expect.stringMatching(/^(message|state)$/)});
  leave();
});

/** A request that the server has accepted, and whose body it awaits. */
async function admitted(path: string, token: string): Promise<ClientRequest> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    expect: '100-continue',
  };
  const sent = request(`${server.url}${path}`, {method: 'POST', headers});
  sent.flushHeaders();
  await once(sent, 'continue');
  return sent;
}

test('a message that arrives during the shutdown must be sent again, and is never a conflict', async () => {
  const {id, token} = await fill(server.ask);
  const sent = await admitted(`/v1/submissions/${id}/messages`, token);
  const replied: Promise<IncomingMessage[]> = once(sent, 'response');
  const closing = server.close();
  sent.end(JSON.stringify({text: 'S'}));
  const [response] = await replied;

  expect(response?.statusCode).toBe(503);
  expect(response?.headers['retry-after']).toMatch(/^\d+$/);
  expect(response && JSON.parse(await text(response))).toMatchObject({error: {code: 'ending'}});
  await closing;
});
