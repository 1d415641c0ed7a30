/** The record of a run: for audit, for a program's log, for an inspector, and its events about calls. */

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import type {InspectionEvent} from 'xstate';

import {configSchema} from '../../actors/config/schema.ts';
import {createMemoryJournal, type Entry, type Journal} from '../../actors/index.ts';
import type {LogContext, Logger} from '../../actors/logger.ts';
import {createRuntime} from '../../actors/runtime.ts';
import {createRedactor} from '../../actors/secrets/redact.ts';
import {createRunChanges} from '../../actors/undo/backups.ts';
import {chartsVersion, versionOf} from '../../actors/version.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {callHash} from '../../machines/domain/tool.ts';
import {parentOf} from '../../machines/tree/path.ts';
import {readPatch} from '../../tools/text/patch.ts';
import {turnOf} from '../support/asking.ts';
import {putManyFiles} from '../support/many-files.ts';
import {answer, createScenario, reply, work} from '../support/scenario.ts';
import {
  type Files,
  folderWith,
  follow,
  journalIn,
  journalText,
  setStage,
} from '../support/stage.ts';
import {createTally, openTally} from '../support/tally.ts';

function typed<T extends Entry['type']>(
  entries: readonly Entry[],
  type: T,
): Extract<Entry, {readonly type: T}>[] {
  return entries.filter(
    (entry): entry is Extract<Entry, {readonly type: T}> => entry.type === type,
  );
}

test('a call that must not be repeated is announced with its tool, its hash and its approval', async () => {
  const scenario = createScenario();
  const run = scenario.start();
  await run.result;
  const requested = typed(await scenario.runtime.entries(run.id), 'requested');
  const hash = callHash('change', {what: 'a little'});
  expect(requested).toContainEqual(
    expect.objectContaining({tool: 'change', callHash: hash, approval: hash}),
  );
});

test('notes of the program are marked, notes of the charts are not', async () => {
  let isDown = true;
  const scenario = createScenario({
    work: (request) =>
      isDown && request.purpose === 'evaluate' ? {kind: 'auth', message: 'no key'} : work(request),
  });
  const run = scenario.start();
  expect((await run.result).status).toBe('waiting');
  const notes = typed(await scenario.runtime.entries(run.id), 'noted');
  const byHost = notes.filter(({by}) => by === 'host').map(({note}) => note['type']);
  expect(byHost).toEqual(['run.suspended']);
  expect(notes.map(({note}) => note['type'])).toContain('quorum.decided');
  isDown = false;
});

test('a resumption names the version of the charts', async () => {
  let isDown = true;
  const scenario = createScenario({
    work: (request) =>
      isDown && request.purpose === 'evaluate' ? {kind: 'auth', message: 'no key'} : work(request),
  });
  const run = scenario.start();
  await run.result;
  isDown = false;
  await (
    await scenario.runtime.resume(run.id)
  ).result;
  const received = typed(await scenario.runtime.entries(run.id), 'received');
  expect(received[0]?.event).toMatchObject({type: 'run.resumed', version: chartsVersion()});
});

test('the opening records the prices of the models, which apply when the table has changed', async () => {
  let isDown = true;
  const usage = {inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 0};
  const priced = (input: number, journal: Journal): ReturnType<typeof createScenario> =>
    createScenario({
      journal,
      config: {prices: {'test/worker': {input, cached_input: input, output: input}}},
      work: (request) => {
        if (isDown && request.purpose === 'evaluate') return {kind: 'auth', message: 'no key'};
        const outcome = work(request);
        return outcome.kind === 'ok' && request.purpose === 'evaluate'
          ? {...outcome, usage}
          : outcome;
      },
    });
  const journal = createMemoryJournal();
  const first = priced(1, journal);
  const run = first.start();
  await run.result;
  const [opened] = typed(await first.runtime.entries(run.id), 'opened');
  expect(opened?.input['prices']).toMatchObject({
    'test/worker': {input: 1, cachedInput: 1, output: 1},
  });
  isDown = false;
  const before = (await run.result).usage.costUsd ?? 0;
  const {usage: after} = await (await priced(100, journal).runtime.resume(run.id)).result;
  expect((after.costUsd ?? 0) - before).toBeLessThan(2);
});

