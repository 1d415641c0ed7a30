/** `quorate policy`: verdicts, exit codes and the answers that other programs read. */

import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {Readable} from 'node:stream';

import {beforeAll, describe, expect, test} from 'vitest';

import {questionsIn} from '../../../cli/policy/questions.ts';
import {type Ran, runLine} from '../../support/command-line.ts';
import {putIn, setFolder} from '../folders.ts';

const home = setFolder(true);
const workspace = () => join(home(), 'project');

beforeAll(() => {
  putIn(workspace(), 'package.json', '{"scripts": {"test": "vitest run"}}');
  putIn(workspace(), 'src/a.ts', 'export {};\n');
});

async function policy(words: readonly string[], stdin?: string): Promise<Ran> {
  const env = {QUORATE_HOME: join(home(), 'data'), HOME: home()};
  return await runLine(['policy', '-C', workspace(), ...words], env, stdin);
}

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(100_000, 'a');
}

function json(text: string): unknown {
  return JSON.parse(text);
}

describe('one command', () => {
  test.each([
    ['npm test', 0, 'APPROVE'],
    ['rm -rf src', 1, 'REFUSE'],
    ['frobnicate --all', 4, `CAN'T JUDGE`],
  ])('%s: exit code %i, in words', async (command, code, word) => {
    const ran = await policy([command]);
    expect(ran).toMatchObject({code, err: ''});
    expect(ran.out).toContain(`${word}\n  $ ${command}\n`);
  });

  test('is not executed', async () => {
    await policy(['rm -rf src']);
    await policy(['touch made']);
    expect(readdirSync(workspace()).toSorted()).toEqual(['package.json', 'src']);
    expect(readdirSync(join(workspace(), 'src'))).toEqual(['a.ts']);
  });

  test('names its effects, the rule that refuses it, and the parts that are not understood', async () => {
    const refused = await policy(['rm -rf src', '--output', 'json']);
    expect(json(refused.out)).toMatchObject({
      command: 'rm -rf src',
      verdict: 'refuse',
      by: {safety: 'refuse', scope: null, evidence: 'approve'},
      effects: [{effect: 'deletes', target: 'src', wide: true, by: 'rm -rf src'}],
      rules: ['safety/mass-delete'],
      unknown: [],
    });
    const listed = await policy(['ls', '--output', 'json']);
    expect(json(listed.out)).toMatchObject({effects: [{effect: 'lists', target: '.', by: 'ls'}]});
    const unjudged = await policy(['frobnicate --all', '--output', 'json']);
    expect(json(unjudged.out)).toMatchObject({
      verdict: 'cannot_judge',
      by: {safety: 'cannot_judge'},
      effects: [],
      rules: [],
      unknown: ['frobnicate'],
    });
  });

  test('shows the workspace under a name', async () => {
    expect((await policy(['ls'])).out).toContain('lists     the workspace\n');
  });

  test('is judged by scope if a request is given', async () => {
    const words = ['git push', '--request', 'Fix the failing test', '--output', 'json'];
    const ran = await policy(words);
    expect(ran.code).toBe(1);
    expect(json(ran.out)).toMatchObject({by: {scope: 'refuse'}, rules: ['scope/push-unasked']});
  });
});

describe('one command per line', () => {
  test('each line is answered in its order, with exit code 0', async () => {
    const asked = ['npm test', 'rm -rf src', 'frobnicate'].map((command) =>
      JSON.stringify({command, request: 'Fix the failing test'}),
    );
    const ran = await policy(['--stdin', '--output', 'jsonl'], `${asked.join('\n')}\n\n`);
    expect(ran.code).toBe(0);
    const answers = ran.out.trim().split('\n').map(json);
    expect(answers).toMatchObject([
      {command: 'npm test', verdict: 'approve', by: {scope: 'approve'}},
      {command: 'rm -rf src', verdict: 'refuse'},
      {command: 'frobnicate', verdict: 'cannot_judge'},
    ]);
  });

  test('an invalid line is refused with its number, after the answers before it', async () => {
    const lines = [JSON.stringify({command: 'npm test'}), '{"comand": "x"}'];
    const ran = await policy(['--stdin', '--output', 'jsonl'], lines.join('\n'));
    expect(ran.code).toBe(2);
    expect(json(ran.out.trim())).toMatchObject({verdict: 'approve'});
    expect(ran.err).toContain('line 2 of standard input');
  });

  test.each([
    ['not UTF-8', Buffer.from('{"command": "rm src/\xFF"}\n', 'latin1'), 'is not UTF-8 text'],
    ['endless', endless(), 'is longer than 1000000 bytes'],
  ])('lines that are %s are refused before any verdict', async (_, input, message) => {
    const questions = questionsIn(Readable.from(Buffer.isBuffer(input) ? [input] : input));
    await expect(questions.next()).rejects.toThrow(`line 1 of standard input ${message}`);
  });

  test('lines may arrive in parts, with any line ends', async () => {
    const parts = ['{"comm', 'and": "a"}\r\n\n{"command"', ': "é"}'].map((part) =>
      Buffer.from(part),
    );
    const questions = await Array.fromAsync(questionsIn(Readable.from(parts)));
    expect(questions).toEqual([{command: 'a'}, {command: 'é'}]);
  });
});
