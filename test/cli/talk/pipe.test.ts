/** A conversation whose lines come from a pipe: tasks, shell commands of the person, interviews, and in Japanese. */

import {copyFileSync, existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {beforeEach, describe, expect, test} from 'vitest';

import {call} from '../../support/agent-models.ts';
import type {Launched} from '../../support/launch.ts';
import type {ReceivedRequest, Said} from '../../support/mock-openai.ts';
import {hasPty} from '../../support/pty.ts';
import {canConfine} from '../../tools/run/confined.ts';
import {setStage} from '../stage.ts';
import {linesOf} from '../texts.ts';
import {setUpConversation, stall} from './conversation.ts';

const task = {
  id: 't1',
  description: 'Write a greeting',
  tool: 'write_file',
  args: {path: 'hello.txt', content: 'hello\n'},
};

describe('tasks', () => {
  /** The panel's verdict. */
  let verdict: 'approve' | 'reject';

  const {at, launcher, pipe, serve, server, workspace} = setStage({
    models: speak,
    agent: 'max_plan_revisions = 1',
    prepare: () => {
      verdict = 'approve';
    },
  });

  function speak({tools, text}: ReceivedRequest): Said {
    if (tools.includes('cast_ballot')) {
      return call('cast_ballot', {verdict, reasons: ['as it is'], confidence: 1});
    }
    if (tools.includes('create_plan')) {
      return call('create_plan', {objective: 'Greet', reasoning: 'It is asked.', tasks: [task]});
    }
    if (tools.includes('evaluate_result')) {
      return call('evaluate_result', {successful: true, problems: []});
    }
    return {text: /limit/.test(text) ? 'The limit is 5.' : 'Nothing more.'};
  }

  test('each line is performed after the previous one has ended; results go to stdout', async () => {
    const {code, stdout, stderr} = await launcher.run(['chat'], {
      cwd: workspace(),
      stdin: 'Write hello.txt\n\n/ask what is the \\\nlimit?\n',
    });
    expect({code, stderr}).toMatchObject({code: 0, stderr: expect.stringContaining('▸ planning')});
    expect(stdout).toMatch(/^completed: Greet\n[^]*\nThe limit is 5\.\n$/);
    expect(stdout + stderr).not.toContain('solo>');
    expect(readFileSync(at('work/hello.txt'), 'utf8')).toBe('hello\n');
  });

  test('a question to a person ends the conversation with exit 4, and later lines are not performed', async () => {
    verdict = 'reject';
    const {code, stdout, stderr} = await pipe('Write hello.txt', '/approve', '/ask what limit?');
    expect({code, stdout}).toEqual({code: 4, stdout: ''});
    expect(stderr).toMatch(
      /quorate resume \w+ --decision approve:[^]*\nnot read: 2 lines after it\n$/,
    );
    expect(existsSync(at('work/hello.txt'))).toBe(false);
  });

  test.each([
    ['/scpoe plan-only', 'there is no /scpoe; did you mean /scope? /help lists the commands'],
    ['ls', '"ls" is short for a task: type a little more; !COMMAND runs a shell command'],
    ['?', '"?" is short for a task'],
    ['q', 'did you mean /q? For a task, type a little more'],
    ['/approve', 'nothing waits for you'],
    ['/cancel 3', 'there is no 3; /tree lists the interactions'],
    ['/strategy debate', 'solo with debate is a contradiction'],
  ])('%s ends it with exit 2, before anything else begins', async (line, problem) => {
    const {code, stdout, stderr} = await pipe(line, 'Write hello.txt');
    expect({code, stdout}).toEqual({code: 2, stdout: ''});
    expect(stderr).toContain(problem);
    expect(server.received).toEqual([]);
  });

  test('unread lines after an invalid one are counted', async () => {
    const {code, stderr} = await pipe('/tree', '/scpoe plan-only', 'Write hello.txt', '', '/cost');
    expect(stderr).toMatch(/^quorate: there is no \/scpoe.*\nnot read: 2 lines after it\n$/m);
    expect(code).toBe(2);
  });

  test('a setting without a value shows its current value', async () => {
    const {code, stderr} = await pipe(
      '/scope',
      '/scope fast',
      '/scope',
      '/hil',
      '/rule',
      '/strategy',
    );
    expect(stderr).toContain('/scope full (the default); it takes full, fast, plan-only\n');
    expect(stderr).toContain('/scope fast; it takes full, fast, plan-only\n');
    expect(stderr).toContain('/hil interactive (the default); it takes ');
    expect(stderr).toContain('/rule majority (the default); it takes majority, unanimous');
    expect(stderr).toContain('/strategy quorum (the default); it takes quorum, debate\n');
    expect(code).toBe(0);
  });

  test('/rate rates the latest result of the conversation', async () => {
    const early = await pipe('/rate up');
    expect(early).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no result to rate yet'),
    });
    const wrong = await pipe('/rate good');
    expect(wrong.stderr).toContain('/rate takes up or down, and words of your own; not "good"');

    const {code, stderr} = await pipe(
      'Write hello.txt',
      '/ask what limit?',
      '/rate down no source',
    );
    expect(code).toBe(0);
    expect(stderr).toContain('2 ask is rated down\n');
    const {stdout} = await launcher.perform(['show'], {cwd: workspace()});
    expect(stdout).toMatch(/^rated down on .*: no source$/m);
  });

  test('/quit ends it and discards the rest', async () => {
    expect(await pipe('/quit', 'Write hello.txt')).toMatchObject({code: 0, stdout: ''});
  });

  test('a conversation continues an earlier one, with its numbers and answers', async () => {
    await pipe('Write hello.txt', '/ask what is the limit?');
    const {code, stderr} = await launcher.perform(['chat', '--continue'], {
      cwd: workspace(),
      stdin: '/tree\n/sessions\n',
    });
    expect({code, stderr}).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^1 agent completed: Write hello\.txt$[^]*^2 ask completed: what is the limit\?$[^]*2 interactions/m,
      ),
    });
  });

  test('a task whose model is unavailable is suspended with the reason once, and the way to continue', async () => {
    await serve(() => ({status: 401}), {});
    const {stderr} = await pipe('Write hello.txt');
    expect(stderr).toMatch(/^1 is suspended: mock\/worker: .*; \/resume 1 continues it$/m);
    expect(stderr).not.toContain('could not be called');
  });
});

