/** An ensemble for a person: the flag, the progress, the table of `show`, with models over the wire. */

import {mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {act, ballot, call, isBallot, writePlan} from '../support/agent-models.ts';
import {createLauncher, eventsOf, type Launcher} from '../support/launch.ts';
import {
  type ReceivedRequest,
  type MockOpenAi,
  type Said,
  startMockOpenAi,
} from '../support/mock-openai.ts';
import {useMockPanel} from '../support/mock-panel.ts';

let launcher: Launcher;
let server: MockOpenAi;
/** True when the panel rejects the plan of a single planner. */
let isOpposed: boolean;

const planBy = (model: string) => ({
  ...writePlan,
  objective: `Write a note, as ${model} would`,
  tasks: [{...writePlan.tasks[0], args: {path: 'note.txt', content: `${model}\n`}}],
});

/** The reviewers draft; the others prefer the draft of b. */
function answer(received: ReceivedRequest): Said {
  if (received.tools.includes('raise_objections')) {
    const objections = [{severity: 'critical', objection: 'nobody asked for a note'}];
    return call('raise_objections', {objections});
  }
  if (received.tools.includes('answer_objections')) {
    return call('answer_objections', {answers: [{id: 'O1', answer: 'the request did'}]});
  }
  if (received.tools.includes('rule_on_objections')) {
    const rulings = [{id: 'O1', ruling: 'stands', reason: 'it is not said why'}];
    return call('rule_on_objections', {rulings});
  }
  if (received.tools.includes('score_plan')) {
    const score = received.text.includes('as b would') ? 9 : 4;
    return call('score_plan', {score, reasons: [`worth ${score}`]});
  }
  if (received.tools.includes('create_plan')) return call('create_plan', planBy(received.model));
  if (!isBallot(received)) return act(received);
  return ballot(isOpposed && received.text.includes('as worker would') ? 'reject' : 'approve');
}

beforeEach(async () => {
  isOpposed = false;
  launcher = createLauncher();
  server = await startMockOpenAi(answer);
  mkdirSync(join(launcher.folder, 'work'));
  useMockPanel(launcher, server);
});

afterEach(async () => {
  await server.close();
  launcher.remove();
});

test('the reviewers draft and score, and the best draft is voted on and run', async () => {
  const args = ['-C', 'work', '--ensemble', '--output', 'jsonl', 'Write a note'];
  const {code, stdout} = await launcher.perform(args);
  const events = eventsOf(stdout);
  expect(code).toBe(0);
  expect(readFileSync(join(launcher.folder, 'work/note.txt'), 'utf8')).toBe('b\n');
  expect(events.filter(({type}) => type === 'ensemble.drafted')).toHaveLength(3);
  expect(events.filter(({type}) => type === 'ensemble.scored')).toHaveLength(6);
  expect(events.find(({type}) => type === 'ensemble.chosen')).toMatchObject({
    isLow: false,
    drafts: [{mean: 4}, {mean: 9}, {mean: 4}],
  });
  expect(events.find(({type}) => type === 'plan.created')).toMatchObject({
    plan: {objective: 'Write a note, as b would'},
    by: expect.stringMatching(/b$/),
  });
  const id = String(events[0]?.interaction);
  const shown = await launcher.perform(['-C', 'work', 'show', id]);
  expect(shown.stdout).toMatch(/\nDrafts\n +4\.0 +\S*a: Write a note, as a would\n/);
  expect(shown.stdout).toMatch(/✓ +9\.0 +\S*b: Write a note, as b would\n +9 by \S*a: worth 9\n/);
});

test('an ensemble needs two models, and does not exist in fast: both are reported', async () => {
  const one = await launcher.perform([
    '-C',
    'work',
    '--ensemble',
    '-m',
    'review=mock/a',
    'Write a note',
  ]);
  expect(one.stderr).toContain('an ensemble needs two models on the panel');
  expect(one.code).toBe(0);
  const fast = await launcher.perform([
    '-C',
    'work',
    '--ensemble',
    '--scope',
    'fast',
    'Write a note',
  ]);
  expect(fast.stderr).toContain(
    'with the scope fast one model plans alone; the ensemble is not used',
  );
});

test('with strategy = "debate" the reviewers read the open objections of a debate', async () => {
  useMockPanel(launcher, server, {agent: 'strategy = "debate"'});
  const {code, stdout} = await launcher.perform([
    '-C',
    'work',
    '--ensemble',
    '--output',
    'jsonl',
    'Write a note',
  ]);
  expect(code).toBe(0);
  expect(eventsOf(stdout).some(({type}) => type === 'debate.turn')).toBe(true);
  const votes = server.received.filter(
    (received) => isBallot(received) && received.text.includes('(plan'),
  );
  expect(votes.length).toBeGreaterThan(0);
  for (const {text: read} of votes) {
    expect(read).toContain(
      '# Objections that a debate has left\n> - critical: nobody asked for a note; answered: the request did',
    );
  }
});

test('a run that is resumed with an ensemble makes its next draft with it, debated on request', async () => {
  const args = ['-C', 'work', '--max-calls', '2', '--output', 'json', 'Write a note'];
  const first = await launcher.perform(args);
  expect(first.code).toBe(3);
  const {interaction} = JSON.parse(first.stdout);
  isOpposed = true;
  const alone = await launcher.perform(['resume', interaction, '--strategy', 'debate']);
  expect(alone.stderr).toContain('agent.strategy: solo with debate is a contradiction');
  const flags = ['--max-calls', '200', '--ensemble', '--strategy', 'debate', '--output', 'jsonl'];
  const {code, stdout} = await launcher.perform(['resume', interaction, ...flags]);
  expect(code).toBe(0);
  const drafted = eventsOf(stdout).filter(({type}) => type === 'ensemble.drafted');
  expect(drafted).toHaveLength(3);
  expect(eventsOf(stdout).some(({type}) => type === 'debate.turn')).toBe(true);
  expect(readFileSync(join(launcher.folder, 'work/note.txt'), 'utf8')).toBe('b\n');
  const shown = await launcher.perform(['show', interaction]);
  expect(shown.stdout).toContain(
    '\n  agent.strategy = "debate"\n  agent.consensus_level = "ensemble"\n',
  );
});
