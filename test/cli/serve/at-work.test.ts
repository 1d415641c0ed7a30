/** Submissions whose models are slow or unavailable, or whose work is interrupted. */

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';

import {expect, onTestFinished, test} from 'vitest';

import {silentLogger} from '../../../actors/logger.ts';
import {openForms} from '../../../cli/serve/forms.ts';
import {fill, fillAgain, type Filling, messagesIn} from '../../support/filling.ts';
import {roleOf, willing} from '../../support/interviewing.ts';
import {type MockOpenAi, type Said, startMockOpenAi} from '../../support/mock-openai.ts';
import {launchServer} from '../../support/serving.ts';
import {listenTo, until} from '../../support/sse.ts';
import {setServer} from './stage.ts';

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

function saidBy(person: 'person' | 'agent', messages: ReturnType<typeof messagesIn>): string[] {
  return messages.filter(({from}) => from === person).map(({text}) => text);
}

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

test('a server that shuts down during an answer loses nothing of it', async () => {
  const filling = await fill(server.ask, 'work');
  const asked = Promise.withResolvers<void>();
  reviewer = async () => {
    asked.resolve();
    return 'hang';
  };
  const cut = filling.say('Ten years', key);
  await asked.promise;
  await server.close();
  expect(await cut).toMatchObject({status: 503, json: {error: {code: 'unavailable'}}});

  reviewer = undefined;
  await reopen();
  const again = fillAgain(server.ask, filling);
  expect(await again.say('Ten years', key)).toMatchObject({
    status: 200,
    json: {messages: [{text: 'Ten years'}, {text: 'Please tell me: Hobbies'}]},
  });
});

test('a read after a crash continues the interrupted work', async () => {
  const filling = await fill(server.ask, 'work');
  const asked = Promise.withResolvers<void>();
  reviewer = async () => {
    asked.resolve();
    return 'hang';
  };
  const cut = filling.say('Ten years');
  await asked.promise;
  await server.close();
  await cut;
  reviewer = undefined;
  await reopen();
  const again = fillAgain(server.ask, filling);
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