test('a run whose end cannot be written is not reported as ended, and continues', async () => {
  const journal = createMemoryJournal();
  let isFull = true;
  const scenario = createScenario({
    journal: {
      ...journal,
      log: {
        ...journal.log,
        append: (batch) => {
          if (isFull && batch.some(({bodies}) => bodies.some(({type}) => type === 'closed')))
            throw new Error('no space left');
          return journal.log.append(batch);
        },
      },
    },
  });
  const run = scenario.start();
  expect(await run.result).toMatchObject({status: 'error'});
  isFull = false;
  const again = await scenario.runtime.resume(run.id);
  expect((await again.result).status).toBe('completed');
});

const secret = 'sk-canary-77aa0b1c2d3e';

/** A run of tasks with exact calls; resolves with its events and the text of its journal. */
async function eventsOf(tasks: readonly object[], files: Files = {}) {
  const folder = folderWith(files);
  const {start} = setStage({
    folder,
    tasks,
    say: (request) =>
      request.purpose === 'explore' && turnOf(request) === 0
        ? reply('read_file', {path: 'a.txt'})
        : undefined,
    config: {agent: {review_models: ['t/a'], max_replans: 0}, sandbox: {mode: 'off'}},
    journal: journalIn(folder),
    env: {HOUSE_TOKEN: secret},
  });
  const {events} = await follow(start('Change a.txt and run the commands'));
  return {events, journal: journalText(folder)};
}

function command(text: string): object {
  return {id: 'run it', description: 'Run it', tool: 'run_command', args: {command: text}};
}

test('the lines of a command are reported as it prints them, without secrets, and are not journalled', async () => {
  const script = `echo LIVE; printf 'key sk-canary-77'; sleep 0.1; echo aa0b1c2d3e`;
  const {events, journal} = await eventsOf([command(script)]);
  const live = events.filter((event) => event.type === 'tool.output');
  // On a busy machine both lines may arrive in one piece.
  expect(live.map(({text}) => text).join('\n')).toBe('LIVE\nkey [redacted]');
  expect(new Set(live.map(({tool, task}) => `${tool}, ${task}`))).toEqual(
    new Set(['run_command, run it']),
  );
  expect(JSON.stringify(events)).not.toContain(secret);
  expect(journal).not.toContain('tool.output');
  const types = events.map(({type}) => type);
  expect(types.lastIndexOf('tool.output')).toBeLessThan(types.lastIndexOf('tool.settled'));
});

test('a failed command is reported with its exit code and with the head and tail of its output', async () => {
  const {events} = await eventsOf([command('echo FIRST; seq 20000; echo LAST; exit 3')]);
  const settled = events.findLast(({type}) => type === 'tool.settled');
  expect(settled).toMatchObject({status: 'failed', exitCode: 3});
  const output = settled?.type === 'tool.settled' ? (settled.output ?? '') : '';
  expect(output).toMatch(/^FIRST\n1\n2\n[^]*\n\[… \d+ characters cut …\]\n[^]*20000\nLAST\n$/);
  expect(output.length).toBeLessThanOrEqual(4_000);
});

test('a write is reported with its diff', async () => {
  const args = {path: 'a.txt', old_text: 'two', new_text: '2'};
  const tasks = [{id: 'e', description: 'Edit it', tool: 'edit_file', args}];
  const {events} = await eventsOf(tasks, {'a.txt': 'one\ntwo\n'});
  expect(events.findLast(({type}) => type === 'tool.settled')).toMatchObject({
    status: 'succeeded',
    changes: [{path: 'a.txt', added: 1, removed: 1, diff: expect.stringContaining('-two\n+2')}],
  });
});

