/** Following a submission: a client that reconnects continues from its position, also at another server; slow, unavailable and interrupted models. */

import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {type ClientRequest, type IncomingMessage, request} from 'node:http';
import {join} from 'node:path';
import {text as textOf} from 'node:stream/consumers';
import {setTimeout} from 'node:timers/promises';

import {describe, expect, test, onTestFinished} from 'vitest';

import {createMemoryJournal} from '../../../actors/index.ts';
import type {SubmissionRecords} from '../../../actors/journal/submissions.ts';
import {silentLogger} from '../../../actors/logger.ts';
import {openForms} from '../../../cli/serve/forms.ts';
import {type Filling, fill, fillAgain, messagesIn} from '../../support/filling.ts';
import {roleOf, willing} from '../../support/interviewing.ts';
import {type MockOpenAi, type Said, startMockOpenAi} from '../../support/mock-openai.ts';
import {launchServer, recordsOf} from '../../support/serving.ts';
import {type StreamEvent, listenTo, until} from '../../support/sse.ts';
import {setServer} from './stage.ts';

const isState =
  (state: string) =>
  ({event, data}: StreamEvent): boolean =>
    event === 'state' && data['state'] === state && data['isAtWork'] === false;

function positionsIn(received: readonly StreamEvent[]): (string | undefined)[] {
  return received.filter(({event}) => event === 'message').map(({id}) => id);
}

describe('a stream', () => {
  const {server, restart} = setServer();

  async function follow({id, token}: Filling, headers = {}) {
    return await listenTo(`${server.url}/v1/submissions/${id}/events`, token, headers);
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
    const journal = createMemoryJournal();
    const records = recordsOf(journal);
    let reads = 0;
    const find: SubmissionRecords['find'] = (id) => {
      reads += 1;
      return records.find(id);
    };
    await restart({runtime: {journal}, records: {...records, find}});
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
    expect(response && JSON.parse(await textOf(response))).toMatchObject({error: {code: 'ending'}});
    await closing;
  });
});

function saidBy(person: 'person' | 'agent', messages: ReturnType<typeof messagesIn>): string[] {
  return messages.filter(({from}) => from === person).map(({text}) => text);
}

