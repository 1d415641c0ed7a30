/** `quorate ask`: offline, over the wire, in text, JSON and JSONL, and with bad input. */

import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {createLauncher, eventsOf, type Launched, type Launcher} from '../support/launch.ts';
import {startMockOpenAi} from '../support/mock-openai.ts';

let launcher: Launcher;
let workspace: string;

beforeEach(() => {
  launcher = createLauncher();
  workspace = join(launcher.folder, 'work');
  mkdirSync(join(workspace, 'docs'), {recursive: true});
});
afterEach(() => launcher.remove());

function put(path: string, text: string): void {
  writeFileSync(join(workspace, path), text);
}

function configure(toml: string): void {
  mkdirSync(join(launcher.folder, 'config/quorate'), {recursive: true});
  writeFileSync(join(launcher.folder, 'config/quorate/config.toml'), toml);
}

async function ask(...args: string[]): Promise<Launched> {
  return await launcher.perform(['-C', workspace, 'ask', ...args]);
}

function sales(): void {
  const database = new DatabaseSync(join(workspace, 'sales.sqlite'));
  database.exec(`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, order_date TEXT);
    INSERT INTO customers VALUES (1, 'Ann'), (2, 'Bob'), (3, 'Cy'), (4, 'Di');
    INSERT INTO orders (customer_id, order_date) VALUES (1, '2025-01-02'), (2, '2025-02-03'), (2, '2025-03-04'),
      (3, '2025-01-01'), (3, '2025-01-02'), (3, '2025-01-03'), (4, '2024-01-01');`);
  database.close();
}

describe('offline', () => {
  test('arithmetic is computed; stdout has the answer alone, stderr the steps', async () => {
    const {code, stdout, stderr} = await ask('What is (17 ** 3 - 1) // 7 % 100?');
    expect([code, stdout]).toEqual([0, '(17 ** 3 - 1) // 7 % 100 = 1\n']);
    expect(stderr).toMatch(/^warning: No model is configured: .*\n/);
    expect(stderr).toMatch(/calculates \(17 \*\* 3 - 1\) \/\/ 7 % 100/);
    expect(stderr).toMatch(/no model was called/);
  });

  test('a question on code is answered with the line and its place', async () => {
    put('planner.ts', '// Plans.\nexport const retryLimit = 5;\n');
    put('other.ts', 'export const limit = 1;\n');
    const {code, stdout} = await ask(
      'Where is the retry limit of the planner defined, and what is it?',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/planner\.ts:2\n> export const retryLimit = 5;/);
    expect(stdout).toMatch(/Sources\n {2}planner\.ts:2\n/);
  });

  test.each([
    [
      "SELECT name FROM customers WHERE name LIKE 'A%'",
      /^name\nAnn\n\n1 row\n\nSources\n {2}sales\.sqlite: “SELECT name .*”\n$/,
    ],
    [
      'Which three customers ordered most in 2025?',
      /^customers +orders\nCy +3\nBob +2\nAnn +1\n\n3 rows\n\nThe question was read as: SELECT .*\n\nSources\n {2}sales\.sqlite\n$/,
    ],
    [
      'How many orders did Bob make?',
      /^2\n\nThe question was read as: SELECT .*\n\nSources\n {2}sales\.sqlite\n$/,
    ],
  ])('%j is answered by the database, and the query is shown once', async (question, answer) => {
    sales();
    const {code, stdout} = await ask('--db', 'sales.sqlite', question);
    expect(code).toBe(0);
    expect(stdout).toMatch(answer);
  });

  test('documents are searched in Japanese, and quoted verbatim with their place', async () => {
    put('docs/tokyo.md', '# 東京店\n\n営業時間は午前10時から午後8時までです。\n');
    put('docs/osaka.md', '# 大阪店\n\n営業時間は午前9時から午後7時までです。\n');
    put('docs/returns.md', '# 返品\n\n返品は購入から30日以内に受け付けます。\n');
    const {code, stdout} = await ask('--docs', 'docs/**/*.md', '東京の営業時間は？');
    expect(code).toBe(0);
    expect(stdout).toMatch(/docs\/tokyo\.md:\d+-\d+/);
    expect(stdout).toContain('営業時間は午前10時から午後8時までです。');
    expect(stdout.indexOf('tokyo')).toBeLessThan((stdout.indexOf('osaka') + 1e9) % 1e9);
  });

  test('reports that no document is searched', async () => {
    const {code, stdout} = await ask('--docs', 'none/*.md', 'When are we open?');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^No searched file contains .*\n\nNo document matches the globs .*--docs/,
    );
  });

  test('the question may come from standard input', async () => {
    const {code, stdout} = await launcher.run(['-C', workspace, 'ask', '-'], {
      stdin: '1 + 1\n',
    });
    expect([code, stdout]).toEqual([0, '1 + 1 = 2\n']);
  });
});

