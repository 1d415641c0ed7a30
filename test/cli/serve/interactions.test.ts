/** The owner's runs over the wire. */

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test, describe} from 'vitest';

import {type Answered, ownerToken} from '../../support/serving.ts';
import {listenTo, until} from '../../support/sse.ts';
import {setServer} from './stage.ts';

describe('the runs of the owner', () => {
  const {server, folder, restart} = setServer(() => ({
    runtime: {config: {agent: {confirm_execution: true}}},
  }));

  const token = ownerToken;

  async function begin(form: string, request: string): Promise<string> {
    const {status, json} = await server.ask('/v1/interactions', {token, body: {form, request}});
    expect({status, json}).toMatchObject({status: 201, json: {form, request}});
    return String(json['id']);
  }

  async function look(id: string): Promise<Answered['json']> {
    return (await server.ask(`/v1/interactions/${id}`, {token})).json;
  }

  async function follow(id: string, headers = {}) {
    return await listenTo(`${server.url}/v1/interactions/${id}/events`, token, headers);
  }

  test('a question is asked, followed and answered', async () => {
    const id = await begin('ask', 'What is 2 + 3?');
    const {events} = await follow(id);
    const received = await until(events, ({event}) => event === 'result');

    expect(received.map(({event}) => event)).toContain('tool.called');
    expect(received.at(-1)?.data).toMatchObject({status: 'completed', answer: '2 + 3 = 5'});
    expect(await events.next()).toMatchObject({done: true});
    expect(await look(id)).toMatchObject({status: 'completed', gates: [], result: {exitCode: 0}});
    const {json} = await server.ask('/v1/interactions', {token});
    expect(json).toEqual({
      interactions: [{id, form: 'ask', request: 'What is 2 + 3?', status: 'completed'}],
    });
  });

  test('a question may need no folder, and a task does', async () => {
    const body = {form: 'ask', request: 'What is 2 + 4?', folder: false};
    const {json} = await server.ask('/v1/interactions', {token, body});
    const {events} = await follow(String(json['id']));
    const received = await until(events, ({event}) => event === 'result');
    expect(received.at(-1)?.data).toMatchObject({status: 'completed', answer: '2 + 4 = 6'});
    const task = {form: 'agent', request: 'Create a.txt with the text: hello', folder: false};
    const refused = await server.ask('/v1/interactions', {token, body: task});
    expect(refused).toMatchObject({
      status: 400,
      json: {error: {message: expect.stringContaining('folder')}},
    });
  });

  test('a client that reconnects receives the events after its last one', async () => {
    const id = await begin('agent', 'Create a.txt with the text: hello');
    const first = await follow(id);
    const seen = await until(first.events, ({event}) => event === 'human.requested');
    first.leave();
    const last = seen.at(-3);
    const second = await follow(id, {'last-event-id': last?.id ?? ''});
    const again = await until(second.events, ({event}) => event === 'human.requested');
    second.leave();

    expect(again.map((each) => each.id)).toEqual(seen.slice(-2).map((each) => each.id));
  });

  test('a client that reconnects to the restarted server receives the events after its last one', async () => {
    const id = await begin('agent', 'Create a.txt with the text: hello');
    const first = await follow(id);
    const seen = await until(first.events, ({event}) => event === 'human.requested');
    await restart();
    const second = await follow(id, {'last-event-id': seen.at(-3)?.id ?? ''});
    const again = await until(second.events, ({event}) => event === 'human.requested');

    expect(again.map((each) => each.id)).toEqual(seen.slice(-2).map((each) => each.id));
    const path = `/v1/interactions/${id}/decisions`;
    await server.ask(path, {token, body: {decision: 'approve'}});
    const rest = await until(second.events, ({event}) => event === 'result');
    const {events} = await follow(id);
    const all = await until(events, ({event}) => event === 'result');
    const ids = [...seen, ...rest].flatMap((each) => each.id ?? []);
    expect(all.map((each) => each.id)).toEqual(ids);
  });

  test('the owner decides on a waiting agent, which writes in the folder of the server', async () => {
    const id = await begin('agent', 'Create a.txt with the text: hello');
    const {events, leave} = await follow(id);
    const [asked] = (await until(events, ({event}) => event === 'human.requested')).slice(-1);
    const decide = async (body: object): Promise<Answered> =>
      await server.ask(`/v1/interactions/${id}/decisions`, {token, body});

    const gate = asked?.data['gate'];
    expect(await decide({gate: 'i/nobody', decision: 'approve'})).toMatchObject({
      status: 409,
      json: {
        error: {message: expect.stringContaining(`no open gate is "i/nobody": ${String(gate)}`)},
      },
    });
    expect((await decide({digest: '00000000', decision: 'approve'})).status).toBe(409);
    expect((await decide({decision: 'revise'})).status).toBe(400);
    expect((await decide({decision: 'revise', reason: 'one file only'})).status).toBe(200);
    await until(events, ({event}) => event === 'human.requested');
    expect((await decide({decision: 'dance'})).status).toBe(400);
    expect((await decide({decision: 'retry'})).status).toBe(400);
    const question: unknown = asked?.data['question'];
    const digest = /"proposalHash":"(\w{12})/.exec(JSON.stringify(question))?.[1];
    const {status} = await decide({digest, decision: 'approve', reason: 'I read it'});
    expect(status).toBe(200);
    await until(events, ({event}) => event === 'result');
    leave();
    expect(await look(id)).toMatchObject({
      result: {
        decisions: expect.arrayContaining([
          expect.objectContaining({by: 'person', reason: 'I read it'}),
        ]),
      },
    });
    expect(await decide({decision: 'approve'})).toMatchObject({
      status: 409,
      json: {error: {code: 'nothing_waiting', message: `${id} has ended: completed`}},
    });
    expect(readFileSync(join(folder(), 'a.txt'), 'utf8').trim()).toBe('hello');
  });

  test('a run is cancelled, and has ended then', async () => {
    const id = await begin('agent', 'Create a.txt with the text: hello');
    const cancel = async (): Promise<Answered> =>
      await server.ask(`/v1/interactions/${id}/cancel`, {token, body: {}});

    expect(await cancel()).toMatchObject({status: 200, json: {status: 'cancelled'}});
    expect(await cancel()).toMatchObject({status: 404, json: {error: {code: 'not_found'}}});
  });

  test('a run that this server did not begin is read-only', async () => {
    const {id, result} = server.runtime.ask('What is 1 + 1?');
    await result;

    expect(await look(id)).toMatchObject({form: 'ask', status: 'completed', gates: []});
    const {events} = await follow(id);
    const read = await until(events, ({event}) => event === 'result');
    expect(read.map(({event}) => event)).toContain('tool.called');
    expect(read.at(-1)?.data).toMatchObject({answer: '1 + 1 = 2'});
    expect(await events.next()).toMatchObject({done: true});
    for (const [path, body] of [
      ['decisions', {decision: 'approve'}],
      ['cancel', {}],
    ] as const) {
      expect(await server.ask(`/v1/interactions/${id}/${path}`, {token, body})).toMatchObject({
        status: 404,
        json: {error: {message: expect.stringContaining(`did not begin ${id}`)}},
      });
    }
    const {json} = await server.ask('/v1/interactions', {token});
    expect(json).toEqual({interactions: []});
  });

  test('an open run that this server did not begin is shown unchanged', async () => {
    const run = server.runtime.agent('Create a.txt with the text: hello');
    for await (const {type} of run.events) if (type === 'human.requested') break;
    const gates = [{question: {kind: 'confirmation'}}];
    expect(await look(run.id)).toMatchObject({status: 'running', gates});

    await run.suspend('waiting');
    expect(await look(run.id)).toMatchObject({status: 'waiting', gates});
    const {events, leave} = await follow(run.id);
    const read = await until(events, ({event}) => event === 'human.requested');
    leave();
    expect(read.map(({event}) => event)).toContain('plan.created');
    const body = {decision: 'approve'};
    const path = `/v1/interactions/${run.id}`;
    expect((await server.ask(`${path}/decisions`, {token, body})).status).toBe(404);
    expect((await server.ask(`${path}/cancel`, {token, body: {}})).status).toBe(404);
    expect(await look(run.id)).toMatchObject({status: 'waiting'});
    expect(existsSync(join(folder(), 'a.txt'))).toBe(false);
  });

  test('the journal is for the owner: nobody else can read its runs, and an unknown run is not found', async () => {
    const {id, result} = server.runtime.ask('What is 1 + 1?');
    await result;
    for (const path of ['', '/events']) {
      expect((await server.ask(`/v1/interactions/${id}${path}`)).status).toBe(401);
      expect((await server.ask(`/v1/interactions/nobody${path}`, {token})).status).toBe(404);
    }
  });

  test('a restarted server continues a waiting run, which can then be decided', async () => {
    const id = await begin('agent', 'Create a.txt with the text: hello');
    const before = await follow(id);
    await until(before.events, ({event}) => event === 'human.requested');
    await restart({});

    const {events} = await follow(id, {'last-event-id': 'another-1'});
    await until(events, ({event}) => event === 'human.requested');
    expect(await look(id)).toMatchObject({gates: [{question: {kind: 'confirmation'}}]});
    const path = `/v1/interactions/${id}/decisions`;
    await server.ask(path, {token, body: {decision: 'approve'}});
    await until(events, ({event}) => event === 'result');
    expect(await look(id)).toMatchObject({status: 'completed'});
    expect(readFileSync(join(folder(), 'a.txt'), 'utf8').trim()).toBe('hello');
  });

  test('the owner receives the error for a forbidden configuration', async () => {
    await restart({runtime: {config: {quorum: {rule: 'at_least:9'}}}});
    const body = {form: 'agent', request: 'Create a.txt with the text: hello'};
    expect(await server.ask('/v1/interactions', {token, body})).toMatchObject({
      status: 503,
      json: {error: {code: 'config', message: expect.stringContaining('at_least:9')}},
    });
  });
});

