/** The verb `review`, without models and with models over the wire. */

import {readFileSync, writeFileSync} from 'node:fs';

import {execa} from 'execa';
import type {Log} from 'sarif';
import {beforeEach, describe, expect, test} from 'vitest';

import {recordedDiff} from '../fixtures/recorded-diffs.ts';
import {ballot} from '../support/agent-models.ts';
import {eventsOf, type Launched} from '../support/launch.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {setStage} from './stage.ts';

const {at, launch, launcher, put, serve, server, workspace} = setStage();

async function review(args: readonly string[], stdin?: string): Promise<Launched> {
  const options = stdin === undefined ? {} : {stdin};
  return await launcher.perform(['-C', 'work', 'review', ...args], options);
}

describe('no model that can be used', () => {
  const approvedByRule = 'The policy reviewers found nothing; no model has read the diff.';

  test.each<[string, Readonly<Record<string, string>>]>([
    ['missing', {}],
    ['empty, as for a pull request from a fork', {ANTHROPIC_API_KEY: '', OPENAI_API_KEY: ''}],
    ['blank', {ANTHROPIC_API_KEY: ' ', OPENAI_API_KEY: '\n'}],
  ])('with keys %s, a review exits 2 and names the remedies', async (_, env) => {
    const {code, stdout, stderr} = await launcher.perform(
      ['-C', 'work', 'review', '--output', 'json'],
      {stdin: recordedDiff('ok-refactor'), env},
    );
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({status: 'error', error: {code: 'credentials'}});
    expect(stderr).toMatch(/no model can review the diff; set ANTHROPIC_API_KEY.*--scope fast/s);
  });

  test.each([
    ['--scope', 'fast'],
    ['-m', 'review=policy/*'],
    ['-m', 'review=policy/safety,policy/scope'],
  ])(
    '%s %s asks for rules alone, and the result says that no model has read the diff',
    async (...args) => {
      const {code, stdout} = await review(
        [...args, '--output', 'json', '-q'],
        recordedDiff('ok-refactor'),
      );
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({approved: true, synthesis: approvedByRule});
    },
  );
});

const fast = ['--scope', 'fast'];

