/** Interviews in a conversation: the questions, and the line that answers each. */

import {copyFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {call} from '../../support/agent-models.ts';
import {createLauncher, type Launched, type Launcher} from '../../support/launch.ts';
import {hasPty} from '../../support/pty.ts';
import {setUpConversation} from './conversation.ts';

const shirt = join(import.meta.dirname, '../../fixtures/forms/t-shirt.toml');

describe('from a pipe', {timeout: 60_000}, () => {
  let launcher: Launcher;
  let cwd: string;

  beforeEach(() => {
    launcher = createLauncher();
    cwd = join(launcher.folder, 'work');
    mkdirSync(cwd);
    copyFileSync(shirt, join(cwd, 't-shirt.toml'));
  });
  afterEach(() => launcher.remove());

  async function pipe(args: readonly string[], ...lines: readonly string[]): Promise<Launched> {
    return await launcher.perform(args, {cwd, stdin: lines.map((line) => `${line}\n`).join('')});
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

  test('a reply without a question is refused, and later lines are not performed', async () => {
    const {code, stderr} = await pipe(['chat'], '/answer seven', '/interview t-shirt.toml');
    expect(stderr).toContain('nobody asks you anything');
    expect(stderr).not.toContain('interview');
    expect(code).toBe(2);
  });

  test('the answers are shown before they are submitted, except secret ones', async () => {
    const fields = ['name', 'pin'].map((id) => `[[fields]]\nid = "${id}"\nlabel = "${id}"\n`);
    const form = `title = "Card"\n${fields.join('')}sensitivity = "secret"\n`;
    writeFileSync(join(cwd, 'card.toml'), form);
    const lines = ['/interview card.toml', 'English', 'Japan', 'Ann', 'swordfish', 'submit'];
    const {code, stderr} = await pipe(['chat'], ...lines);
    expect(stderr).toMatch(/^ {2}1\. name: Ann\n {2}2\. pin: •••$/m);
    expect(stderr).not.toContain('swordfish');
    expect(code).toBe(0);
  });

  test('a form outside the folder is refused with the reason and the command that accepts it', async () => {
    copyFileSync(shirt, join(launcher.folder, 'shirt.toml'));
    const {code, stderr} = await pipe(['chat'], '/interview ../shirt.toml');
    expect(stderr).toMatch(
      /read files of this folder only, and \.\.\/shirt\.toml is outside; copy it here, or run: quorate interview \.\.\/shirt\.toml\n/,
    );
    expect(stderr).not.toContain('No model is configured');
    expect(code).toBe(2);
  });

  test('a request that is not a form in the folder becomes a question', async () => {
    const {stdout} = await pipe(
      ['chat'],
      '/interview What is your name?',
      'English',
      'Japan',
      'Ann',
      'submit',
    );
    expect(stdout).toMatch(/^What is your name\? +Ann$/m);
  });
});

describe.runIf(hasPty)('on a terminal', {timeout: 60_000}, () => {
  const {chat, answer, folder} = setUpConversation();

  beforeEach(() => copyFileSync(shirt, join(folder(), 'work', 't-shirt.toml')));

  const byRule = ['chat', '-m', 'interview=offline'];

  test('typed lines answer the interview in focus, commands also work, and other interviews are answered by number', async () => {
    const {type, sees, rows} = await chat({args: byRule});
    type('/interview t-shirt.toml\r');
    await sees(/^\? Hello!/m);
    type('English\r');
    await sees(/^\? Which country/m);
    type('/focus none\r');
    await sees(/typed text now begins a new task/);
    type('/interview What is your name?\r');
    await sees(/^\[2\] \? Hello! .*What is your name\?/m);
    type('English\r');
    await sees(/^\[2\] \? Which country/m);
    type('/answer 1 Japan\r');
    await sees(/^\[1\] \? Let’s begin\./m);
    await sees(/\/answer 1 TEXT answers it; after \/focus 1, typed text does$/m);
    type('Japan\r');
    await sees(/^\[2\] \? Let’s begin\.\n {6}What is your name/m);
    type('/tree\r');
    await sees(/^1 interview waits for a person: t-shirt\.toml$/m);
    type('/pause 1\r');
    await sees(/^\[1\] \? Paused/m);
    type('/answer 3 x\r');
    await sees(/3 asks nothing/);
    expect(rows()).not.toContain('sent to 1, which reads it at its next turn');
  });

  test('an interview that a model begins below its task is answered at once, and the model receives the answers', async () => {
    const {type, sees, rows} = await chat({args: byRule});
    answer(({tools, text, turn}) => {
      if (tools.includes('cast_ballot')) {
        return call('cast_ballot', {verdict: 'approve', reasons: ['fine'], confidence: 1});
      }
      if (turn === 0 && tools.includes('find_tools')) {
        return call('find_tools', {query: 'interview a person'});
      }
      if (turn === 1 && tools.includes('spawn_interview')) {
        return call('spawn_interview', {request: 't-shirt.toml'});
      }
      return {text: `Received: ${/- Size: \w+/.exec(text)?.[0] ?? 'nothing'}`};
    });
    type('/ask Which shirt?\r');
    await sees(/Size\n/);
    await sees(/^solo 1\.1>/m);
    type('M\r');
    await sees(/Anything else/);
    type('skip\r');
    await sees(/Is everything right\?/);
    type('submit\r');
    await sees(/Received: - Size: M/);
    expect(rows().join('\n')).toMatch(
      /^\[1\.1 interview\] ✓ completed: Submitted: Your conference/m,
    );
  });
});