test('a limit that several seats reach at once is reported once', async () => {
  const {start, workspace} = setStage({
    tasks: [{id: 'a', description: 'Look at it'}],
    say: ({purpose}) => (purpose === 'plan' ? undefined : answer('nothing to know')),
    config: {
      agent: {review_models: ['t/a', 't/b'], hil_mode: 'interactive'},
      limits: {max_model_calls: 2},
    },
  });
  putManyFiles(workspace);
  const {result, events} = await follow(start('Look at it'));
  expect(result).toMatchObject({status: 'limited'});
  const notices = events.filter(({type}) => type === 'limit.reached' || type === 'warning');
  expect(notices).toMatchObject([
    {type: 'limit.reached', limit: 'max_model_calls', message: '2 model calls were made'},
    {type: 'warning', code: 'outage', message: 'the run waits for a higher limit'},
  ]);
});

test('a call that the rest of the budget does not cover gets a shorter reply instead of a refusal', async () => {
  const limits: number[] = [];
  const usage = {inputTokens: 0, outputTokens: 0, cachedTokens: 0};
  const cut = {kind: 'truncated', message: 'cut off', nextOutputTokens: 64_000, usage} as const;
  const {run} = setStage({
    say: ({maxOutputTokens}) => {
      limits.push(maxOutputTokens);
      return cut;
    },
    config: {limits: {max_cost_usd: 0.1}, prices: {'t/decider': {input: 0.01, output: 5}}},
  });
  const result = await run('What is two and two?', {form: 'ask'});
  expect(result.summary).toContain('the rest of the budget (limits.max_cost_usd, --max-cost)');
  expect(limits).toHaveLength(3);
  for (const limit of limits) expect(limit).toBeGreaterThan(19_000);
  for (const limit of limits) expect(limit).toBeLessThan(20_000);
});

const redactor = createRedactor(configSchema.parse({}), {});

test('the process that resumes a run knows the files that it changed', async () => {
  const {backups} = createMemoryJournal();
  const open = () => createRunChanges('i', backups, redactor);
  const first = open();
  await first.onReplaceBy('i/call#1')([{path: 'src/a.ts', after: 'x'}, {path: 'old.ts'}]);
  first.note(['b.ts']);
  expect(await first.list()).toEqual(['src/a.ts', 'old.ts', 'b.ts']);
  expect(await open().list()).toEqual(['src/a.ts', 'old.ts']);
});

test('a backup names the effect that made the change', async () => {
  const {backups} = createMemoryJournal();
  const changes = createRunChanges('i', backups, redactor);
  for (const effect of ['i/call#1', 'i/call#2'])
    await changes.onReplaceBy(effect)([{path: 'a.ts', after: effect}]);
  expect(backups?.list('i')).toMatchObject([{effect: 'i/call#1'}, {effect: 'i/call#2'}]);
});

test('without backups only the changes of this process are known', async () => {
  const changes = createRunChanges('i', undefined, redactor);
  await changes.onReplaceBy('i/call#1')([{path: 'a.ts', after: 'x'}]);
  expect(await changes.list()).toEqual(['a.ts']);
});

/** The ids of the actors that were started, with repetitions. */
function startedIn(seen: readonly InspectionEvent[]): unknown[] {
  return seen.flatMap(({type, actorRef}) =>
    type === '@xstate.actor' && 'id' in actorRef ? [actorRef.id] : [],
  );
}

test('an inspector receives the events of every actor and every step of a runtime', async () => {
  const seen: InspectionEvent[] = [];
  const {start} = createScenario({inspect: (event) => seen.push(event)});
  expect(await start().result).toMatchObject({status: 'completed'});
  expect(new Set(seen.map(({type}) => type))).toEqual(
    new Set([
      '@xstate.actor',
      '@xstate.event',
      '@xstate.snapshot',
      '@xstate.microstep',
      '@xstate.action',
    ]),
  );
  expect(startedIn(seen)).toEqual(expect.arrayContaining(['i', 'form', 'task:a', 'task:d']));
});