describe('by rule alone', () => {
  test('a diff that the policies refuse is rejected, with the finding and its place', async () => {
    const {code, stdout, stderr} = await review(fast, recordedDiff('no-focused-test'));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^rejected: test\/sum\.test\.ts: vetoed by policy\/evidence/);
    expect(stdout).toMatch(/\n\ntest\/sum\.test\.ts\n +2 +major +focused-test: "test\.only\("/);
    expect(stdout.match(/test\.only/g)).toHaveLength(1);
    expect(stderr).toContain('No model has a seat: the policy reviewers judge');
  });

  test('a harmless diff in a file is approved', async () => {
    writeFileSync(at('ok.diff'), recordedDiff('ok-refactor'));
    const {code, stdout} = await review([...fast, '--diff', at('ok.diff')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^completed: The policy reviewers found nothing; no model has read the diff\.\n/,
    );
  });

  test('JSON has the verdict and only the members that programs read, and so has the last line of JSONL', async () => {
    const {code, stdout} = await review(
      [...fast, '--output', 'json', '-q'],
      recordedDiff('no-secret'),
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      approved: false,
      rule: 'unanimous',
      votes: [{model: 'policy/safety', verdict: 'reject'}, {}, {}],
      comments: [
        {
          file: 'src/config.js',
          line: 2,
          severity: 'critical',
          message: expect.stringMatching(/^committed-secret: /),
          seat: 'policy/safety',
        },
      ],
      synthesis: expect.stringContaining('vetoed by policy/safety (committed-secret)'),
      degraded: false,
      usage: {modelCalls: 0},
    });
    const lines = await review([...fast, '--output', 'jsonl'], recordedDiff('no-secret'));
    const last = {type: 'result', form: 'review', status: 'rejected', exitCode: 1};
    const members = {approved: false, comments: [{line: 2}]};
    expect(eventsOf(lines.stdout).at(-1)).toMatchObject({...last, ...members});
  });

  test('an empty diff is an error of one line, unless --allow-empty approves it', async () => {
    for (const empty of ['', ' \n']) {
      const {code, stdout, stderr} = await review([], empty);
      expect({code, stdout}).toEqual({code: 2, stdout: ''});
      expect(stderr).toMatch(/^quorate: the diff is empty: [^\n]+ --allow-empty\n$/);
      expect(await review(['-q', '--allow-empty'], empty)).toMatchObject({code: 0});
    }
  });

  test('a malformed diff and a missing one are refused', async () => {
    const malformed = await review(
      fast,
      recordedDiff('ok-refactor').split('\n').slice(0, -2).join('\n'),
    );
    expect(malformed).toMatchObject({code: 2, stdout: ''});
    expect(malformed.stderr).toContain('this is not a diff that can be reviewed');
    expect(await review([])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no diff; write: git diff main | quorate review'),
    });
    expect(await review(['--diff', 'nowhere.diff'])).toMatchObject({code: 2});
    expect(await review(['--hil', 'auto_reject', '--allow-empty'], '')).toMatchObject({code: 2});
  });

  test('a diff of five megabytes is judged', async () => {
    const files = Array.from({length: 350}, (_, nth) => {
      const lines = Array.from(
        {length: 200},
        (__, line) => `+export const v${line} = f(${'x'.repeat(50)});`,
      );
      return `diff --git a/f${nth}.ts b/f${nth}.ts\n--- a/f${nth}.ts\n+++ b/f${nth}.ts\n@@ -1 +1,201 @@\n a\n${lines.join('\n')}\n`;
    });
    const text = `${files.join('')}${recordedDiff('no-debugger')}`;
    expect(text.length).toBeGreaterThan(5_000_000);
    const {code, stdout} = await review([...fast, '--output', 'json', '-q'], text);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({comments: [{file: 'src/sum.ts', rule: 'debugger'}]});
  });

  test('SARIF has every comment at its place', async () => {
    const file = at('review.sarif');
    await review(
      [...fast, '--sarif', file, '-q'],
      recordedDiff('no-private-key') + recordedDiff('no-env-file'),
    );
    const log: Log = JSON.parse(readFileSync(file, 'utf8'));
    expect(log).toMatchObject({version: '2.1.0', runs: [{tool: {driver: {name: 'quorate'}}}]});
    const [{results = [], tool} = {results: [], tool: undefined}] = log.runs;
    expect(results.map(({ruleId, level, locations}) => [ruleId, level, locations?.[0]])).toEqual([
      [
        'policy/safety/credential-file',
        'error',
        {physicalLocation: {artifactLocation: place('deploy/server.pem')}},
      ],
      [
        'policy/safety/committed-secret',
        'error',
        {physicalLocation: {artifactLocation: place('deploy/server.pem'), region: {startLine: 1}}},
      ],
      [
        'policy/safety/credential-file',
        'error',
        {physicalLocation: {artifactLocation: place('.env')}},
      ],
    ]);
    const known = tool?.driver.rules?.map(({id}) => id);
    expect(results.every(({ruleId}) => known?.includes(ruleId ?? '') === true)).toBe(true);
  });

  test('SARIF that cannot be written is an error, and no verdict is printed', async () => {
    const {code, stderr} = await review(['--sarif', 'none/x.sarif', '-q', '--allow-empty'], '');
    expect(code).toBe(2);
    expect(stderr).toContain("the SARIF file can't be written");
  });
});

function place(uri: string): object {
  return {uri, uriBaseId: '%SRCROOT%'};
}

async function git(...args: readonly string[]): Promise<void> {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  await execa('git', [...author, ...args], {cwd: workspace()});
}

