/**
 * The repair of a small project by an agent with the default panel of two, as models on a server carry it out: look, read,
 * edit, a failing test, another edit, a passing test, report. The worker reads only what its prompt does not contain.
 */

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {createRuntime} from '../../actors/index.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {ballot, call} from './agent-models.ts';
import {type ReceivedRequest, type Said, startMockOpenAi} from './mock-openai.ts';

const source = `import {roundHalfUp} from './round.js';

/** The price after a discount in percent. */
export function discounted(price, percent) {
  return roundHalfUp(price - percent);
}
`;

const files = {
  'README.md': '# shop\n\nPrices of a shop. `npm test` runs the tests.\n',
  'package.json': `${JSON.stringify({name: 'shop', version: '1.0.0', type: 'module', scripts: {test: 'node --test'}}, undefined, 2)}\n`,
  'src/round.js': 'export const roundHalfUp = (value) => Math.floor(value + 0.5);\n',
  'src/discount.js': source,
  'test/discount.test.js': `import assert from 'node:assert/strict';
import {test} from 'node:test';

import {discounted} from '../src/discount.js';

test('ten percent of 200', () => assert.equal(discounted(200, 10), 180));
test('a third of 10 is rounded', () => assert.equal(discounted(10, 33), 7));
`,
};

const request = 'discounted(200, 10) returns 190 instead of 180. Fix it; npm test must pass.';
const wrong = 'roundHalfUp(price - price / percent)';
const right = 'roundHalfUp(price - (price * percent) / 100)';

/** Calls of models, and tokens (characters / 4) of their system texts, messages and tools. */
export interface RoleFigures {
  readonly role: string;
  readonly calls: number;
  readonly tokens: number;
}

export interface BugFix {
  readonly result: RunResult;
  readonly roles: readonly RoleFigures[];
  readonly received: readonly ReceivedRequest[];
}

/** `isBatched`: the worker edits and tests in one turn. */
export async function fixBug(isBatched: boolean): Promise<BugFix> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-bug-fix-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), {recursive: true});
    writeFileSync(join(workspace, path), text);
  }
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    [...author, 'commit', '-qm', 'Prices'],
  ])
    execFileSync('git', args, {cwd: workspace});
  const server = await startMockOpenAi((each) => speak(each, isBatched));
  const runtime = createRuntime({
    env: {PATH: process.env['PATH'] ?? ''},
    config: {
      agent: {
        exploration_model: 'mock/explorer',
        decision_model: 'mock/worker',
        review_models: ['mock/a', 'mock/b'],
        hil_mode: 'auto_reject',
      },
      providers: {mock: {kind: 'openai-compatible', base_url: server.baseUrl}},
    },
  });
  try {
    const result = await runtime.start({form: 'agent', request, workspace}).result;
    return {result, roles: figuresOf(server.received), received: server.received};
  } finally {
    await runtime.close();
    await server.close();
    rmSync(workspace, {recursive: true});
  }
}

function figuresOf(received: readonly ReceivedRequest[]): RoleFigures[] {
  const byRole = Map.groupBy(received, roleOf);
  return [...byRole].map(([role, requests]) => ({
    role,
    calls: requests.length,
    tokens: requests.reduce((sum, each) => sum + tokensOf(each), 0),
  }));
}

function tokensOf({text, definitions}: ReceivedRequest): number {
  return Math.ceil((text.length + JSON.stringify(definitions).length) / 4);
}

function roleOf({tools, text, model}: ReceivedRequest): string {
  if (tools.includes('create_plan')) return 'planner';
  if (tools.includes('evaluate_result')) return 'evaluator';
  if (tools.includes('cast_ballot'))
    return /# Proposal \(plan/.test(text) ? 'panel, plan' : 'panel, actions';
  if (model === 'explorer') return 'explorer';
  return tools.includes('edit_file') ? 'worker' : 'closing';
}

function speak(received: ReceivedRequest, isBatched: boolean): Said {
  switch (roleOf(received)) {
    case 'planner':
      return call('create_plan', plan);
    case 'evaluator':
      return call('evaluate_result', {successful: true, problems: []});
    case 'panel, plan':
    case 'panel, actions':
      return ballot('approve', 'It is needed, and its arguments are right.');
    case 'explorer':
      return explore(received);
    case 'worker':
      return work(received, isBatched);
    default:
      return {text: report};
  }
}

const plan = {
  objective: 'Fix the discount',
  reasoning: 'The percentage is subtracted as an amount.',
  tasks: [
    {
      id: 'fix',
      description: 'Fix discounted() in src/discount.js and run the tests',
      expected_outcome: 'npm test passes',
      context_mode: 'full',
    },
  ],
};

const report =
  'discounted() subtracted the percentage as an amount. It now subtracts price * percent / 100; npm test passes.';

function explore({turn}: ReceivedRequest): Said {
  if (turn === 0) return call('read_file', {path: 'src/discount.js'});
  if (turn === 1) return call('read_file', {path: 'test/discount.test.js'});
  return {text: 'src/discount.js subtracts the percentage itself. npm test runs node --test.'};
}

type Step = readonly {readonly name: string; readonly args: unknown}[];

const test = {name: 'run_command', args: {command: 'npm test'}};

function edit(from: string, to: string): Step[number] {
  return {name: 'edit_file', args: {path: 'src/discount.js', old_text: from, new_text: to}};
}

function work({text, turn}: ReceivedRequest, isBatched: boolean): Said {
  const isKnown = text.split('\n# Task')[0]?.includes('roundHalfUp(price - percent)') === true;
  const looks: Step[] = [
    [{name: 'grep_search', args: {pattern: 'discounted'}}],
    [{name: 'read_file', args: {path: 'src/discount.js'}}],
  ];
  const first = edit('roundHalfUp(price - percent)', wrong);
  const second = edit(wrong, right);
  const acts: Step[] = isBatched
    ? [
        [first, test],
        [second, test],
      ]
    : [[first], [test], [second], [test]];
  const step = [...(isKnown ? [] : looks), ...acts][turn];
  return step ? {calls: step} : {text: report};
}