describe('output', () => {
  test('as JSON has the result with its steps', async () => {
    const {stdout} = await ask('--output', 'json', '2 ** 10');
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'result',
      form: 'ask',
      status: 'completed',
      answer: '2 ** 10 = 1024',
      toolCalls: 1,
      stoppedReason: 'completed',
      steps: [{action: 'calculator', input: {expression: '2 ** 10'}, observation: '1024'}],
    });
  });

  test('as JSONL has every event, the result last', async () => {
    const {stdout} = await ask('--output', 'jsonl', '2 ** 10');
    const events = eventsOf(stdout);
    expect(events.map(({type}) => type)).toEqual(
      expect.arrayContaining(['interaction.started', 'phase.changed', 'tool.called', 'usage']),
    );
    expect(events.at(-1)).toMatchObject({type: 'result', answer: '2 ** 10 = 1024'});
  });

  test('a question is in the list and can be shown again', async () => {
    await ask('2 + 2');
    const {stdout} = await launcher.perform(['sessions', '--all', '--output', 'json']);
    const [{id}]: [{id: string}] = JSON.parse(stdout);
    expect((await launcher.perform(['sessions', '--all'])).stdout).toMatch(
      /ask +ended: completed +\S+ +.* 2 \+ 2$/m,
    );
    const {stdout: shown} = await launcher.perform(['show', id]);
    expect(shown).toMatch(/2 \+ 2 = 4\n[\s\S]*calculator \{"expression":"2 \+ 2"\} → 4\n/);
    expect(shown).toMatch(/completed \(completed\)\n.*no model was called/);
  });
});

describe('with a model over the wire', () => {
  test('the schema of the database is offered, and the model answers from the rows that it found', async () => {
    sales();
    const server = await startMockOpenAi((received) =>
      received.turn === 0
        ? {calls: [{name: 'database', args: {sql: 'SELECT count(*) AS n FROM orders'}}]}
        : {text: `There are ${/"n": ?(\d+)/.exec(received.text)?.[1] ?? '?'} orders.`},
    );
    try {
      configure(`[ask]\nmodel = "mock/asker"\n[providers.mock]\nbase_url = "${server.baseUrl}"\n`);
      const {code, stdout} = await ask('--db', 'sales.sqlite', 'How many orders are there?');
      expect([code, stdout.split('\n')[0]]).toEqual([0, 'There are 7 orders.']);
      const [first] = server.received;
      expect(first?.tools).toContain('database');
      expect(first?.tools).not.toContain('write_file');
      expect(server.received.every(({model}) => model === 'asker')).toBe(true);
    } finally {
      await server.close();
    }
  });

  test('a page from the private network is fetched only if that is configured', async () => {
    const server = await startMockOpenAi((received) =>
      received.turn === 0
        ? {calls: [{name: 'web_fetch', args: {url: `${server.baseUrl}/page`}}]}
        : {text: /not on the public internet|private/.test(received.text) ? 'denied' : 'fetched'},
    );
    const models = `[ask]\nmodel = "mock/asker"\n[providers.mock]\nbase_url = "${server.baseUrl}"\n`;
    try {
      configure(`${models}[web]\nenabled = true\n`);
      expect((await ask('Look')).stdout).toMatch(/^denied/);
      configure(models);
      expect((await ask('Look')).stderr).toMatch(/no tool "web_fetch"/);
    } finally {
      await server.close();
    }
  });
});

describe('the doctor', () => {
  test('reports that no run can start with a missing database', async () => {
    configure('[database]\npath = "none.sqlite"\n');
    const {code, stdout} = await launcher.perform(['-C', workspace, 'doctor']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/FAILED +tools +.*none\.sqlite: there is no such file/);
  });
});

describe('questions that cannot run', () => {
  test.each([
    ['no such database', ['--db', 'none.sqlite', 'x'], /none\.sqlite: there is no such file/],
    ['a file that is no database', ['--db', 'notes.md', 'x'], /notes\.md/],
    ['a glob that leads out', ['--docs', '../**/*.md', 'x'], /search\.paths.*climbs/],
    ['a named model without its key', ['-m', 'ask=gpt-5.2', 'x'], /OPENAI_API_KEY/],
    ['an empty question', ['  '], /the question is empty/],
    ['a flag of another command', ['--decision', 'approve', 'x'], /--decision.*quorate resume/],
  ])('%s: exit 2, one clear message, no run', async (_, args, message) => {
    put('notes.md', '# Notes\n');
    const {code, stdout, stderr} = await ask(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect((await launcher.perform(['sessions', '--all'])).stdout).toMatch(/no runs yet/);
  });

  test('as JSON, the error is a result of the form ask', async () => {
    const {code, stdout} = await ask('--output', 'json', '--db', 'none.sqlite', 'x');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({status: 'error', form: 'ask'});
  });

  test('an invalid pattern: the message names the place', async () => {
    configure('[guardrails]\nblocked_patterns = ["(?<=x)y"]\n');
    const {code, stderr} = await ask('1 + 1');
    expect(code).toBe(2);
    expect(stderr).toMatch(/config\.toml:2.*guardrails\.blocked_patterns.*RE2/);
  });

  test('a blocked question exits 1 and says why', async () => {
    configure('[guardrails]\nblocked_patterns = ["(?i)secret"]\n');
    const {code, stdout} = await ask('What is the SECRET?');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^rejected: Blocked by a guardrail: .*\(\?i\)secret/);
    expect(existsSync(join(launcher.folder, 'data/cache'))).toBe(false);
  });
});
