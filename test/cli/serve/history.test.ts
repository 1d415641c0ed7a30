/** The past of the owner's runs over the wire: points, moments, forks and rewinds. */

import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {
  type Answered,
  ownerToken,
  serveHere,
  type Serving,
  temporaryFolder,
} from '../../support/serving.ts';
import {listenTo, until} from '../../support/sse.ts';

let place: ReturnType<typeof temporaryFolder>;
let server: Serving;
beforeEach(async () => {
  place = temporaryFolder();
  server = await serveHere(place.folder);
});
afterEach(async () => {
  await server.close();
  place.remove();
});

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
  expect(await ask(`${id}/fork`, {at: 'task:create'})).toMatchObject({
    status: 400,
    json: {error: {message: expect.stringContaining('has changed a.txt')}},
  });
  const dry = await ask(`${id}/rewind`, {to: 'task:create', dryRun: true});
  expect(dry.json).toMatchObject({files: {files: [{path: 'a.txt', outcome: 'removed'}]}});
  expect(existsSync(join(place.folder, 'a.txt'))).toBe(true);
  const {status, json} = await ask(`${id}/rewind`, {to: 'task:create'});
  expect(status).toBe(200);
  expect(json).toMatchObject({interaction: {id: expect.any(String), form: 'agent'}});
  const {json: list} = await server.ask('/v1/interactions', {token});
  const [fork = ''] = JSON.stringify(list).match(/(?<="id":")\w+/) ?? [];
  expect(fork).not.toBe(id);
  expect(await finish(fork)).toMatchObject({status: 'completed'});
  expect(existsSync(join(place.folder, 'a.txt'))).toBe(true);
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