describe('against a revision', () => {
  beforeEach(async () => {
    await git('init', '-q');
    put('a.js', 'const a = 1;\n');
    await git('add', '.');
    await git('commit', '-qm', 'one');
  });

  test('the changes since then are reviewed, with files that git does not know yet', async () => {
    put('a.js', 'const a = 1;\ndebugger;\n');
    put('日 b.test.js', 'it.only("x", f);\n');
    put('.gitignore', 'ignored.js\n');
    put('ignored.js', 'debugger;\n');
    const {code, stdout} = await review([...fast, '--base', 'HEAD', '--output', 'json', '-q']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      comments: [
        {file: 'a.js', line: 2, rule: 'debugger'},
        {file: '日 b.test.js', line: 1, rule: 'focused-test'},
      ],
    });
  });

  test('nothing changed: an empty diff', async () => {
    expect(await review([...fast, '--base', 'HEAD', '-q'])).toMatchObject({code: 2});
    expect(await review([...fast, '--base', 'HEAD', '--allow-empty'])).toMatchObject({code: 0});
  });

  test('a missing revision, or an option as a revision, is refused', async () => {
    for (const revision of ['nowhere', '--output=x', '']) {
      const {code, stderr} = await review([`--base=${revision}`]);
      expect(code).toBe(2);
      expect(stderr).toContain(`git knows no revision "${revision}" here`);
    }
  });

  test('an external diff configured by the repository is not run', async () => {
    const ran = at('ran');
    await git('config', 'diff.external', `touch ${ran}`);
    await git('config', 'core.fsmonitor', `touch ${ran}`);
    put('a.js', 'const a = 2;\n');
    expect(await review([...fast, '--base', 'HEAD', '-q'])).toMatchObject({code: 0});
    expect(() => readFileSync(ran)).toThrow('ENOENT');
  });

  test.each(['x', 'a=b', 'a.b'])(
    'no filter %s that the repository configures is run',
    async (name) => {
      const ran = at('ran');
      put('.git/info/attributes', `*.js filter=${name}\n`);
      await git('config', `filter.${name}.clean`, `touch ${ran}; cat`);
      await git('config', `filter.${name}.process`, `touch ${ran}`);
      await git('config', `filter.${name}.required`, 'true');
      put('a.js', 'const a = 2;\n');
      expect(await review([...fast, '--base', 'HEAD', '-q'])).toMatchObject({code: 0});
      expect(() => readFileSync(ran)).toThrow('ENOENT');
    },
  );
});