describe('from a pipe', {timeout: 60_000}, () => {
  const {at, launcher, pipe, put, workspace} = setStage({
    prepare: () => void put('kept.txt', 'one\n'),
  });

  test('a line with ! runs at once, is recorded as the person’s, and can be undone', async () => {
    const {code, stdout, stderr} = await pipe('!rm kept.txt && echo gone', '/tree', '/diff');
    expect({code, stdout}).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^completed: \$ rm kept\.txt && echo gone\ngone\n/),
    });
    expect(stderr).toMatch(/^1 command completed: rm kept\.txt && echo gone$/m);
    expect(stderr).not.toContain('vote on');
    const [, id = ''] = /^command (\w+): /m.exec(stderr) ?? [];
    const exported = await launcher.perform(['export', id]);
    expect(exported.stdout).toContain('typed by the person');
    expect(existsSync(at('work', 'kept.txt'))).toBe(false);
    await launcher.perform(['undo', id], {cwd: workspace()});
    expect(readFileSync(at('work', 'kept.txt'), 'utf8')).toBe('one\n');
    const shown = await launcher.perform(['show', id]);
    expect(shown.stdout).toContain('rm kept.txt && echo gone');
    expect(shown.stdout).toMatch(/^ {2}person approved .*typed by the person/m);
  });

  test('a command that fails ends with its exit code on record, and later lines are performed', async () => {
    const {code, stdout} = await pipe('!exit 3', '!echo next');
    expect(stdout).toMatch(/^failed: \$ exit 3\nthe command exited with code 3\n/);
    expect(stdout).toMatch(/^completed: \$ echo next\nnext\n/m);
    expect(code).toBe(1);
  });

  test.runIf(canConfine)(
    'with a file with credentials, explains how a person can read it',
    async () => {
      put('.env', 'TOKEN=1\n');
      const {stdout} = await pipe('!cat .env');
      expect(stdout).toContain('closed to this command, as they may hold credentials: .env');
      expect(stdout).toContain('to read them, run the command in a shell outside Quorate');
      expect(stdout).not.toContain('argument');
    },
  );

  test('! alone reports the missing command', async () => {
    const {code, stderr} = await pipe('!');
    expect(stderr).toContain('! needs a command after it, such as !npm test');
    expect(code).toBe(2);
  });
});