test('an inspector also receives the events of a replay', async () => {
  const first = createScenario();
  const run = first.start();
  for await (const event of run.events) if (event.type === 'plan.created') break;
  await run.suspend('interrupted');
  const seen: InspectionEvent[] = [];
  const again = createScenario({journal: first.journal, inspect: (event) => seen.push(event)});
  const resumed = await again.runtime.resume(run.id);
  expect(startedIn(seen)).toContain('form');
  expect(await resumed.result).toMatchObject({status: 'completed'});
});

test('without an inspector the charts receive no `inspect` option, so that XState makes no inspection events', async () => {
  const tally = createTally({id: 'a', log: createMemoryJournal().log});
  openTally(tally);
  await vi.waitFor(() => expect(tally.asked).toHaveLength(1));
  const [effect] = tally.engine.tree.effects.open;
  const root: unknown = effect && parentOf(effect.actor);
  expect(root).toHaveProperty('options');
  expect(root).not.toHaveProperty('options.inspect');
});

interface LogRecord {
  readonly level: keyof Logger;
  readonly message: string;
  readonly context: LogContext | undefined;
}

function recording(): {readonly logger: Logger; readonly records: LogRecord[]} {
  const records: LogRecord[] = [];
  const at =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, context) =>
      void records.push({level, message, context});
  const logger = {debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error')};
  return {logger, records};
}

describe('the log of a program', () => {
  afterEach(() => void vi.restoreAllMocks());

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
});

let chartsFolder: string;

function write(name: string, text: string): void {
  writeFileSync(join(chartsFolder, name), text);
}

describe('the version of the charts', () => {
  beforeEach(() => {
    chartsFolder = folderWith();
    mkdirSync(join(chartsFolder, 'room/texts'), {recursive: true});
    write('room/chart.ts', 'one');
    write('room/prompt.ts', 'one');
    write('room/worker-prompt.ts', 'one');
    write('room/prompts.ts', 'one');
    write('room/texts/en.ts', 'one');
  });

  test('a change of the charts changes the version, a change of prompts and messages does not', () => {
    const before = versionOf(chartsFolder);
    expect(before).toMatch(/^[\da-f]{16}$/);
    write('room/prompt.ts', 'two');
    write('room/worker-prompt.ts', 'two');
    write('room/prompts.ts', 'two');
    write('room/texts/en.ts', 'two');
    write('room/notes.md', 'two');
    expect(versionOf(chartsFolder)).toBe(before);
    write('room/chart.ts', 'two');
    expect(versionOf(chartsFolder)).not.toBe(before);
    write('room/chart.ts', 'one');
    expect(versionOf(chartsFolder)).toBe(before);
    write('room/another.ts', '');
    expect(versionOf(chartsFolder)).not.toBe(before);
  });

  test('the version is that of the charts', () => {
    expect(chartsVersion()).toBe(versionOf(join(import.meta.dirname, '../../machines')));
  });
});

const patch = [
  'diff --git a/notes.txt b/notes.txt',
  '--- a/notes.txt',
  '+++ b/notes.txt',
  '@@ -1 +1 @@',
  '-one',
  '+two',
  '',
].join('\n');

async function review(agent: object): Promise<RunResult> {
  const runtime = createRuntime({env: {}, config: {agent}});
  try {
    const diff = await readPatch(patch);
    return await runtime.start({form: 'review', request: 'Look at it', diff}).result;
  } finally {
    await runtime.close();
  }
}

const synthesis = 'The policy reviewers found nothing; no model has read the diff.';

test('a review without any model is degraded and says so', async () => {
  expect((await review({})).review).toMatchObject({approved: true, degraded: true, synthesis});
});

test.each([{phase_scope: 'fast'}, {review_models: ['policy/*']}])(
  'a review by rules that %j configures is not degraded',
  async (agent) => {
    expect((await review(agent)).review).toMatchObject({
      approved: true,
      degraded: false,
      synthesis,
    });
  },
);
