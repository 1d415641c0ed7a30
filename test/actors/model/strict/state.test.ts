/** Opaque state of a provider in a run: who receives it, and where it is never seen. */

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';
import {z} from 'zod';

import type {Entry} from '../../../../actors/journal/journal.ts';
import type {ProgressEvent} from '../../../../machines/facts/progress.ts';
import {type Said, sealMark} from '../../../support/strict/server.ts';
import {call, dialectNamed, strictWorld, work} from './dialects.ts';

test.each(['anthropic', 'deepseek', 'responses'])(
  'the state of %s is in the journal, and in nothing that is shown or judged',
  async (name) => {
    const {server, workspace, open} = await strictWorld(dialectNamed(name), work);
    const runtime = await open();
    const run = runtime.start({form: 'agent', request: 'Write c.txt', workspace});
    const events: ProgressEvent[] = [];
    for await (const event of run.events) events.push(event);
    const result = await run.result;
    const entries = await runtime.entries(run.id);
    expect(JSON.stringify(entries)).toContain(sealMark);
    const inspected = await runtime.inspectEntries(run.id, entries);
    const middle = Math.floor(entries.length / 2);
    const shown = {
      events,
      result,
      inspected,
      moment: await runtime.at(run.id, middle),
      diff: await runtime.diff(run.id, middle, entries.length - 2),
      ballots: server.bodies.filter((body) => body.includes('"cast_ballot"')),
    };
    const leaks = Object.entries(shown).filter(([, value]) =>
      JSON.stringify(value).includes(sealMark),
    );
    expect(leaks.map(([where]) => where)).toEqual([]);
    expect(await runtime.verify(run.id)).toMatchObject({holds: true});
  },
);

test('all ballots of a run are equal up to the cache mark: the plan, the calls and the result', async () => {
  const {server, workspace, open} = await strictWorld(dialectNamed('anthropic'), work);
  const runtime = await open({config: {agent: {require_final_review: true}}});
  await runtime.start({form: 'agent', request: 'Write c.txt', workspace}).result;
  const ballots = server.bodies.filter((body) => body.includes('"name":"cast_ballot"'));
  const beginnings = ballots.map((body) => {
    const {tools, system, messages} = z
      .looseObject({messages: z.array(firstBlock)})
      .parse(JSON.parse(body));
    return JSON.stringify([tools, system, messages[0]?.content[0]]);
  });
  expect(ballots).toHaveLength(3);
  expect(new Set(beginnings).size).toBe(1);
  expect(beginnings[0]).toContain('"cache_control"');
});

const firstBlock = z.looseObject({content: z.array(z.looseObject({type: z.string()}))});

test.each([
  ['gemini', 'Function call is missing a thought_signature', 'skip_thought_signature_validator'],
  ['deepseek', 'must be passed back', '"reasoning_content":" "'],
  ['llamacpp', undefined, undefined],
  ['anthropic', undefined, undefined],
  ['responses', undefined, undefined],
])(
  '%s: a model that continues the conversation of another gets none of its state',
  async (name, refusal, substitute = '') => {
    const {server, workspace, open} = await strictWorld(dialectNamed(name), ({turn}): Said =>
      turn < 4 ? call('read_file', {path: 'a.txt', offset: turn}) : {text: '42'},
    );
    const others = {
      exploration_model: 'strict/n',
      decision_model: 'strict/n',
      review_models: ['strict/n'],
    };
    const runtime = await open({config: {agent: others}});
    const run = runtime.start({form: 'ask', request: 'What is the answer?', workspace});
    await run.result;
    const {seq = 0} = (await runtime.entries(run.id)).filter(isTurn)[1] ?? {};
    const before = server.bodies.length;
    server.forget();
    const fork = await runtime.fork(run.id, {at: seq, settings: {ask: {model: 'strict/n'}}});
    expect(await fork.result).toMatchObject({status: 'completed', answer: '42'});
    const [first = '', ...later] = server.bodies.slice(before);
    expect(first).toContain('"model":"n"');
    expect(first).not.toContain(sealMark);
    expect(first).toContain(substitute);
    expect(later.at(-1)).toContain(sealMark);
    expect(server.refusals).toHaveLength(refusal === undefined ? 0 : 1);
    expect(server.refusals.join()).toContain(refusal ?? '');
  },
);

/** A model's reply with calls. */
function isTurn(entry: Entry): boolean {
  return entry.type === 'settled' && JSON.stringify(entry.outcome).includes('"calls":[{');
}

test('state of which a part is masked is dropped, because its provider would reject it', async () => {
  const {server, workspace, open} = await strictWorld(dialectNamed('deepseek'), work);
  writeFileSync(join(workspace, '.env'), `API_TOKEN=${sealMark}1\n`);
  const runtime = await open();
  const run = runtime.start({form: 'ask', request: 'What is the answer?', workspace});
  expect(await run.result).toMatchObject({status: 'completed'});
  expect(JSON.stringify(await runtime.entries(run.id))).not.toContain(`${sealMark}1"`);
  expect(server.refusals).toHaveLength(1);
});

test('a model that writes its calls as text is asked once to use the interface, then the failure names the setting', async () => {
  const text = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
  const {server, workspace, open} = await strictWorld(dialectNamed('openai'), (): Said => ({text}));
  const runtime = await open();
  const run = runtime.start({form: 'ask', request: 'What is the answer?', workspace});
  const {status, summary, answer} = await run.result;
  expect({status, answer}).toEqual({status: 'error', answer: undefined});
  expect(summary).toContain('--jinja');
  expect(server.bodies).toHaveLength(2);
  expect(server.bodies[1]).toContain('Call the tool through the tool interface');
});
