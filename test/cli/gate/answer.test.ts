/** The question of a server at the terminal: its words are quoted, and the values are asked for one after another. */

import {beforeEach, expect, test} from 'vitest';

import type {HumanQuestion} from '../../../machines/domain/human.ts';
import {inputText} from '../../../machines/loop/input-question.ts';
import type {ServerQuestion} from '../../../machines/server-input/server-input.ts';
import {askAtGate, createTestTerminal, type TestTerminal} from './person.ts';

const prompt = 'agent-hil> ';
const input: ServerQuestion = {
  server: 'pool',
  message: 'How deep is it?',
  digest: 'd'.repeat(64),
  fields: [
    {name: 'level', type: 'integer', required: true, min: 1, max: 9, description: 'The depth.'},
    {
      name: 'unit',
      type: 'choice',
      required: false,
      choices: [{value: 'm', title: 'Metres'}, {value: 'ft'}],
      default: 'm',
    },
    {name: 'note', type: 'text', required: false},
  ],
};

function questionOf(asked: ServerQuestion): HumanQuestion {
  return {
    kind: 'server-input',
    request: 'Measure the pool',
    reason: 'the MCP server pool asks you something during pool__measure',
    preview: inputText(asked),
    proposalHash: 'a'.repeat(64),
    history: [],
    input: asked,
    allowed: ['answer', 'reject'],
  };
}

let terminal: TestTerminal;
beforeEach(() => {
  terminal = createTestTerminal();
});

const ask = async (asked: ServerQuestion = input, times = 1) => {
  const answered = askAtGate(questionOf(asked), {terminal});
  await terminal.sees(prompt, times);
  return {answered};
};

async function type(line: string, next: string, times = 1): Promise<void> {
  terminal.type(`${line}\r`);
  await terminal.sees(next, times);
}

test('is shown with the words of the server, the fields and the commands', async () => {
  const {answered} = await ask();
  const screen = terminal.screen();
  for (const text of [
    'A Server Asks You a Question',
    '> How deep is it?',
    '- level (required): whole number, at least 1, at most 9',
    '> The depth.',
    '- unit (optional): one of "m" (Metres), "ft"; default "m"',
    'Give no password and no key',
    '/answer   - Give the values, and send them to the server',
    '/reject   - Decline: the server receives no answer',
  ]) {
    expect(screen).toContain(text);
  }
  terminal.type('/reject\r');
  expect(await answered).toEqual({kind: 'decided', decision: {decision: 'reject'}});
});

test('/answer asks for each value, again after one that does not fit, and shows all before they are sent', async () => {
  const {answered} = await ask();
  await type('/answer', 'level: ');
  await type('12', 'must be at most 9');
  await type('', 'a value is required');
  await type('3', 'unit ["m"]: ');
  expect(terminal.screen()).toContain('  1 m (Metres)');
  await type('2', 'note: ');
  await type('', 'Send this to pool? [y/N] ');
  expect(terminal.screen()).toContain('  level: 3');
  terminal.type('y\r');
  expect(await answered).toEqual({
    kind: 'decided',
    decision: {decision: 'answer', content: {level: 3, unit: 'ft'}},
  });
});

test.each(['', 'n'])('values that are not sent are asked for again: %j', async (no) => {
  const {answered} = await ask();
  await type('/answer', 'level: ');
  await type('3', 'unit ["m"]: ');
  await type('', 'note: ');
  await type('deep', 'Send this');
  await type(no, prompt, 2);
  terminal.type('/answer {"level": 4}\r');
  expect(await answered).toEqual({
    kind: 'decided',
    decision: {decision: 'answer', content: {level: 4, unit: 'm'}},
  });
});

test('several values are written as a JSON object; its problems are named', async () => {
  const {answered} = await ask();
  await type('/answer 3', 'or write them as a JSON object');
  await type('/answer {"levle": 3}', 'there is no field "levle"; did you mean "level"?');
  await type('/answer {"level":', 'or write them as a JSON object', 2);
  terminal.type('/answer {"level": 3}\r');
  expect(await answered).toMatchObject({decision: {content: {level: 3}}});
});

test('one value may follow the command', async () => {
  const [level] = input.fields;
  const {answered} = await ask({...input, fields: level ? [level] : []});
  await type('/answer deep', 'must be a number');
  terminal.type('/answer 7\r');
  expect(await answered).toMatchObject({decision: {decision: 'answer', content: {level: 7}}});
});

test('a question without values is answered by the command alone', async () => {
  const {answered} = await ask({...input, fields: []});
  await type('/answer yes', 'takes nothing after it');
  terminal.type('/answer\r');
  expect(await answered).toEqual({kind: 'decided', decision: {decision: 'answer', content: {}}});
});

test('Ctrl-D while values are asked for postpones the answer', async () => {
  const {answered} = await ask();
  await type('/answer', 'level: ');
  terminal.type('\u0004');
  expect(await answered).toEqual({kind: 'suspended', why: 'waiting'});
});
