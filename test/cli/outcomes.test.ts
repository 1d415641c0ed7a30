/** Output of runs that were suspended, decided by a person, or affected by an outage: each fact once, in rows that fit. */

import {mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';

import {afterAll, describe, expect, test} from 'vitest';

import {silentLogger} from '../../actors/logger.ts';
import {printFailure} from '../../cli/failure.ts';
import {withoutPrinted} from '../../cli/render/live/printed.ts';
import {reasonText} from '../../cli/render/round.ts';
import {type SessionOptions, runSession} from '../../cli/session.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {ReviewRound} from '../../machines/domain/review.ts';
import type {Report} from '../../machines/facts/progress.ts';
import {type FakeRun, baseRound, createFakeRun} from './fake-run.ts';

/** The output of a session on a terminal of this width, or on pipes. */
function open(
  run: FakeRun,
  columns?: number,
  options: Partial<SessionOptions> = {},
  TERM = 'dumb',
) {
  const stream = () =>
    Object.assign(new PassThrough(), columns === undefined ? {} : {isTTY: true, columns});
  const [stdout, stderr] = [stream(), stream()];
  const terminal = {stdin: new PassThrough(), stdout, stderr, env: {TERM}};
  const exit = runSession(run, {
    terminal,
    form: 'agent',
    output: 'text',
    level: 'normal',
    workspace: '/work/here',
    opening: async () => ({tools: [], models: {}}),
    warnings: [],
    logger: silentLogger,
    ...options,
  });
  const texts = async () => {
    await exit;
    return {out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '')};
  };
  return {texts};
}

describe('an interrupted run', () => {
  const end = {
    status: 'waiting',
    exitCode: 130,
    summary: 'Suspended.',
    aborted: ['the call of mock/planner (plan) is asked again'],
  } as const;

  test('reports its aborted calls once, and what happens to them', async () => {
    const run = createFakeRun();
    const {texts} = open(run);
    run.end(end);
    const words = [
      'continue with: quorate resume run-1',
      '  aborted: the call of mock/planner (plan) is asked again',
      '',
    ].join('\n');
    const {out, err} = await texts();
    expect(out).toBe('');
    expect(err).toContain(`suspended.\n${words}`);
  });

  test('does not claim that no model was called when the only call was aborted', async () => {
    const run = createFakeRun();
    const {texts} = open(run);
    run.end({...end, usage: {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0}});
    expect((await texts()).err).toContain('run-1 · no model has answered\n');
  });
});