describe.runIf(hasPty)('on a pseudo-terminal', {timeout: 60_000}, () => {
  const {chat, answer, received} = setUpConversation();

  test('later tasks receive the person’s command and its output', async () => {
    const {type, sees} = await chat();
    type('!echo the port is 4711\r');
    await sees(/^completed: \$ echo the port is 4711/m);
    await sees(/^solo>$/m);
    type('/ask --full which port is it?\r');
    await sees(/Nothing more\./);
    const asked = received().find(({text}) => text.includes('which port is it?'));
    expect(asked?.text).toContain('The person ran: echo the port is 4711');
    expect(asked?.text).toMatch(/\n.*the port is 4711/);
  });

  test('a command runs beside a task, which keeps the focus', async () => {
    answer(stall);
    const {type, sees, rows} = await chat();
    type('Say hello\r');
    await sees('▸ planning');
    type('!echo beside\r');
    await sees(/^\[2\] completed: \$ echo beside/m);
    await sees(/^solo 1>$/m);
    type('/undo\r');
    await sees('there is nothing to take back');
    expect(rows().join('\n')).not.toMatch(/^solo 2>/m);
  });
});

const shirt = join(import.meta.dirname, '../../fixtures/forms/t-shirt.toml');

describe('from a pipe', {timeout: 60_000}, () => {
  const {at, launcher, put, workspace} = setStage({
    prepare: () => copyFileSync(shirt, at('work/t-shirt.toml')),
  });

  async function pipe(args: readonly string[], ...lines: readonly string[]): Promise<Launched> {
    return await launcher.perform(args, {cwd: workspace(), stdin: linesOf(lines)});
  }

  test('each line answers the current question, even the name of a command, and the answers are the result', async () => {
    const {code, stdout, stderr} = await pipe(
      ['chat'],
      '/interview t-shirt.toml',
      'English',
      'Japan',
      'L',
      'slim',
      'Done',
      'submit',
    );
    expect(stdout).toMatch(/^Size +L\nWide or slim +slim\nAnything else +Done\n/);
    expect(stderr).toMatch(
      /^warning: No model is configured: .* It asks for each field in the words of the form/m,
    );
    expect(stderr).toMatch(/^\? Let’s begin\.\n {2}Size\n/m);
    expect(stderr).toMatch(/^ {2}✓ fit · 2 of 3 fields$/m);
    expect(code).toBe(0);
  });

  test('an unfinished one waits, shows its progress, and continues from there', async () => {
    const left = await pipe(['chat'], '/interview t-shirt.toml', 'English', 'Japan', 'L');
    expect(left.code).toBe(4);
    const {stdout: listed} = await pipe(['sessions']);
    expect(listed).toMatch(/ interview +waiting +Your conference T-shirt \(t-shirt\.toml\)$/m);
    const {stderr: inChat} = await pipe(['chat'], '/sessions');
    expect(inChat).toMatch(/ 1 open +Your conference T-shirt \(t-shirt\.toml\)$/m);
    const [, id = ''] = /^(\w+) +.*interview/m.exec(listed) ?? [];
    const {stdout: shown} = await pipe(['show', id]);
    expect(shown).toMatch(/^ {2}Size +L\n {2}Wide or slim +being asked$/m);
    expect(shown).toMatch(/^waiting for a reply: the interview asks\n {2}Wide or slim$/m);
    expect(JSON.parse((await pipe(['show', id, '--output', 'json'])).stdout)).toMatchObject({
      state: 'waiting',
      asked: [{field: 'fit', agent: 'interviewer'}],
      answers: {answers: {size: {status: 'done', value: 'L'}}},
    });
    const last = await pipe(['chat', '--resume', id], 'slim', 'skip', 'submit');
    expect(last.stderr).toMatch(/^\? Wide or slim$/m);
    expect(last.stdout).toMatch(/^Size +L\nWide or slim +slim\nAnything else +skipped/m);
    expect(last.code).toBe(0);
  });

  test('the answers are shown before they are submitted, except secret ones', async () => {
    const fields = ['name', 'pin'].map((id) => `[[fields]]\nid = "${id}"\nlabel = "${id}"\n`);
    const form = `title = "Card"\n${fields.join('')}sensitivity = "secret"\n`;
    put('card.toml', form);
    const lines = ['/interview card.toml', 'English', 'Ann', 'swordfish', 'submit'];
    const {code, stderr} = await pipe(['chat'], ...lines);
    expect(stderr).toMatch(/^ {2}1\. name: Ann\n {2}2\. pin: •••$/m);
    expect(stderr).not.toContain('swordfish');
    expect(code).toBe(0);
  });

  test('a form outside the folder is refused with the reason and the command that accepts it', async () => {
    copyFileSync(shirt, at('shirt.toml'));
    const {code, stderr} = await pipe(['chat'], '/interview ../shirt.toml');
    expect(stderr).toMatch(
      /read files of this folder only, and \.\.\/shirt\.toml is outside; copy it here, or run: quorate interview \.\.\/shirt\.toml\n/,
    );
    expect(stderr).not.toContain('No model is configured');
    expect(code).toBe(2);
  });
});