describe('with models over the wire', () => {
  let answer: (received: ReceivedRequest) => Said;

  beforeEach(async () => await serve((received) => answer(received)));

  const json = ['--output', 'json', '-q'];

  test('a majority approves; the focus and the lines reach the reviewers', async () => {
    answer = () => ballot('approve');
    const {code, stdout} = await review(
      [...json, '--focus', 'concurrency'],
      recordedDiff('ok-refactor'),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({approved: true, rule: 'majority', comments: []});
    expect(server.received[0]).toMatchObject({tools: ['cast_ballot']});
    expect(server.received[0]?.text).toContain('concurrency');
    expect(server.received[0]?.text).toContain('+  return list.reduce((a, b) => a + b, 0);');
  });

  test('reviewers read the lines around a hunk that fits the working tree', async () => {
    answer = () => ballot('approve');
    const lines = Array.from({length: 40}, (_, index) => `const n${index + 1} = ${index + 1};`);
    put('numbers.ts', `${lines.join('\n')}\n`);
    const hunk = [
      '@@ -19,3 +19,3 @@',
      ` ${lines[18]}`,
      '-const n20 = 0;',
      `+${lines[19]}`,
      ` ${lines[20]}`,
    ];
    const head = ['--- a/numbers.ts', '+++ b/numbers.ts'];
    const {code} = await review(json, [...head, ...hunk, ''].join('\n'));
    expect(code).toBe(0);
    expect(server.received[0]?.text).toMatch(/ 1 +const n1 = 1;\n[^]* 40 +const n40 = 40;/);
    expect(server.received[0]?.text).toMatch(/-const n20 = 0;\n\W*20 \+const n20 = 20;/);
  });

  test('comments of models are listed with those of policies', async () => {
    const comment = {file: 'src/sum.ts', line: 2, severity: 'major', message: 'it is slow'};
    answer = ({model}) =>
      model === 'a'
        ? ballot('approve')
        : {
            calls: [
              {
                name: 'cast_ballot',
                args: {verdict: 'reject', reasons: ['slow'], confidence: 1, comments: [comment]},
              },
            ],
          };
    const {code, stdout} = await review(json, recordedDiff('ok-refactor'));
    expect(code).toBe(1);
    const {comments} = JSON.parse(stdout);
    expect(comments[0]).toMatchObject({...comment, seat: expect.stringMatching(/[bc]$/)});
  });

  test('a rejection prints its reasons, whatever its comments name, and so does show', async () => {
    const comment = {file: './src/sum.ts', line: 0, severity: 'major', message: 'KEY LEAKED'};
    const reasons = [`it prints the key ${'x '.repeat(100)}END`];
    const args = {verdict: 'reject', reasons, confidence: 1, comments: [comment]};
    answer = () => ({calls: [{name: 'cast_ballot', args}]});
    const {code, stdout} = await review([], recordedDiff('ok-refactor'));
    expect(code).toBe(1);
    const [{id}] = JSON.parse((await launch('sessions', '--output', 'json')).stdout);
    const shown = await launch('show', id);
    for (const text of [stdout, shown.stdout]) {
      expect(text).toMatch(/\nsrc\/sum\.ts\n +major +KEY LEAKED/);
      expect(text).toMatch(/it prints the key[^]*END/);
    }
  });

  test('a secret is vetoed, and models still read the rest of the diff', async () => {
    const comment = {file: 'src/config.js', line: 1, severity: 'minor', message: 'name it'};
    const args = {verdict: 'approve', reasons: ['fine'], confidence: 1, comments: [comment]};
    answer = () => ({calls: [{name: 'cast_ballot', args}]});
    const {code, stdout} = await review(json, recordedDiff('no-secret'));
    expect(code).toBe(1);
    expect(server.received).toHaveLength(3);
    expect(server.received[0]?.text).toContain('[redacted]');
    expect(JSON.parse(stdout)).toMatchObject({
      approved: false,
      votes: [{verdict: 'approve'}, {}, {}],
      comments: expect.arrayContaining([
        expect.objectContaining({seat: 'policy/safety'}),
        expect.objectContaining(comment),
      ]),
    });
  });

  test('what no reviewer has read is exit 1, in the first lines and the JSON, unless it is allowed', async () => {
    answer = () => ballot('approve');
    const files = ['Gemfile.lock', 'go.sum'].map(
      (path) =>
        `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n a\n+m v1 h1:${'A'.repeat(43)}=\n`,
    );
    const diff = `${recordedDiff('ok-picture')}${files.join('')}`;
    const {code, stdout} = await review([], diff);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^failed: No reviewer rejects it, [^]*--allow-unread accepts[^]*Gemfile\.lock/,
    );
    const allowed = await review([...json, '--allow-unread'], diff);
    expect(allowed.code).toBe(0);
    expect(JSON.parse(allowed.stdout)).toMatchObject({
      approved: true,
      degraded: true,
      unread: [{why: 'it is binary'}, {file: 'Gemfile.lock', lines: 1}],
      synthesis: expect.stringContaining('Read by rule alone: go.sum.'),
    });
  });

  test('a file that looks generated, and the middle of a long line, are read', async () => {
    answer = ({text}) => ballot(text.includes('EVIL') ? 'reject' : 'approve');
    const line = `${'x;'.repeat(30_000)}EVIL();${'x;'.repeat(30_000)}`;
    for (const path of ['m.js', 'dist/app.min.js']) {
      const diff = `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+${line}\n`;
      expect(await review(json, diff)).toMatchObject({code: 1});
    }
  });
});