describe('an unavailable model', () => {
  const reason = 'm/a: the provider is overloaded (500: boom)';
  const retried = (attempt: number, delayMs = 400, why = reason): Report => ({
    type: 'model.retried',
    model: 'm/a',
    attempt,
    delayMs,
    reason: why,
  });
  const outage: Report = {
    type: 'warning',
    code: 'outage',
    message: `${reason}; the run is paused until a call succeeds`,
  };

  test('is reported once, and counted when the run stops because of it', async () => {
    const run = createFakeRun();
    const {texts} = open(run);
    for (const attempt of [1, 2, 3, 4]) run.report(retried(attempt));
    run.report(outage);
    run.end();
    expect((await texts()).err).toBe(
      [
        '    m/a: the provider is overloaded (500: boom); asked again in 400 ms',
        'warning: m/a: did not answer 5 calls; the run is paused until a call succeeds',
        '',
      ].join('\n'),
    );
  });

  test('is reported again for another cause, or a long wait', async () => {
    const run = createFakeRun();
    const {texts} = open(run);
    run.report(retried(1));
    run.report(retried(2, 400, 'm/a: no connection'));
    run.report(retried(3, 30_000, 'm/a: no connection'));
    run.report(retried(1, 400, 'm/a: no connection'));
    run.end();
    expect((await texts()).err.split('\n')).toEqual([
      `    ${reason}; asked again in 400 ms`,
      '    m/a: no connection; asked again in 400 ms',
      '    m/a: attempt 4 in 30 s',
      '    m/a: no connection; asked again in 400 ms',
      '',
    ]);
  });

  test('that failed at once has its reason in the warning', async () => {
    const run = createFakeRun();
    const {texts} = open(run);
    run.report(outage);
    run.end();
    expect((await texts()).err).toContain(`${reason}; the run is paused until a call succeeds\n`);
  });

  test('is reported by the result if both are on the same screen', async () => {
    const summary = `Suspended because a model could not be called: ${reason}`;
    const ended = {status: 'waiting', exitCode: 2, summary} as const;
    const onScreen = createFakeRun();
    const {texts} = open(onScreen, 100);
    onScreen.report(outage);
    onScreen.end(ended);
    const {out, err} = await texts();
    expect([out, err.split(reason).length]).toEqual(['', 2]);

    const onPipes = createFakeRun();
    const piped = open(onPipes);
    onPipes.report(outage);
    onPipes.end(ended);
    expect((await piped.texts()).err).toContain(reason);
  });

  test('is reported at once when the run continues', async () => {
    const run = createFakeRun();
    const {texts} = open(run, 100);
    run.report(outage);
    run.report({type: 'phase.changed', phase: 'executing'});
    run.end({status: 'waiting', exitCode: 2, summary: `Suspended: ${reason}`});
    expect((await texts()).err).toMatch(/^warning: m\/a: .*\n▸ executing/);
  });
});

describe('the output of a command', () => {
  const printed = Array.from({length: 20}, (_, index) => `ok ${index + 1}`);
  const summary = ['npm test succeeded:', '', '> test', '', ...printed, '', '1 of 1'].join('\n');
  const run = async (columns?: number): Promise<string> => {
    const fake = createFakeRun();
    const {texts} = open(fake, columns, {}, 'xterm');
    fake.report({type: 'tool.output', tool: 'run_command', text: '\n> test\nok 1'});
    fake.report({type: 'tool.output', tool: 'run_command', text: printed.slice(1).join('\n')});
    fake.end({summary});
    return (await texts()).out;
  };

  test('is not printed again below it', async () => {
    expect(await run(60)).toContain('npm test succeeded:\n\n[21 lines: see above]\n\n1 of 1\n');
  });

  test('is part of the result if it was not shown before', async () => {
    expect(await run()).toContain(summary);
  });

  test('is counted in the language of the result', () => {
    expect(withoutPrinted('a\nb\nc\nd', ['a', 'b', 'c', 'd'], 'ja')).toBe('[4 行: 上記参照]');
  });

  test('is recognized by sequences of lines, not by single ones', () => {
    expect(withoutPrinted('a\nb\nc\nx', ['a', 'b', 'c'])).toBe('a\nb\nc\nx');
    expect(withoutPrinted('a\nb\n\nc\nd\nx', ['z', 'a', 'b', 'c', 'd'])).toBe(
      '[4 lines: see above]\nx',
    );
    expect(withoutPrinted('a\nc\nb\nd', ['a', 'b', 'c', 'd'])).toBe('a\nc\nb\nd');
  });
});