describe.runIf(hasPty)('on a terminal', {timeout: 60_000}, () => {
  const {chat, folder} = setUpConversation();

  beforeEach(() => copyFileSync(shirt, join(folder(), 'work', 't-shirt.toml')));

  const byRule = ['chat', '-m', 'interview=offline'];

  test('typed lines answer the interview in focus, commands also work, and other interviews are answered by number', async () => {
    const {type, sees, rows} = await chat({args: ['--plain', ...byRule]});
    type('/interview t-shirt.toml\r');
    await sees(/^\? Hello!/m);
    type('/focus none\r');
    await sees(/typed text now begins a new task/);
    type('/interview What is your name?\r');
    await sees(/^\[2\] \? Hello! .*What is your name\?/m);
    type('/answer 1 English\r');
    await sees(/^\[1\] \? Let’s begin\./m);
    await sees(/\/answer 1 TEXT answers it; after \/focus 1, typed text does$/m);
    type('English\r');
    await sees(/^\[2\] \? Let’s begin\.\n {6}What is your name/m);
    type('/tree\r');
    await sees(/^1 interview waits for a person: t-shirt\.toml$/m);
    type('/pause 1\r');
    await sees(/^\[1\] \? Paused/m);
    type('/answer 3 x\r');
    await sees(/3 asks nothing/);
    expect(rows()).not.toContain('sent to 1, which reads it at its next turn');
  });
});

describe('from a pipe with LANG=ja_JP.UTF-8', () => {
  const {at, launcher, workspace} = setStage();

  async function pipe(...lines: readonly string[]): Promise<Launched> {
    const cwd = workspace();
    return await launcher.perform(['chat'], {
      cwd,
      stdin: linesOf(lines),
      env: {LANG: 'ja_JP.UTF-8'},
    });
  }

  test('help, messages and the exported conversation are in Japanese', async () => {
    const {code, stdout, stderr} = await pipe(
      '/help',
      '/help ask',
      '/tree',
      '/scope',
      '/scope fast',
      '/ask 2 + 3 は？',
      '/sessions',
      '/undo',
      '/export notes.md',
      '/new',
    );
    expect(stderr).toMatch(/^ {2}\/quit +終了する。/m);
    expect(stderr).toMatch(/^\/ask \[--fresh\|--projected\|--full\] QUESTION\n読むだけのツールで/m);
    expect(stderr).toContain('まだ何も始まっていません');
    expect(stderr).toContain('/scope full（既定）。書けるもの: full, fast, plan-only\n');
    expect(stderr).toContain('/scope fast: 新しい対話から使います\n');
    expect(stderr).toContain('/resume ID で続けられます\n');
    expect(stderr).toContain('元に戻すものはありません\n');
    expect(stderr).toContain('notes.md に書き出しました\n');
    expect(stderr).toMatch(/新しい会話です\n$/);
    expect(stdout).toContain('5');
    expect(readFileSync(at('work', 'notes.md'), 'utf8')).toMatch(/^# .*\/work での会話\n/);
    expect(code).toBe(0);
  });

  test.each([
    [
      '/scpoe fast',
      '/scpoe というコマンドはありません。/scope のことですか？ コマンドの一覧は /help です',
    ],
    ['/cancel 3', '3 はありません。対話の一覧は /tree です'],
    ['はい', '「はい」か「いいえ」を待つものはありません'],
  ])('%s ends it with an error in Japanese, and with the same exit code', async (line, problem) => {
    const {code, stderr} = await pipe(line, '/tree');
    expect(stderr).toContain(`quorate: ${problem}`);
    expect(stderr).toMatch(/^その後の 1 行は読まれませんでした$/m);
    expect(code).toBe(2);
  });
});
