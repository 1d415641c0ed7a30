/** `quorate policy`: verdicts, exit codes and the answers that other programs read. */

import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {Readable} from 'node:stream';

import {beforeAll, describe, expect, test} from 'vitest';

import {questionsIn} from '../../../cli/policy/verdict.ts';
import {type Ran, runLine} from '../../support/command-line.ts';
import {canConfine} from '../../tools/run/confined.ts';
import {putIn, setFolder} from '../folders.ts';

const home = setFolder(true);
const workspace = () => join(home(), 'project');

beforeAll(() => {
  putIn(workspace(), 'package.json', '{"scripts": {"test": "vitest run"}}');
  putIn(workspace(), 'src/a.ts', 'export {};\n');
  putIn(home(), 'off/quorate/config.toml', '[sandbox]\nmode = "off"\n');
});

/** Nothing confines the commands, unless the configuration is another one. */
async function policy(words: readonly string[], stdin?: string, config = 'off'): Promise<Ran> {
  const folders = {HOME: home(), XDG_CONFIG_HOME: join(home(), config)};
  const env = {QUORATE_HOME: join(home(), 'data'), ...folders};
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
    ['cat package.json', 0, 'APPROVE'],
    ['npm test', 0, 'APPROVE'],
    ['sudo rm -rf src', 1, 'REFUSE'],
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

  test('names its effects, the rule that refuses it, and the parts that are not known', async () => {
    const refused = await policy(['sudo rm -rf src', '--output', 'json']);
    expect(json(refused.out)).toMatchObject({
      command: 'sudo rm -rf src',
      verdict: 'refuse',
      by: {safety: 'refuse', scope: null, evidence: 'cannot_judge'},
      rules: ['safety/privilege'],
      grade: 'none',
    });
    const listed = await policy(['ls', '--output', 'json']);
    expect(json(listed.out)).toMatchObject({effects: [{effect: 'lists', target: '.', by: 'ls'}]});
    const unjudged = await policy(['frobnicate --all', '--output', 'json']);
    expect(json(unjudged.out)).toMatchObject({
      verdict: 'cannot_judge',
      by: {safety: 'cannot_judge'},
      rules: [],
      unknown: ['frobnicate --all'],
    });
  });

  test('has a line for what it reads, writes and reaches, the grade, and the reason', async () => {
    const {out} = await policy(['cat package.json > made; curl https://far.example/']);
    expect(out).toBe(
      [
        "CAN'T JUDGE",
        '  $ cat package.json > made; curl https://far.example/',
        '  reads    package.json',
        '  writes   made',
        '  runs     curl',
        '  reaches  https://far.example/',
        '  grade    none: commands run unconfined here',
        '  why      No rule decides: the models that vote, or a person.',
        '           can\'t judge "curl https://far.example/": it reaches https://far.example/',
        '           can\'t judge "curl https://far.example/": curl is not a known reader',
        '           can\'t judge "cat package.json > made": it writes made',
        '',
      ].join('\n'),
    );
  });

  test.runIf(canConfine)('is judged as it would be confined', async () => {
    const ran = await policy(['rm -rf src'], undefined, 'none');
    expect(ran).toMatchObject({code: 0});
    expect(ran.out).toContain('grade    bubblewrap; its changes can be undone\n');
    expect(ran.out).toContain('why      It runs confined, and its changes can be undone.\n');
  });

  test('shows the workspace under a name', async () => {
    expect((await policy(['ls'])).out).toContain('reads    the workspace\n');
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
    const asked = ['npm test', 'sudo rm -rf src', 'frobnicate'].map((command) =>
      JSON.stringify({command, request: 'Fix the failing test'}),
    );
    const ran = await policy(['--stdin', '--output', 'jsonl'], `${asked.join('\n')}\n\n`);
    expect(ran.code).toBe(0);
    const answers = ran.out.trim().split('\n').map(json);
    expect(answers).toMatchObject([
      {command: 'npm test', verdict: 'approve', by: {scope: 'approve'}},
      {command: 'sudo rm -rf src', verdict: 'refuse'},
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