describe('on a terminal', () => {
  const question = {form: 'ask', answer: 'It is forty-two.', sources: [{place: 'a:1'}]} as const;

  test.each(['started', 'resumed'])(
    'an answer of a run that was %s is shown while it is written, and its sources follow at once',
    async (start) => {
      const run = createFakeRun();
      const {texts} = open(run, 60, {form: 'ask'});
      if (start === 'started') run.report({type: 'interaction.started', form: 'ask', request: 'q'});
      run.report({type: 'phase.changed', phase: 'working'});
      run.report({type: 'model.delta', model: 'm', text: 'It is forty-two.'});
      run.report({type: 'phase.changed', phase: 'checkingOutput'});
      run.end(question);
      const {out, err} = await texts();
      expect(err).toContain('▸ working\nIt is forty-two.\n');
      expect(err).not.toContain('checking output');
      expect(out).toBe('\nSources\n  a:1\n');
    },
  );

  const round: ReviewRound = {
    ...baseRound,
    title: 'Write a greeting',
    proposalHash: 'f22e884e1557fc59',
    screened: [],
  };

  test('the decisions are rows that break between words', async () => {
    const run = createFakeRun();
    const {texts} = open(run, 40);
    const hash = round.proposalHash;
    run.end({reviews: [round], decisions: [{by: 'person', decision: 'approve', hash}]});
    expect((await texts()).out).toContain(
      [
        '  person approved plan "Write a',
        '  greeting" against the panel · sha256',
        '  f22e884e1557',
      ].join('\n'),
    );
  });

  test('a call that a rule allowed without a vote is named', async () => {
    const run = createFakeRun();
    const {texts} = open(run, 120);
    const title = 'run_command npm run deploy';
    run.end({decisions: [{by: 'rule', decision: 'approve', hash: round.proposalHash, title}]});
    expect((await texts()).out).toContain(`  rule approved ${title} · sha256 f22e884e1557`);
  });

  test('a change that a reviewer suggests in its reasons is not shown twice', () => {
    const vote = {
      model: 'policy/safety',
      verdict: 'reject',
      approved: false,
      reasoning: '',
      reasons: ['mass-delete; safer: delete single files'],
      confidence: 1,
      suggestedChange: 'delete single files',
    } as const;
    expect(reasonText(vote)).toBe('policy/safety: mass-delete; safer: delete single files');
    expect(reasonText({...vote, suggestedChange: 'ask first'})).toContain('(suggests: ask first)');
  });
});

const home = mkdtempSync(join(tmpdir(), 'quorate-test-'));

const secret = 'sk-canary-123456';

const env = {QUORATE_HOME: home, TEST_API_KEY: secret};

afterAll(() => rmSync(home, {recursive: true, force: true}));

async function failureOutput(
  error: unknown,
  verbose = false,
  output: 'text' | 'json' | 'jsonl' = 'text',
) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const [out, err] = [text(stdout), text(stderr)];
  const terminal = {stdin, stdout, stderr, env};
  const code = await printFailure(error, {terminal, verbose, output, form: 'ask'});
  stdout.end();
  stderr.end();
  return {code, out: await out, err: await err};
}

describe('an expected failure', () => {
  test('is one escaped line with exit 2', async () => {
    expect(await failureOutput(new AppError('busy', 'run x is\u001b[2J\nbusy'))).toEqual({
      code: 2,
      out: '',
      err: 'quorate: run x is\\x1b[2J busy\n',
    });
  });

  test.each(['json', 'jsonl'] as const)(
    'ends %s with a result that has the error',
    async (output) => {
      const {out} = await failureOutput(new AppError('credentials', 'set X'), false, output);
      expect(JSON.parse(out)).toMatchObject({
        type: 'result',
        form: 'ask',
        status: 'error',
        exitCode: 2,
        error: {code: 'credentials', message: 'set X'},
      });
    },
  );
});

describe('a bug', () => {
  test('names the file of its trace, which has no secret', async () => {
    const error = new Error(`broke with ${secret}`, {cause: new Error('Bearer abc.def')});
    const {code, err} = await failureOutput(error);
    const file = join(home, 'errors.jsonl');
    expect(code).toBe(2);
    expect(err).toBe(
      `quorate: internal error: broke with [secret]\nthe trace is in ${file}; -v shows it here\n`,
    );
    const kept = readFileSync(file, 'utf8');
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain('abc.def');
    expect(kept).toContain('outcomes.test.ts');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('shows its trace with -v', async () => {
    expect((await failureOutput(new Error('oops'), true)).err).toContain('outcomes.test.ts');
  });
});
