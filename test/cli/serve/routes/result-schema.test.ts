/** The results of runs from the server match its OpenAPI document, without undocumented members. */

import {afterEach, beforeEach, expect, test} from 'vitest';
import {z} from 'zod';

import {ownerToken, serveHere, type Serving, temporaryFolder} from '../../../support/serving.ts';
import {listenTo, until} from '../../../support/sse.ts';

const token = ownerToken;
let place: ReturnType<typeof temporaryFolder>;
let server: Serving;
beforeEach(async () => {
  place = temporaryFolder();
  server = await serveHere(place.folder, {runtime: {config: {agent: {confirm_execution: true}}}});
});
afterEach(async () => {
  await server.close();
  place.remove();
});

function closed(schema: object): object {
  return {...schema, additionalProperties: false};
}

/** A check by a schema of the document, which allows no other members. */
async function described(name: string): Promise<z.ZodType> {
  const {json} = await server.ask('/openapi.json');
  const {schemas} = Object(json['components']);
  const definitions = Object.entries(Object(schemas)).map(([id, schema]) => {
    const isOpen = id === 'Interaction' || id === 'Result' || id === 'Gate';
    return [id, isOpen ? closed(Object(schema)) : schema];
  });
  const text = JSON.stringify({$ref: `#/$defs/${name}`, $defs: Object.fromEntries(definitions)});
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
}

/** Begins a run, approves its questions, and reads it at each of its stops. */
async function readStops(form: string, request: string): Promise<readonly object[]> {
  const {json} = await server.ask('/v1/interactions', {token, body: {form, request}});
  const path = `/v1/interactions/${String(json['id'])}`;
  const look = async (): Promise<object> => (await server.ask(path, {token})).json;
  const {events, leave} = await listenTo(`${server.url}${path}/events`, token);
  const stops: object[] = [];
  await until(events, ({event}) => event === 'human.requested' || event === 'result');
  stops.push(await look());
  if (!('result' in Object(stops[0]))) {
    await server.ask(`${path}/decisions`, {token, body: {decision: 'approve'}});
    await until(events, ({event}) => event === 'result');
    stops.push(await look());
  }
  leave();
  return stops;
}

test.each([
  ['agent', 'Create a.txt with the text: hello', 2],
  ['agent', 'Fix the whole program', 1],
  ['agent', 'a.txt に「hello」と書いてください', 2],
  ['ask', 'What is 2 + 3?', 1],
  ['ask', 'Where is nothing defined?', 1],
  ['discuss', 'Tabs or spaces?', 1],
] as const)('of the form %s, %j is answered as documented', async (form, request, count) => {
  const check = await described('Interaction');
  const stops = await readStops(form, request);
  expect(stops).toHaveLength(count);
  expect(stops.at(-1)).toMatchObject({result: {type: 'result'}});
  for (const stop of stops) expect(check.safeParse(stop)).toMatchObject({success: true});
});

test('the check refuses an undocumented member', async () => {
  const check = await described('Result');
  const usage = {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0};
  const result = {
    type: 'result',
    interaction: 'a',
    form: 'ask',
    status: 'error',
    exitCode: 2,
    summary: '',
    usage,
    resumable: true,
  };
  expect(check.safeParse(result)).toMatchObject({success: true});
  expect(check.safeParse({...result, unknown: 1})).toMatchObject({success: false});
});
