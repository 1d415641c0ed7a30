/** Two servers on one journal: each answers for every submission, whichever has it in memory. */

import {join} from 'node:path';

import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test} from 'vitest';

import {createMemoryJournal} from '../../../actors/index.ts';
import type {Journal, Log} from '../../../actors/journal/journal.ts';
import {createPostgresJournal} from '../../../actors/journal/postgres/postgres.ts';
import {createSigner, makePublicKey} from '../../../actors/journal/signing-key.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {fill, fillAgain, messagesIn} from '../../support/filling.ts';
import {type PostgresServer, startPostgres} from '../../support/postgres.ts';
import {
  type Answered,
  ownerToken,
  recordsOf,
  serveHere,
  type Serving,
} from '../../support/serving.ts';
import {listenTo, type StreamEvent, until} from '../../support/sse.ts';
import {folderWith} from '../../support/stage.ts';

let database: PostgresServer;
let schemas = 0;
let one: Serving;
let other: Serving;
beforeAll(async () => {
  database = await startPostgres();
});
afterAll(async () => await database.remove());

async function serve(id = 'here', change: (journal: Journal) => Journal = same): Promise<Serving> {
  const schema = `servers_${schemas}`;
  const keys = join(folderWith(), 'keys');
  const {id: key, pem} = makePublicKey(keys);
  const sign = createSigner(keys);
  const journal = change(await createPostgresJournal({url: database.url, schema, host: id, sign}));
  await journal.hosts?.enroll({id: key, name: id, key: pem});
  const host = {...createMemoryJournal({sign}).host, id};
  const server = await serveHere(folderWith(), {
    runtime: {journal, host, lendsRuns: true, config: {agent: {confirm_execution: true}}},
    records: recordsOf(journal),
    lengthOf: journal.log.lengthOf,
  });
  onTestFinished(async () => {
    await server.close();
    await journal.close();
  });
  return server;
}

function same(journal: Journal): Journal {
  return journal;
}

/** It records no message. */
function withoutRoom(journal: Journal): Journal {
  const append: Log['append'] = async (batch) => {
    if (batch.some(({bodies}) => bodies.some(({type}) => type === 'received')))
      throw new AppError('io', 'the disk is full');
    await journal.log.append(batch);
  };
  const {lineFor: _, ...log} = journal.log;
  return {...journal, log: {...log, append}};
}

beforeEach(async () => {
  schemas += 1;
  [one, other] = [await serve(), await serve()];
});

const ids = (events: readonly StreamEvent[]): string[] => events.flatMap(({id}) => id ?? []);

async function beginAgent(): Promise<string> {
  const body = {form: 'agent', request: 'Create a.txt with the text: hello'};
  const {json} = await one.ask('/v1/interactions', {token: ownerToken, body});
  return String(json['id']);
}

const follow = async ({url}: Serving, id: string, last = '') =>
  await listenTo(`${url}/v1/interactions/${id}/events`, ownerToken, {'last-event-id': last});

