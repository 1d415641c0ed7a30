/** Two servers on one journal: each answers for every submission, whichever has it in memory. */

import {afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test} from 'vitest';

import {createMemoryJournal} from '../../../actors/index.ts';
import {createPostgresJournal} from '../../../actors/journal/postgres/postgres.ts';
import {fill, fillAgain, messagesIn} from '../../support/filling.ts';
import {type PostgresServer, startPostgres} from '../../support/postgres.ts';
import {recordsOf, serveHere, type Serving} from '../../support/serving.ts';
import {listenTo, until} from '../../support/sse.ts';
import {folderWith} from '../../support/stage.ts';

let database: PostgresServer;
let schemas = 0;
let one: Serving;
let other: Serving;
beforeAll(async () => {
  database = await startPostgres();
});
afterAll(async () => await database.remove());

async function serve(): Promise<Serving> {
  const schema = `servers_${schemas}`;
  const journal = await createPostgresJournal({url: database.url, schema});
  const {host} = createMemoryJournal();
  const server = await serveHere(folderWith(), {
    runtime: {journal, host, lendsRuns: true},
    records: recordsOf(journal),
    lengthOf: journal.log.lengthOf,
  });
  onTestFinished(async () => {
    await server.close();
    await journal.close();
  });
  return server;
}

beforeEach(async () => {
  schemas += 1;
  [one, other] = [await serve(), await serve()];
});

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

  test('a server that dies leaves its submissions to the other', async () => {
    const here = await fill(one.ask);
    await here.say('S');
    await one.close();
    const there = fillAgain(other.ask, here);
    expect(await there.say('slim')).toMatchObject({status: 200});
    expect((await there.look()).json).toMatchObject({state: 'confirming'});
  });
});