describe('slow, unavailable or interrupted models', () => {
  const form = `id = "work"
title = "Work"
[[fields]]
id = "experience"
label = "Experience"
required = true
[[fields]]
id = "hobbies"
label = "Hobbies"
required = true
`;

  let models: MockOpenAi;
  /** Replaces the reviewer. */
  let reviewer: (() => Promise<Said>) | undefined;

  const {server, folder, restart} = setServer(async (data) => {
    mkdirSync(join(data, 'forms'), {recursive: true});
    writeFileSync(join(data, 'forms/work.toml'), form);
    reviewer = undefined;
    models = await startMockOpenAi(async (received) => {
      const role = roleOf(received);
      return role === 'reviewer' && reviewer ? await reviewer() : willing[role](received);
    });
    onTestFinished(models.close);
    return await served(data);
  });

  async function served(data: string, patienceMs = 60_000) {
    const providers = {mock: {kind: 'openai-compatible' as const, base_url: models.baseUrl}};
    const interview = {model: 'mock/leader', reviewer: 'mock/judge'};
    return {
      patienceMs,
      forms: await openForms(join(data, 'forms'), silentLogger),
      runtime: {config: {interview, providers}},
    };
  }

  const reopen = async () => await restart(await served(folder()));

  const key = {'idempotency-key': 'k'};

  test('a message that takes long is accepted, and its answer arrives on the stream', async () => {
    await restart(await served(folder(), 300));
    const {ask, url} = server;
    const filling = await fill(ask, 'work');
    await expect.poll(async () => (await filling.look()).json).toMatchObject({isAtWork: false});
    const thought = Promise.withResolvers<void>();
    reviewer = async () => {
      await thought.promise;
      return {calls: [{name: 'review', args: {passed: true, field_value: 'Ten years'}}]};
    };
    const accepted = await filling.say('Ten years', key);

    expect(accepted).toMatchObject({status: 202, json: {state: 'interviewing'}});
    expect(accepted.headers.get('retry-after')).toBe('5');
    await expect
      .poll(async () => (await filling.look()).json)
      .toMatchObject({isAtWork: true, messages: [{position: 1}, {position: 2}]});
    expect(await filling.say('Twenty')).toMatchObject({
      status: 409,
      json: {error: {code: 'not_now'}},
    });
    const {events, leave} = await listenTo(
      `${url}/v1/submissions/${filling.id}/events`,
      filling.token,
      {'last-event-id': '2'},
    );
    await until(events, ({event}) => event === 'state');
    thought.resolve();
    const [next] = (await until(events, ({event}) => event === 'message')).slice(-1);
    leave();
    expect(next).toMatchObject({id: '3', data: {text: 'Please tell me: Hobbies'}});
    expect(await filling.say('Ten years', key)).toMatchObject({
      status: 200,
      json: {messages: [{position: 2}, {position: 3}]},
    });
  });

  test('a message is kept while no model is available, and answered later', async () => {
    const filling = await fill(server.ask, 'work');
    reviewer = async () => ({status: 401});
    const refused = await filling.say('Ten years', key);
    expect(refused).toMatchObject({status: 503, json: {error: {code: 'unavailable'}}});
    expect(refused.headers.get('retry-after')).toBe('30');

    reviewer = undefined;
    expect(await filling.say('Ten years', key)).toMatchObject({status: 200});
    expect(saidBy('person', messagesIn((await filling.look()).json))).toEqual(['Ten years']);
  });

  /** A message whose server shuts down while the reviewer reads it, and the same form at the next server. */
  async function interrupted(headers = {}) {
    const filling = await fill(server.ask, 'work');
    const asked = Promise.withResolvers<void>();
    reviewer = async () => {
      asked.resolve();
      return 'hang';
    };
    const cut = filling.say('Ten years', headers);
    await asked.promise;
    await server.close();
    const reply = await cut;
    reviewer = undefined;
    await reopen();
    return {reply, again: fillAgain(server.ask, filling)};
  }

  test('a server that shuts down during an answer loses nothing of it', async () => {
    const {reply, again} = await interrupted(key);
    expect(reply).toMatchObject({status: 503, json: {error: {code: 'unavailable'}}});
    expect(await again.say('Ten years', key)).toMatchObject({
      status: 200,
      json: {messages: [{text: 'Ten years'}, {text: 'Please tell me: Hobbies'}]},
    });
  });

  test('a read after a crash continues the interrupted work', async () => {
    const {again} = await interrupted();
    await expect
      .poll(async () => saidBy('agent', messagesIn((await again.look()).json)).at(-1))
      .toBe('Please tell me: Hobbies');
  });

  test('a server that is killed between and during messages has received each of them once', async () => {
    const forms = ['--forms', join(folder(), 'forms')];
    const answers = ['Ten years', 'Chess'];
    let killed = await launchServer(folder(), forms);
    let filling: Filling = await fill(killed.ask, 'work');
    for (const [turn, text] of answers.entries()) {
      const sent = {'idempotency-key': `key-${turn}`};
      const cut = filling.say(text, sent).catch(() => undefined);
      await setTimeout(turn * 6);
      killed.child.kill('SIGKILL');
      await killed.child;
      await cut;
      killed = await launchServer(folder(), forms);
      filling = fillAgain(killed.ask, filling);
      expect(await filling.say(text, sent)).toMatchObject({status: 200});
    }
    const {json} = await filling.look();
    expect(await filling.confirm()).toMatchObject({status: 200, json: {state: 'submitted'}});
    killed.child.kill('SIGTERM');
    await killed.child;

    expect(saidBy('person', messagesIn(json))).toEqual(answers);
    expect(json).toMatchObject({
      state: 'confirming',
      fields: [{value: 'Ten years'}, {value: 'Chess'}],
    });
  });
});