describe('with two servers', () => {
  test('a form is filled by messages to one and the other', async () => {
    const here = await fill(one.ask);
    const there = fillAgain(other.ask, here);
    expect((await there.look()).json).toMatchObject({state: 'interviewing', isAtWork: false});
    expect(await there.say('S')).toMatchObject({status: 200});
    expect(await here.say('slim')).toMatchObject({status: 200});
    expect((await there.look()).json).toMatchObject({state: 'confirming'});
    expect(await there.confirm()).toMatchObject({status: 200, json: {state: 'submitted'}});
    expect((await here.look()).json).toMatchObject({state: 'submitted'});
  });

  test('a message with a key is processed once, also when it goes to both at the same time', async () => {
    const here = await fill(one.ask);
    const there = fillAgain(other.ask, here);
    const key = {'idempotency-key': 'k1'};
    const answers = await Promise.all([here.say('S', key), there.say('S', key)]);
    const again = await there.say('S', key);

    expect(again).toMatchObject({status: 200});
    const answered = answers.filter(({status}) => status === 200);
    expect(answered.length).toBeGreaterThan(0);
    for (const {json} of answered) expect(messagesIn(json)).toEqual(messagesIn(again.json));
    const {messages} = (await here.look()).json;
    expect(messages).toMatchObject([{from: 'agent'}, {from: 'person', text: 'S'}, {from: 'agent'}]);
  });

  test('a reader that reconnects to the other server misses no message', async () => {
    const here = await fill(one.ask);
    const path = `/v1/submissions/${here.id}/events`;
    const first = await listenTo(one.url + path, here.token);
    await here.say('S');
    const seen = await until(first.events, ({id}) => id === '3');
    first.leave();
    const second = await listenTo(other.url + path, here.token, {'last-event-id': '3'});
    await here.say('slim');
    const rest = await until(second.events, ({id}) => id === '5');
    second.leave();

    const positions = [...seen, ...rest].flatMap(({event, id}) => (event === 'message' ? id : []));
    expect(positions).toEqual(['1', '2', '3', '4', '5']);
  });

  test('a reader of a run that reconnects to the other server in mid-run misses no event', async () => {
    const id = await beginAgent();
    const whole = await follow(one, id);
    const first = await follow(one, id);
    const seen = await until(first.events, ({event}) => event === 'plan.created');
    first.leave();
    const second = await follow(other, id, seen.at(-1)?.id);
    const more = await until(second.events, ({event}) => event === 'human.requested');
    second.leave();
    const third = await follow(one, id, more.at(-1)?.id);
    const look = await other.ask(`/v1/interactions/${id}`, {token: ownerToken});
    expect(look.json).toMatchObject({gates: [{question: {kind: 'confirmation'}}]});
    await one.ask(`/v1/interactions/${id}/decisions`, {
      token: ownerToken,
      body: {decision: 'approve'},
    });
    const rest = await until(third.events, ({event}) => event === 'result');

    const all = ids(await until(whole.events, ({event}) => event === 'result'));
    expect(new Set(all).size).toBe(all.length);
    expect(ids([...seen, ...more, ...rest])).toEqual(all);
    const afterwards = await follow(other, id);
    expect(ids(await until(afterwards.events, ({event}) => event === 'result'))).toEqual(all);
    expect(await afterwards.events.next()).toMatchObject({done: true});
  });

  test('a run that waits at one server is decided at the other, and its readers follow it there', async () => {
    const id = await beginAgent();
    const reader = await follow(one, id);
    await until(reader.events, ({event}) => event === 'human.requested');
    const decided = await other.ask(`/v1/interactions/${id}/decisions`, {
      token: ownerToken,
      body: {decision: 'approve', reason: 'at the other'},
    });
    expect(decided).toMatchObject({status: 200, json: {gates: []}});
    const rest = await until(reader.events, ({event}) => event === 'result');
    expect(rest.at(-1)?.data).toMatchObject({status: 'completed'});
    expect(rest.map(({event}) => event)).toContain('tool.called');
  });

  test('a decision at a server of another machine reaches the run where its folder is', async () => {
    const there = await serve('there');
    const id = await beginAgent();
    const reader = await follow(there, id);
    const [asked] = (await until(reader.events, ({event}) => event === 'human.requested')).slice(
      -1,
    );
    const decide = async (body: object): Promise<Answered> =>
      await there.ask(`/v1/interactions/${id}/decisions`, {token: ownerToken, body});
    expect((await decide({decision: 'retry'})).status).toBe(400);
    expect((await decide({gate: asked?.data['gate'], decision: 'approve'})).status).toBe(200);
    const rest = await until(reader.events, ({event}) => event === 'result');
    reader.leave();
    expect(rest.at(-1)?.data).toMatchObject({status: 'completed'});
    expect((await decide({decision: 'approve'})).status).toBe(409);
  });

  test('a run at one server is cancelled at the other', async () => {
    const id = await beginAgent();
    const reader = await follow(one, id);
    await until(reader.events, ({event}) => event === 'human.requested');
    await other.ask(`/v1/interactions/${id}/cancel`, {token: ownerToken, body: {}});
    const rest = await until(reader.events, ({event}) => event === 'result');
    expect(rest.at(-1)?.data).toMatchObject({status: 'cancelled'});
  });

  test('a message that could not be recorded is not answered, and is taken when it is sent again', async () => {
    const broken = await serve('here', withoutRoom);
    const here = await fill(broken.ask);
    const key = {'idempotency-key': 'k1'};
    expect(await here.say('S', key)).toMatchObject({
      status: 503,
      json: {error: {message: 'your message could not be recorded; send it again'}},
    });
    const there = fillAgain(one.ask, here);
    expect(await there.say('S', key)).toMatchObject({status: 200});
    const {messages} = (await there.look()).json;
    expect(messages).toMatchObject([{from: 'agent'}, {from: 'person', text: 'S'}, {from: 'agent'}]);
  });

  test('a server that dies leaves its submissions to the other', async () => {
    const here = await fill(one.ask);
    await here.say('S');
    await one.close();
    const there = fillAgain(other.ask, here);
    expect(await there.say('slim')).toMatchObject({status: 200});
    expect((await there.look()).json).toMatchObject({state: 'confirming'});
  });
});
