/** `quorate discuss`: offline, over the wire, as a document and as JSON. */

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {call} from '../support/agent-models.ts';
import {createLauncher, eventsOf, type Launched, type Launcher} from '../support/launch.ts';
import {
  type ReceivedRequest,
  type MockOpenAi,
  type Said,
  startMockOpenAi,
} from '../support/mock-openai.ts';

let launcher: Launcher;
let server: MockOpenAi | undefined;

beforeEach(() => {
  launcher = createLauncher();
  mkdirSync(join(launcher.folder, 'work/docs'), {recursive: true});
  writeFileSync(
    join(launcher.folder, 'work/docs/queue.md'),
    '# Queue\n\nThe queue on Redis lost 12 jobs in March.\nPostgres costs $40 a month more.\n',
  );
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  launcher.remove();
});

const question = 'Should we move the queue to Postgres?';

async function run(...args: string[]): Promise<Launched> {
  return await launcher.perform(['-C', 'work', ...args]);
}

async function serve(answer: (received: ReceivedRequest) => Said): Promise<void> {
  server = await startMockOpenAi(answer);
  mkdirSync(join(launcher.folder, 'config/quorate'), {recursive: true});
  writeFileSync(
    join(launcher.folder, 'config/quorate/config.toml'),
    `[providers.mock]\nkind = "openai-compatible"\nbase_url = "${server.baseUrl}"\n`,
  );
}

function speak({tools, model}: ReceivedRequest): Said {
  if (tools.includes('rank_answers')) {
    const review = {label: 'Response A', assessment: 'clear', score: model === 'ann' ? 4 : 8};
    return call('rank_answers', {ranking: ['Response A'], reviews: [review]});
  }
  if (!tools.includes('conclude')) return {text: `It is what ${model}x says.`};
  return call('conclude', {
    conclusion: 'Move it.',
    key_points: ['Backups \u001b[2Jdecide.'],
    agreements: [],
    disagreements: ['When.'],
  });
}

const voices = ['-m', 'participants=mock/ann,mock/bob', '-m', 'moderator=mock/chair'];

test('offline, rules quote passages about benefits, risks, cost and evidence, and state that they draw no conclusion', async () => {
  const {code, stdout, stderr} = await run('discuss', question);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^warning: No model is configured: /);
  expect(stdout).toMatch(
    /^Conclusion\n {2}No conclusion: rules quote and do not weigh arguments\./,
  );
  expect(stdout).toContain('cost: “Postgres costs $40 a month more.” (docs/queue.md:4)');
  expect(stdout).toContain('risks: “The queue on Redis lost 12 jobs in March.” (docs/queue.md:3)');
  expect(stdout).toContain(
    'participants by rule took part: they quote passages and have no opinion',
  );
  expect(stderr).toContain('no model was called');
});

test('offline, a discussion that found nothing says so, without a ranking', async () => {
  writeFileSync(join(launcher.folder, 'work/docs/queue.md'), '# Lamps\n\nThey are green.\n');
  const {code, stdout, stderr} = await run('discuss', 'Tabs or spaces?');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Conclusion\n {2}No conclusion: the rules found nothing to quote on this question\.\n\nDegraded\n/,
  );
  expect(stdout).not.toMatch(/Ranking|the same answer/);
  expect(stderr).not.toContain(' ranks ');
  const {stdout: json} = await run('discuss', 'Tabs or spaces?', '--output', 'json');
  expect(JSON.parse(json)).toMatchObject({discussion: {ranking: []}});
});

test.each([
  [
    'nothing for or against it',
    'They are green.',
    'No conclusion: the rules found nothing to quote for or against the position.',
    'Position of offline/benefits, without an objection of offline/risks',
  ],
  [
    'nothing for it',
    'Tabs or spaces: the move takes two weeks.',
    'No conclusion: the rules found nothing to quote for the position. Weigh the objections yourself.',
    'O1 minor, open',
  ],
])('offline, a debate that found %s says so', async (_, text, conclusion, part) => {
  writeFileSync(join(launcher.folder, 'work/docs/queue.md'), `# Lamps\n\n${text}\n`);
  const {stdout} = await run('discuss', '--strategy', 'debate', 'Tabs or spaces?');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`Conclusion ${conclusion}`);
  expect(stdout).toContain(part);
});

test('the result is a document; progress shows the answers and the rankings', async () => {
  await serve(speak);
  const {code, stdout, stderr} = await run('discuss', question, ...voices);
  expect(code).toBe(0);
  expect(stdout).toBe(`Conclusion
  Move it.

Key points
  - Backups \\x1b[2Jdecide.

Disagreements
  - When.

Ranking
  1. ann: mean place 1, mean score 8 of 10, 1 review
  2. bob: mean place 1, mean score 4 of 10, 1 review

Every answer in full: quorate show ${/discuss (\w+):/.exec(stderr)?.[1] ?? ''}
`);
  expect(stderr).toMatch(
    /▸ answering\n(?: {2}● \w+: It is what \w+x says\.\n){2}▸ peer reviewing\n/,
  );
  expect(stderr).toContain('● ann ranks bob (4)');
});

test('JSON has the discussion, JSONL its events, and show every complete answer', async () => {
  await serve(speak);
  const {stdout} = await run('discuss', question, ...voices, '--output', 'jsonl');
  const result = eventsOf(stdout).at(-1);
  expect(result).toMatchObject({
    type: 'result',
    form: 'discuss',
    discussion: {conclusion: 'Move it.', degraded: false, ranking: [{}, {}]},
  });
  const shown = await run('show', result?.interaction ?? '');
  expect(shown.stdout).toContain('Answer of ann\n  It is what annx says.');
  expect(shown.stdout).toContain('Answer of bob\n  It is what bobx says.');
});

test.each([
  [['discuss', question, '-m', 'participants=policy/safety'], /can only review; name a model/],
  [['discuss', question, '-m', 'moderator=nobody/x'], /nobody/],
  [['discuss', question, '--rule', 'unanimous'], /quorate discuss takes no --rule/],
  [['discuss', ' '], /the question is empty; write: quorate discuss/],
])('%j is refused', async (args, message) => {
  const {code, stderr} = await run(...args);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});

test('a debate by rule needs a person: it waits, shows the open objections, and continues with the decision', async () => {
  const first = await run('discuss', '--strategy', 'debate', question);
  expect(first.code).toBe(4);
  expect(first.stderr).toContain('After 2 rounds of debate 1 grave objection is open.');
  expect(first.stderr).toContain('O1 (major, stands): “The queue on Redis lost 12 jobs in March.”');
  expect(first.stderr).toContain('Accept the position nevertheless');
  const id = /discuss (\w+):/.exec(first.stderr)?.[1] ?? '';
  const last = await run('resume', id, '--decision', 'reject:we need the jobs');
  expect(last.code).toBe(1);
  expect(last.stdout).toContain(
    'rejected: The position was rejected by a person, as grave objections are open: we need the jobs.',
  );
  expect(last.stdout).toContain('O1 major, open');
});
