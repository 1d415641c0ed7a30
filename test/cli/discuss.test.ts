/** Several models for a person: `quorate discuss`, and an ensemble of planners. */

import {readFileSync} from 'node:fs';

import {describe, expect, test} from 'vitest';

import {act, ballot, call, isBallot, writePlan} from '../support/agent-models.ts';
import {eventsOf} from '../support/launch.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {setStage} from './stage.ts';

const question = 'Should we move the queue to Postgres?';

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

describe('discuss', () => {
  const {launch, put, serve} = setStage({
    prepare: () =>
      void put(
        'docs/queue.md',
        '# Queue\n\nThe queue on Redis lost 12 jobs in March.\nPostgres costs $40 a month more.\n',
      ),
  });

  test('offline, rules quote passages about benefits, risks, cost and evidence, and state that they draw no conclusion', async () => {
    const {code, stdout, stderr} = await launch('discuss', question);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: No model is configured: /);
    expect(stdout).toMatch(
      /^Conclusion\n {2}No conclusion: rules quote and do not weigh arguments\./,
    );
    expect(stdout).toContain('cost: “Postgres costs $40 a month more.” (docs/queue.md:4)');
    expect(stdout).toContain(
      'risks: “The queue on Redis lost 12 jobs in March.” (docs/queue.md:3)',
    );
    expect(stdout).toContain(
      'participants by rule took part: they quote passages and have no opinion',
    );
    expect(stderr).toContain('no model was called');
  });

  test('offline, a discussion that found nothing says so, without a ranking', async () => {
    put('docs/queue.md', '# Lamps\n\nThey are green.\n');
    const {code, stdout, stderr} = await launch('discuss', 'Tabs or spaces?');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Conclusion\n {2}No conclusion: the rules found nothing to quote on this question\.\n\nDegraded\n/,
    );
    expect(stdout).not.toMatch(/Ranking|the same answer/);
    expect(stderr).not.toContain(' ranks ');
    const {stdout: json} = await launch('discuss', 'Tabs or spaces?', '--output', 'json');
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
    put('docs/queue.md', `# Lamps\n\n${text}\n`);
    const {stdout} = await launch('discuss', '--strategy', 'debate', 'Tabs or spaces?');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`Conclusion ${conclusion}`);
    expect(stdout).toContain(part);
  });

  test('the result is a document; progress shows the answers and the rankings', async () => {
    await serve(speak);
    const {code, stdout, stderr} = await launch('discuss', question, ...voices);
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
    const {stdout} = await launch('discuss', question, ...voices, '--output', 'jsonl');
    const result = eventsOf(stdout).at(-1);
    expect(result).toMatchObject({
      type: 'result',
      form: 'discuss',
      discussion: {conclusion: 'Move it.', degraded: false, ranking: [{}, {}]},
    });
    const shown = await launch('show', result?.interaction ?? '');
    expect(shown.stdout).toContain('Answer of ann\n  It is what annx says.');
    expect(shown.stdout).toContain('Answer of bob\n  It is what bobx says.');
  });

  test('a debate by rule needs a person: it waits, shows the open objections, and continues with the decision', async () => {
    const first = await launch('discuss', '--strategy', 'debate', question);
    expect(first.code).toBe(4);
    expect(first.stderr).toContain('After 2 rounds of debate 1 grave objection is open.');
    expect(first.stderr).toContain(
      'O1 (major, stands): “The queue on Redis lost 12 jobs in March.”',
    );
    expect(first.stderr).toContain('Accept the position nevertheless');
    const id = /discuss (\w+):/.exec(first.stderr)?.[1] ?? '';
    const last = await launch('resume', id, '--decision', 'reject:we need the jobs');
    expect(last.code).toBe(1);
    expect(last.stdout).toContain(
      'rejected: The position was rejected by a person, as grave objections are open: we need the jobs.',
    );
    expect(last.stdout).toContain('O1 major, open');
  });
});

const planBy = (model: string) => ({
  ...writePlan,
  objective: `Write a note, as ${model} would`,
  tasks: [{...writePlan.tasks[0], args: {path: 'note.txt', content: `${model}\n`}}],
});

describe('an ensemble', () => {
  const {at, launch, serve, server} = setStage({
    models: answer,
    prepare: () => {
      isOpposed = false;
    },
  });

  /** True when the panel rejects the plan of a single planner. */
  let isOpposed: boolean;

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

  test('the reviewers draft and score, and the best draft is voted on and run', async () => {
    const {code, stdout} = await launch('--ensemble', '--output', 'jsonl', 'Write a note');
    const events = eventsOf(stdout);
    expect(code).toBe(0);
    expect(readFileSync(at('work/note.txt'), 'utf8')).toBe('b\n');
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
    const shown = await launch('show', id);
    expect(shown.stdout).toMatch(/\nDrafts\n +4\.0 +\S*a: Write a note, as a would\n/);
    expect(shown.stdout).toMatch(/✓ +9\.0 +\S*b: Write a note, as b would\n +9 by \S*a: worth 9\n/);
  });

  test('an ensemble needs two models, and does not exist in fast: both are reported', async () => {
    const one = await launch('--ensemble', '-m', 'review=mock/a', 'Write a note');
    expect(one.stderr).toContain('an ensemble needs two models on the panel');
    expect(one.code).toBe(0);
    const fast = await launch('--ensemble', '--scope', 'fast', 'Write a note');
    expect(fast.stderr).toContain(
      'with the scope fast one model plans alone; the ensemble is not used',
    );
  });

  test('with strategy = "debate" the reviewers read the open objections of a debate', async () => {
    await serve(answer, {agent: 'strategy = "debate"'});
    const {code, stdout} = await launch('--ensemble', '--output', 'jsonl', 'Write a note');
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
    const first = await launch('--max-calls', '2', '--output', 'json', 'Write a note');
    expect(first.code).toBe(3);
    const {interaction} = JSON.parse(first.stdout);
    isOpposed = true;
    const alone = await launch('resume', interaction, '--strategy', 'debate');
    expect(alone.stderr).toContain('agent.strategy: solo with debate is a contradiction');
    const flags = ['--max-calls', '200', '--ensemble', '--strategy', 'debate', '--output', 'jsonl'];
    const {code, stdout} = await launch('resume', interaction, ...flags);
    expect(code).toBe(0);
    const drafted = eventsOf(stdout).filter(({type}) => type === 'ensemble.drafted');
    expect(drafted).toHaveLength(3);
    expect(eventsOf(stdout).some(({type}) => type === 'debate.turn')).toBe(true);
    expect(readFileSync(at('work/note.txt'), 'utf8')).toBe('b\n');
    const shown = await launch('show', interaction);
    expect(shown.stdout).toContain(
      '\n  agent.strategy = "debate"\n  agent.consensus_level = "ensemble"\n',
    );
  });
});
