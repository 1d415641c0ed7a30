/** The events that a program receives for its log. */

import {afterEach, expect, test, vi} from 'vitest';

import type {LogContext, Logger} from '../../actors/logger.ts';
import {createRuntime} from '../../actors/runtime.ts';

afterEach(() => void vi.restoreAllMocks());

interface Record {
  readonly level: keyof Logger;
  readonly message: string;
  readonly context: LogContext | undefined;
}

function recording(): {readonly logger: Logger; readonly records: Record[]} {
  const records: Record[] = [];
  const at =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, context) =>
      void records.push({level, message, context});
  const logger = {debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error')};
  return {logger, records};
}

test('a logger receives the events of every run, with the ids of run and tool', async () => {
  const {logger, records} = recording();
  const runtime = createRuntime({logger, env: {}});
  const run = runtime.ask('What is 2 + 3?');
  await run.result;
  await runtime.close();

  expect(new Set(records.map(({context}) => context?.sessionId))).toEqual(new Set([run.id]));
  expect(records).toContainEqual({
    level: 'info',
    message: 'tool.called',
    context: expect.objectContaining({tool: 'calculator'}),
  });
  expect(records.find(({message}) => message === 'warning')?.level).toBe('warn');
  expect(records.find(({message}) => message === 'usage')?.level).toBe('debug');
  expect(records.at(-1)).toMatchObject({
    message: 'result',
    context: {event: {status: 'completed'}},
  });
});

test('without a logger a run writes nothing to the console', async () => {
  const methods = ['debug', 'info', 'log', 'warn', 'error'] as const;
  const spies = methods.map((method) => vi.spyOn(console, method));
  const runtime = createRuntime({env: {}});
  expect((await runtime.ask('What is 2 + 3?').result).answer).toContain('5');
  await runtime.close();
  expect(spies.flatMap(({mock}) => mock.calls)).toEqual([]);
});

test('a logger receives no sensitive value of an interview, and the names of its agents', async () => {
  const {logger, records} = recording();
  const runtime = createRuntime({logger, env: {}});
  const sensitive = {required: true, type: 'text', sensitivity: 'personal'} as const;
  const questionnaire = {
    id: 'f',
    title: 'F',
    fields: [{id: 'name', label: 'Name', order: 1, ...sensitive}],
    facts: [],
  };
  const respondent = {language: 'en', country: 'DE', timezone: 'Europe/Berlin'};
  const run = runtime.start({form: 'interview', request: 'F', questionnaire, respondent});
  await expect.poll(() => run.asks().length).toBe(1);
  run.send({type: 'person.replied', text: 'Unmistakable Person'});
  await expect.poll(() => run.interview()?.canSubmit).toBe(true);
  await expect.poll(() => run.asks().length).toBe(1);
  run.send({type: 'person.replied', confirms: true});
  expect((await run.result).answers?.answers['name']?.value).toBe('Unmistakable Person');
  await runtime.close();

  expect(JSON.stringify(records)).not.toContain('Unmistakable');
  expect(records.at(-1)).toMatchObject({
    message: 'result',
    context: {event: {answers: {answers: {name: {value: '•••'}}}}},
  });
  expect(records.map(({context}) => context?.agent)).toContain('interviewer');
});
