import {mkdtempSync, readFileSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';

import {afterAll, describe, expect, test} from 'vitest';

import {printFailure} from '../../cli/failure.ts';
import {AppError} from '../../machines/domain/app-error.ts';

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
    expect(kept).toContain('failure.test.ts');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('shows its trace with -v', async () => {
    expect((await failureOutput(new Error('oops'), true)).err).toContain('failure.test.ts');
  });
});
