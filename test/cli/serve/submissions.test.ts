/** A form that is filled over the wire, from its first question to its end. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {isDeep} from '../../support/depth.ts';
import {fill, fillAgain, known, messagesIn} from '../../support/filling.ts';
import {ownerToken} from '../../support/serving.ts';
import {setServer} from './stage.ts';

const {server, folder, restart} = setServer();

test('a form is filled, shown for confirmation, submitted once and exported', async () => {
  const filling = await fill(server.ask);
  expect(filling.messages).toMatchObject([{position: 1, from: 'agent'}]);
  expect(filling.messages[0]?.text).toContain('Size');

  const first = await filling.say('L');
  expect(first).toMatchObject({
    status: 200,
    json: {
      state: 'interviewing',
      messages: [
        {position: 2, from: 'person', text: 'L', field: 'size'},
        {position: 3, from: 'agent', field: 'fit'},
      ],
    },
  });
  await filling.say('slim');
  const last = await filling.say('no, thank you');
  expect(last.json['state']).toBe('confirming');
  expect((await filling.look()).json).toMatchObject({
    form: 't-shirt',
    title: 'Your conference T-shirt',
    state: 'confirming',
    canSubmit: true,
    isAtWork: false,
    open: [],
    fields: [
      {id: 'size', status: 'done', value: 'L', quote: 'L'},
      {id: 'fit', status: 'done', value: 'slim'},
      {id: 'remarks'},
    ],
  });
  expect(await filling.confirm()).toMatchObject({status: 200, json: {state: 'submitted'}});
  expect(await filling.confirm()).toMatchObject({
    status: 200,
    json: {state: 'submitted', messages: []},
  });
  expect(await filling.say('one more')).toMatchObject({
    status: 409,
    json: {error: {code: 'not_now'}},
  });
  const {json} = await filling.look('/export');
  expect(json).toMatchObject({
    form: 't-shirt',
    submission: filling.id,
    status: 'submitted',
    ...known,
    answers: {size: {status: 'done', value: 'L', quote: 'L'}, fit: {value: 'slim'}},
  });
  expect((await filling.look()).json).toMatchObject({state: 'submitted', hasEnded: true});
});

test('an incomplete submission cannot be submitted, and the error lists the open fields', async () => {
  const filling = await fill(server.ask);
  expect(await filling.confirm()).toMatchObject({
    status: 409,
    json: {error: {code: 'not_now', open: ['size']}},
  });
  await filling.say('S');
  expect((await filling.look('/export')).json).toMatchObject({
    status: 'interviewing',
    answers: {size: {value: 'S'}},
  });
});

test('an answer is corrected by its field, also while it is confirmed', async () => {
  const filling = await fill(server.ask);
  await filling.say('S');
  await filling.say('none');
  const corrected = await filling.say({text: 'M', field: 'size'});

  expect(corrected).toMatchObject({status: 200, json: {state: 'confirming'}});
  expect((await filling.look('/export')).json).toMatchObject({answers: {size: {value: 'M'}}});
});

test.each(['nothing', 'constructor', '__proto__'])(
  'an answer to a field that the form does not have is refused, and nothing is lost: %s',
  async (field) => {
    const filling = await fill(server.ask);
    await filling.say('S');
    expect((await filling.say({text: 'M', field})).status).toBe(400);
    expect((await filling.say('none')).json).toMatchObject({state: 'confirming'});
  },
);

test('an invalid language, country or time zone is ignored, and a question asks for it', async () => {
  const nonsense = {language: '<b>', country: '__proto__', timezone: '../../etc/passwd'};
  const filling = await fill(server.ask, 't-shirt', nonsense);
  expect(filling.messages).toMatchObject([{agent: 'greeter', section: 'language'}]);
  const partly = await fill(server.ask, 't-shirt', {...known, timezone: 'Mars/Base'});
  expect((await partly.look('/export')).json).toMatchObject({
    language: 'en',
    country: 'DE',
    timezone: 'Europe/Berlin',
  });
});

test('the settings that a browser suggests are assumed, stated at the confirmation, and changed by a word', async () => {
  const device = {locale: 'en-US', timezone: 'Europe/Berlin'};
  const filling = await fill(server.ask, 't-shirt', {device});
  expect(filling.messages).toMatchObject([{agent: 'interviewer', field: 'size'}]);
  await filling.say('S');
  const {json} = await filling.say('/skip');
  expect(messagesIn(json).at(-1)?.text).toContain(
    'Assumed: language English, time zone Europe/Berlin.',
  );
  await filling.say('Japan');
  await filling.say('time zone: London');
  expect((await filling.look('/export')).json).toMatchObject({
    language: 'en-US',
    country: 'JP',
    timezone: 'Europe/London',
    assumed: ['language'],
    answers: {remarks: {status: 'skipped'}},
  });
});

test.each([
  ['ja-JP', 'Asia/Tokyo', {language: 'ja-JP', country: 'JP', timezone: 'Asia/Tokyo'}],
  ['de', 'Europe/Vienna', {language: 'de', country: 'AT', timezone: 'Europe/Vienna'}],
  ['en-US', 'UTC', {language: 'en-US', timezone: 'UTC'}],
])(
  'a country is assumed where the language %s and the time zone %s agree',
  async (locale, timezone, suggested) => {
    const filling = await fill(server.ask, 't-shirt', {device: {locale, timezone}});
    const {json} = await filling.look('/export');
    const {language, country, timezone: zone} = json;
    expect({language, country, timezone: zone}).toEqual({country: undefined, ...suggested});
  },
);

test('without a browser, the header says the language', async () => {
  const headers = {'accept-language': 'ja,en;q=0.5'};
  const {json} = await server.ask('/v1/forms/t-shirt/submissions', {body: {}, headers});
  expect(messagesIn(json)[0]?.text).toContain('それでは始めましょう。');
  const home = await fetch(`${server.url}/`, {headers});
  expect(await home.text()).toMatch(/<h1>フォーム<\/h1>[^]*3問/);
});

test('commands work with and without a slash', async () => {
  const filling = await fill(server.ask);
  const lastOf = async (text: string): Promise<string> =>
    messagesIn((await filling.say(text)).json).at(-1)?.text ?? '';
  expect(await lastOf('/help')).toContain('You can say “skip”');
  expect(await lastOf('why?')).toContain('The form gives no other reason.');
  expect(await lastOf('/back')).toContain('This is the first question.');
  expect(await lastOf('/スキップ')).toContain('the form needs an answer to “Size”');
  expect((await filling.look('/export')).json).toMatchObject({
    answers: {size: {status: 'interviewing'}},
  });
});

test('a submission shows its respondent only documented members', async () => {
  const {json} = await server.ask('/openapi.json');
  const {properties} = Object(json)['components']['schemas']['Submission'];
  const filling = await fill(server.ask);
  const shown = async (): Promise<string[]> => Object.keys((await filling.look()).json);
  const undocumented = (names: string[]) => names.filter((name) => !(name in properties));

  expect(undocumented(await shown())).toEqual([]);
  await filling.say('S');
  await filling.say('none');
  await filling.confirm();
  expect(undocumented(await shown())).toEqual([]);
  expect(await shown()).toContain('hasEnded');
});

describe('a submission', () => {
  const paths = ['', '/events', '/export'];

  test('is closed without a token, with that of another, and with an unknown one', async () => {
    const [mine, other] = [await fill(server.ask), await fill(server.ask)];
    const statuses = async (token: string | undefined): Promise<number[]> => {
      const at = `/v1/submissions/${mine.id}`;
      const who = token === undefined ? {} : {token};
      const replies = [
        ...paths.map(async (path) => await server.ask(at + path, who)),
        server.ask(`${at}/messages`, {...who, body: {text: 'S'}}),
        server.ask(`${at}/confirm`, {...who, body: {}}),
        server.ask(at, {...who, method: 'DELETE'}),
      ];
      return (await Promise.all(replies)).map(({status}) => status);
    };
    expect(await statuses(undefined)).toEqual(Array.from({length: 6}, () => 401));
    expect(await statuses('nobody')).toEqual(Array.from({length: 6}, () => 401));
    expect(await statuses(other.token)).toEqual(Array.from({length: 6}, () => 403));
    expect((await mine.look()).json).toMatchObject({messages: [{position: 1}]});
  });

  test('of another person cannot be distinguished from a missing one', async () => {
    const {token} = await fill(server.ask);
    expect((await server.ask('/v1/submissions/nothing-here', {token})).status).toBe(403);
    const asOwner = await server.ask('/v1/submissions/nothing-here', {token: ownerToken});
    expect(asOwner).toMatchObject({status: 404, json: {error: {code: 'not_found'}}});
  });

  test('gives no access to the interface of the owner', async () => {
    const {token} = await fill(server.ask);
    for (const path of ['/v1/interactions', '/v1/forms', '/v1/forms/t-shirt/export'])
      expect((await server.ask(path, {token})).status).toBe(403);
  });

  test.each([
    ['nothing', {}],
    ['a blank text', {text: '  '}],
    ['a text that is too long', {text: 'x'.repeat(20_001)}],
    ['a member that nobody knows', {text: 'x', words: 'y'}],
    ['a number', {text: 7}],
  ])('does not accept %s as a message', async (_, body) => {
    const filling = await fill(server.ask);
    expect(await filling.say(body)).toMatchObject({
      status: 400,
      json: {error: {code: 'malformed'}},
    });
  });

  test('accepts no body above its limit, and no invalid JSON', async () => {
    const {id, token} = await fill(server.ask);
    const send = async (body: string): Promise<number> =>
      (await server.ask(`/v1/submissions/${id}/messages`, {token, body})).status;
    expect(await send(JSON.stringify({text: 'x'.repeat(70_000)}))).toBe(413);
    expect(await send('{"text": "S"')).toBe(400);
  });
});

describe('a message that is posted twice with one key', () => {
  const key = {'idempotency-key': 'a-key'};

  test('is received once, and has the same answer again', async () => {
    const filling = await fill(server.ask);
    const [one, other] = await Promise.all([filling.say('L', key), filling.say('L', key)]);
    await filling.say('slim');
    const late = await filling.say({text: 'L', seen: 1}, key);

    expect(one.status).toBe(200);
    expect(other.json).toEqual(one.json);
    expect(messagesIn(late.json)).toEqual(messagesIn(one.json));
    const said = messagesIn((await filling.look()).json).filter(({from}) => from === 'person');
    expect(said.map(({text}) => text)).toEqual(['L', 'slim']);
  });

  test('is refused with another text', async () => {
    const filling = await fill(server.ask);
    await filling.say('L', key);
    expect(await filling.say('slim', key)).toMatchObject({
      status: 409,
      json: {error: {code: 'key_reused'}},
    });
  });

  test('is received once also when the server restarted in between', async () => {
    const filling = await fill(server.ask);
    const before = await filling.say('L', key);
    await restart();
    const after = await fillAgain(server.ask, filling).say('L', key);

    expect(after).toMatchObject({status: 200, json: before.json});
  });

  test('needs a valid key', async () => {
    const filling = await fill(server.ask);
    const {status} = await filling.say('L', {'idempotency-key': 'x'.repeat(201)});
    expect(status).toBe(400);
  });
});

describe('two tabs on one submission', () => {
  test('that send at the same time are not both accepted', async () => {
    const filling = await fill(server.ask);
    const tabs = ['L', 'M'].map(async (text) => await filling.say({text, seen: 1}));
    const statuses = (await Promise.all(tabs)).map(({status}) => status);

    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
    const said = messagesIn((await filling.look()).json).filter(({from}) => from === 'person');
    expect(said).toHaveLength(1);
  });

  test('that lacks the other’s message receives a conflict', async () => {
    const filling = await fill(server.ask);
    await filling.say({text: 'L', seen: 1});
    expect(await filling.say({text: 'M', seen: 1})).toMatchObject({
      status: 409,
      json: {error: {code: 'conversation_moved'}},
    });
    expect((await filling.say({text: 'slim', seen: 3})).status).toBe(200);
  });
});

test('an erased submission is gone: its token, its journal, and every byte of its messages', async () => {
  const [mine, other] = [await fill(server.ask), await fill(server.ask)];
  await mine.say('S');
  const secret = `the ${'unmistakable words '.repeat(20)}`;
  await mine.say(secret, {'idempotency-key': 'my-own-key'});
  await other.say('M');
  const gone = await server.ask(`/v1/submissions/${mine.id}`, {
    token: mine.token,
    method: 'DELETE',
  });

  expect(gone.status).toBe(204);
  expect((await mine.look()).status).toBe(401);
  expect((await other.look()).status).toBe(200);
  const asOwner = await server.ask(`/v1/submissions/${mine.id}`, {token: ownerToken});
  expect(asOwner.status).toBe(404);
  const bytes = readdirSync(folder(), {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => readFileSync(join(parentPath, name), 'latin1'))
    .join('');
  expect(bytes).toContain(other.id);
  for (const trace of [mine.id, 'unmistakable', 'my-own-key']) expect(bytes).not.toContain(trace);
});

test('many submissions at once are all answered, each with its own token', async () => {
  const length = isDeep ? 200 : 50;
  const fillings = await Promise.all(Array.from({length}, async () => await fill(server.ask)));
  expect(new Set(fillings.map(({id}) => id)).size).toBe(length);
  expect(new Set(fillings.map(({token}) => token)).size).toBe(length);
  const answers = await Promise.all(fillings.map(async ({say}) => await say('L')));
  expect(new Set(answers.map(({status}) => status))).toEqual(new Set([200]));
});

test('a submission with too many messages receives the time to wait', async () => {
  const filling = await fill(server.ask);
  const all = await Promise.all(
    Array.from({length: 300}, async () => await filling.say({text: 'L', seen: 99})),
  );
  expect(new Set(all.map(({status}) => status))).toEqual(new Set([409, 429]));
  const late = all.find(({status}) => status === 429);
  expect(late?.headers.get('retry-after')).toBe('1');
});
