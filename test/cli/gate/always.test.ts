/** Allowing a command permanently, at the terminal. */

import {beforeEach, expect, test} from 'vitest';

import type {GateAnswer} from '../../../cli/gate/decide.ts';
import type {HumanQuestion} from '../../../machines/domain/human.ts';
import {askAtGate, createTestTerminal, type TestTerminal} from './person.ts';

const prompt = 'agent-hil> ';
const command = 'npm run deploy --dry';
const question: HumanQuestion = {
  kind: 'action',
  request: 'Deploy it',
  reason: `Nobody has judged this action: policy/safety can't judge "deploy".`,
  preview: `$ ${command}`,
  proposalHash: 'f'.repeat(64),
  history: [],
  lasting: {folder: '/work/here', command},
  allowed: ['approve', 'always', 'reject'],
};

let terminal: TestTerminal;
beforeEach(() => {
  terminal = createTestTerminal();
});

function ask(asked: HumanQuestion = question): Promise<GateAnswer> {
  return askAtGate(asked, {terminal, env: {NO_COLOR: '1'}});
}

test('/always allows exactly the shown command', async () => {
  const answer = ask();
  await terminal.sees(prompt);
  expect(terminal.screen()).toContain(
    '/always       - Run it now, and permit it in this folder from now on\n' +
      '  /always WORDS - The same for every command that begins with these words\n',
  );
  terminal.type('/always\n');
  expect(await answer).toEqual({kind: 'decided', decision: {decision: 'always'}});
});

test('/always with the first words shows the commands that it would allow, and requires a yes', async () => {
  const answer = ask();
  await terminal.sees(prompt);
  terminal.type('/always npm run deploy\n');
  await terminal.sees(
    'Allow every command that begins with "npm run deploy" in /work/here without asking? [y/N] ',
  );
  terminal.type('y\n');
  expect(await answer).toEqual({
    kind: 'decided',
    decision: {decision: 'always', prefix: 'npm run deploy'},
  });
});

test.each(['', 'n', '/approve'])(
  '%j does not mean yes: the question is asked again',
  async (reply) => {
    const answer = ask();
    await terminal.sees(prompt);
    terminal.type('/always npm run\n');
    await terminal.sees('[y/N] ');
    terminal.type(`${reply}\n`);
    await terminal.sees(prompt, 2);
    terminal.type('/reject\n');
    expect(await answer).toMatchObject({decision: {decision: 'reject'}});
  },
);

test('words that do not stand for the command are refused with the reason', async () => {
  const answer = ask();
  await terminal.sees(prompt);
  terminal.type('/always npm\n');
  await terminal.sees('a prefix is the first 2 words of the command or more');
  await terminal.sees(prompt, 2);
  terminal.type('/approve\n');
  expect(await answer).toMatchObject({decision: {decision: 'approve'}});
});

test('is not a command when nothing can be allowed permanently', async () => {
  const {lasting: _, ...once} = question;
  const answer = ask({...once, allowed: ['approve', 'reject']});
  await terminal.sees(prompt);
  terminal.type('/always\n');
  await terminal.sees(prompt, 2);
  expect(terminal.screen()).toContain('/always is not a command here');
  terminal.type('/approve\n');
  expect(await answer).toMatchObject({decision: {decision: 'approve'}});
});