describe('the past of the runs: points, moments, forks and rewinds', () => {
  const {server, folder} = setServer();

  const token = ownerToken;

  async function ask(path: string, body?: object): Promise<Answered> {
    return await server.ask(`/v1/interactions/${path}`, {token, ...(body ? {body} : {})});
  }

  async function finish(id: string): Promise<Answered['json']> {
    const {events} = await listenTo(`${server.url}/v1/interactions/${id}/events`, token, {});
    const received = await until(events, ({event}) => event === 'result');
    return received.at(-1)?.data ?? {};
  }

  async function written(): Promise<string> {
    const request = 'Create a.txt with the text: hello';
    const {json} = await server.ask('/v1/interactions', {token, body: {form: 'agent', request}});
    const id = String(json['id']);
    expect(await finish(id)).toMatchObject({status: 'completed'});
    return id;
  }

  test('the points of a run are listed, and it is shown at one of them', async () => {
    const id = await written();
    const {json} = await ask(`${id}/points`);
    expect(json).toMatchObject({interaction: id, differences: []});
    expect(json['points']).toContainEqual({name: 'plan.1', before: 0, after: 3});
    expect((await ask(`${id}/moments/plan.1`)).json).toMatchObject({entry: 3});
    expect(await ask(`${id}/moments/plan.9`)).toMatchObject({
      status: 400,
      json: {error: {code: 'usage', message: expect.stringContaining('it has plan.1')}},
    });
  });

  test('a run is not forked over its later changes, but rewound', async () => {
    const id = await written();
    expect(await ask(`${id}/fork`, {at: 'task:do'})).toMatchObject({
      status: 400,
      json: {error: {message: expect.stringContaining('has changed a.txt')}},
    });
    const dry = await ask(`${id}/rewind`, {to: 'task:do', dryRun: true});
    expect(dry.json).toMatchObject({files: {files: [{path: 'a.txt', outcome: 'removed'}]}});
    expect(existsSync(join(folder(), 'a.txt'))).toBe(true);
    const {status, json} = await ask(`${id}/rewind`, {to: 'task:do'});
    expect(status).toBe(200);
    expect(json).toMatchObject({interaction: {id: expect.any(String), form: 'agent'}});
    const {json: list} = await server.ask('/v1/interactions', {token});
    const [fork = ''] = JSON.stringify(list).match(/(?<="id":")\w+/) ?? [];
    expect(fork).not.toBe(id);
    expect(await finish(fork)).toMatchObject({status: 'completed'});
    expect(existsSync(join(folder(), 'a.txt'))).toBe(true);
  });

  test('a fork with other settings is a new run of this server', async () => {
    const id = await written();
    const entries = Number((await ask(`${id}/points`)).json['entries']);
    const settings = {agent: {max_replans: 0}};
    const forked = await ask(`${id}/fork`, {at: entries - 2, settings});
    expect(forked.status).toBe(201);
    const {json} = await server.ask('/v1/interactions', {token});
    expect(json['interactions']).toHaveLength(2);
  });

  test('only the owner sees and changes the past', async () => {
    const id = await written();
    for (const path of ['points', 'moments/1'])
      expect(await server.ask(`/v1/interactions/${id}/${path}`, {})).toMatchObject({status: 401});
    const body = {at: 1};
    expect(await server.ask(`/v1/interactions/${id}/fork`, {body})).toMatchObject({status: 401});
    expect(await ask('nobody/points')).toMatchObject({status: 404});
    expect(await ask(`${id}/fork`, {at: -1})).toMatchObject({status: 400});
  });
});
