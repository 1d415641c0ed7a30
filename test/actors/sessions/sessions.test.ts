/** Sessions: their runs, and the context with which a run of a session opens. */

import {mkdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';

import {beforeEach, describe, expect, test} from 'vitest';

import type {SessionRow, StartOptions} from '../../../actors/index.ts';
import type {Log} from '../../../actors/journal/journal.ts';
import {type Earlier, historyShared} from '../../../actors/sessions/opening-context.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import type {ContextMode} from '../../../machines/domain/interaction-form.ts';
import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import type {RunResult} from '../../../machines/domain/result.ts';
import {inheritedFor} from '../../../machines/prompts/inherited.ts';
import {
  type Asking,
  type AskingOptions,
  createAsking,
  lastText,
  say,
} from '../../support/asking.ts';
import {answer, createScenario, reply, work} from '../../support/scenario.ts';
import {folderWith, journalIn} from '../../support/stage.ts';

let folder: string;

/** Runs as in a process of its own: several journals on one file exclude each other as several processes do. */
function createProcess(said: AskingOptions['answer'] = shout): Asking {
  const journal = journalIn(folder);
  return createAsking({answer: said, journal, workspace: join(folder, 'here')});
}

function shout(request: ModelRequest): ModelOutcome {
  const isOnRetry = /^# Question\n[^\n]*retry/.test(lastText(request));
  return say(isOnRetry ? 'Three times, then it gives up.' : 'YES');
}

function never(): Promise<ModelOutcome> {
  return new Promise(() => {});
}

async function endOf(
  {runtime}: Asking,
  request: string,
  place: {session?: string; workspace?: string} = {},
) {
  const run = runtime.ask(request, {workspace: join(folder, 'here'), ...place});
  await run.result;
  return run.id;
}

/** Leaves a session with one ended run and two open ones, as a process does that is shut down. */
async function leave(): Promise<readonly string[]> {
  const asking = createProcess();
  await endOf(asking, 'ended', {session: 'talk'});
  await asking.runtime.close();
  const hanging = createProcess(never);
  const runs = ['first', 'second'].map((request) =>
    hanging.runtime.ask(request, {workspace: join(folder, 'here'), session: 'talk'}),
  );
  await Promise.all(runs.map(async ({opened}) => await opened));
  await hanging.runtime.close();
  return runs.map(({id}) => id);
}

const outline = (sessions: readonly SessionRow[]) =>
  sessions.map(({id, roots}) => [id, roots.map(({request}) => request)]);

describe('of a journal', () => {
  beforeEach(() => {
    folder = folderWith({'here/.keep': '', 'there/.keep': ''});
  });

  describe('a session', () => {
    test('has the runs that were started in it, the oldest first; a run started without one has a session of its own', async () => {
      const asking = createProcess();
      await endOf(asking, 'one', {session: 'talk'});
      const alone = await endOf(asking, 'alone');
      await endOf(asking, 'two', {session: 'talk'});
      const [talk] = await asking.runtime.sessions();

      expect(outline(await asking.runtime.sessions())).toEqual([
        ['talk', ['one', 'two']],
        [alone, ['alone']],
      ]);
      expect(talk).toMatchObject({
        openedAt: talk?.roots[1]?.openedAt,
        updatedAt: talk?.roots[1]?.updatedAt,
        roots: [{form: 'ask', status: 'completed', answer: 'YES'}, {status: 'completed'}],
      });
    });

    test('can be joined by the id of an earlier run, also from another process', async () => {
      const first = await endOf(createProcess(), 'one');
      const asking = createProcess();
      await endOf(asking, 'two', {session: first});

      expect(outline(await asking.runtime.sessions())).toEqual([[first, ['one', 'two']]]);
    });

    test('opens its next run from the ends of the earlier ones, without reading their entries', async () => {
      await endOf(createProcess(), 'one', {session: 'talk'});
      const journal = journalIn(folder);
      const readWhole: string[] = [];
      const noting = (id: string) => void readWhole.push(id);
      const log: Log = {
        ...journal.log,
        read: (id) => (noting(id), journal.log.read(id)),
        salvage: (id) => (noting(id), journal.log.salvage(id)),
      };
      const asked: string[] = [];
      const workspace = join(folder, 'here');
      const answering = (request: ModelRequest) => (asked.push(JSON.stringify(request)), say('NO'));
      const asking = createAsking({answer: answering, journal: {...journal, log}, workspace});
      await endOf(asking, 'two', {session: 'talk'});

      expect(readWhole).toEqual([]);
      expect(asked.join()).toContain('YES');
    });

    test.for(['', 'a b', '../x', 'x'.repeat(65)])('cannot be named %j', (session) => {
      const {runtime} = createProcess();
      expect(() => runtime.ask('x', {session})).toThrow(
        expect.objectContaining({
          code: 'usage',
          message: expect.stringContaining('is not a session id'),
        }),
      );
    });
  });

  describe('sessions are found', () => {
    const cases: readonly (readonly [words: string, found: readonly string[]])[] = [
      ['RETRY', ['talk']],
      ['gives up', ['talk']],
      ['gives retry', ['talk']],
      ['retry colour', ['talk']],
      ['talk', ['talk']],
      ['there', ['far']],
      ['YES', ['far', 'talk']],
      ['retry nowhere', []],
      ['  ', ['far', 'talk']],
    ];

    test('by words of requests, answers, folders and ids, in any letter case', async () => {
      const asking = createProcess();
      await endOf(asking, 'What does the retry limit do?', {session: 'talk'});
      await endOf(asking, 'Which colour is it?', {session: 'talk'});
      await endOf(asking, 'And now?', {session: 'far', workspace: join(folder, 'there')});

      for (const [search, found] of cases) {
        const sessions = await asking.runtime.sessions({search});
        expect([search, sessions.map(({id}) => id)]).toEqual([search, found]);
      }
    });

    test('by the complete path of a folder in which one of their runs works', async () => {
      const asking = createProcess();
      await endOf(asking, 'one', {session: 'both'});
      await endOf(asking, 'two', {session: 'both', workspace: join(folder, 'there')});
      await endOf(asking, 'three', {session: 'here'});
      const there = await asking.runtime.sessions({workspace: join(folder, 'there')});

      expect(outline(there)).toEqual([['both', ['one', 'two']]]);
      expect(await asking.runtime.sessions({workspace: join(folder, 'gone')})).toEqual([]);
    });
  });

  test('a cancel that its reader could not record is read by the process that continues the run', async () => {
    const workspace = join(folder, 'here');
    const journal = journalIn(folder);
    const log: Log = {
      ...journal.log,
      append: (batch) => {
        const isCancel = batch.some(({bodies}) => bodies.some(({type}) => type === 'received'));
        if (isCancel) throw new AppError('io', 'the disk is full');
        return journal.log.append(batch);
      },
    };
    const asking = createAsking({answer: never, journal: {...journal, log}, workspace});
    const run = asking.runtime.ask('How long?', {workspace});
    await run.opened;
    await journal.inbox.post(run.id, {type: 'user.cancel'});
    expect(await run.result).toMatchObject({status: 'error', resumable: true});
    await asking.runtime.close();

    const resumed = await createProcess(never).runtime.resume(run.id);
    expect(await resumed.result).toMatchObject({status: 'cancelled'});
  });

  describe('a session that a process left', () => {
    test('continues with every open run, in a later process', async () => {
      const ids = await leave();
      const ended: string[] = [];
      const {runtime} = createProcess();
      const {id, runs, left} = await runtime.resumeSession('talk', {
        onEvent: ({type, interaction}) => type === 'result' && ended.push(interaction),
      });

      expect([id, runs.map((run) => run.id), left]).toEqual(['talk', ids, []]);
      for (const run of runs) expect(await run.result).toMatchObject({answer: 'YES'});
      expect(ended.toSorted()).toEqual(ids.toSorted());
      expect((await runtime.resumeSession('talk')).runs).toEqual([]);
    });

    test('reports the run that another process has at work, and continues with the others', async () => {
      const [first = '', second = ''] = await leave();
      const other = await createProcess(never).runtime.resume(first);
      const {runtime} = createProcess();
      const {runs, left} = await runtime.resumeSession('talk');

      expect(runs.map(({id}) => id)).toEqual([second]);
      expect(left).toEqual([
        {id: first, error: {code: 'busy', message: expect.stringContaining(first)}},
      ]);
      await other.suspend('interrupted');
      expect((await runtime.resumeSession('talk')).runs.map(({id}) => id)).toContain(first);
    });

    test('keeps a run whose folder is missing until it is back', async () => {
      const ids = await leave();
      rmSync(join(folder, 'here'), {recursive: true});
      const {runtime} = createProcess();
      const gone = await runtime.resumeSession('talk');

      expect(gone.runs).toEqual([]);
      expect(gone.left).toEqual(
        ids.map((id) => ({
          id,
          error: {code: 'usage', message: expect.stringMatching(/not a folder/)},
        })),
      );
      mkdirSync(join(folder, 'here'));
      expect((await runtime.resumeSession('talk')).runs.map(({id}) => id)).toEqual(ids);
    });

    test('is not found by an unknown name', async () => {
      await expect(createProcess().runtime.resumeSession('nobody')).rejects.toMatchObject({
        code: 'not_found',
        message: 'there is no session nobody; see: quorate runs',
      });
    });
  });
});

const budget = {maxTotalBytes: 4_000, maxEntryBytes: 2_000, recentFullCount: 3};
const usage = {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0};

function endedAs(form: 'agent' | 'ask' | 'review', rest: Partial<RunResult>): RunResult {
  const status = 'completed';
  return {type: 'result', status, exitCode: 0, interaction: 'x', form, summary: '', usage, ...rest};
}

function earlier(number: number, request: string, result?: RunResult): Earlier {
  return {number, row: {form: result?.form ?? 'ask', request, workspace: '/w'}, result};
}

function inheritedText(
  mode: ContextMode,
  history: readonly Earlier[],
  omitted = 0,
): string | undefined {
  return inheritedFor(mode, historyShared(history, {workspace: '/w', omitted}), budget);
}

const question = earlier(1, 'How deep?', endedAs('ask', {answer: '3 m', summary: 'Answered.'}));
const cutShort = earlier(
  2,
  'Fix it',
  endedAs('agent', {
    status: 'cancelled',
    summary: 'Cancelled.',
    plan: {objective: 'Mend the pump', reasoning: 'r', tasks: []},
    tasks: [
      {
        id: 'a',
        description: 'Look',
        status: 'succeeded',
        output: 'it leaks\nat the seal',
        evidence: [],
        written: [],
      },
    ],
    denied: [{tool: 'run_command', summary: 'rm -rf pump', reasons: ['too much', 'no need']}],
    changes: [{path: 'pump.md', added: 3, removed: 1}],
    inDoubt: ['run_command make'],
    interactions: [
      {
        id: 'x.1',
        form: 'ask',
        parent: 'x',
        depth: 1,
        contextMode: 'full',
        by: 'model',
        status: 'completed',
        summary: 'Answered.',
      },
    ],
  }),
);

function wholeText({transcript}: ModelRequest): string {
  return transcript.messages.map(({text}) => text).join('\n');
}

describe('the earlier interactions of a session are passed on', () => {
  test('in full with requests and results, the latest first; an interrupted one with its finished actions', () => {
    expect(inheritedText('full', [question, cutShort])).toBe(
      [
        'From the earlier interactions of this session, the last one first:',
        [
          '2. agent, cancelled:',
          '> Request: Fix it',
          '> [Agent Result (failed)]: Cancelled.',
          '> Plan: Mend the pump',
          '> Tasks:',
          '> - a (succeeded): Look: it leaks at the seal',
          '> Files changed:',
          '> - pump.md (+3 -1)',
          '> Not allowed:',
          '> - rm -rf pump: too much; no need',
          '> Begun, outcome unknown:',
          '> - run_command make',
          '> Child interactions:',
          '> - x.1, ask (completed): Answered.',
        ].join('\n'),
        '1. ask, completed:\n> Request: How deep?\n> [Ask Result]: 3 m',
      ].join('\n\n'),
    );
  });

  test('projected in a line each', () => {
    expect(inheritedText('projected', [question, cutShort, earlier(3, 'And now?')])).toBe(
      [
        'From the earlier interactions of this session, the last one first:',
        '3. ask, not ended:\n> And now?: It has not ended.',
        '2. agent, cancelled:\n> Fix it: [Agent Result (failed)]: Cancelled.',
        '1. ask, completed:\n> How deep?: [Ask Result]: 3 m',
      ].join('\n\n'),
    );
  });

  test('with the folder of a run that worked elsewhere, and the result of a form that is never spawned', () => {
    const {row, ...rest} = earlier(
      1,
      'See',
      endedAs('review', {status: 'rejected', summary: 'No.'}),
    );
    expect(inheritedText('full', [{...rest, row: {...row, workspace: '/other'}}])).toContain(
      '1. review, rejected:\n> Request: See\n> Worked in: /other\n> (rejected) No.',
    );
  });

  test('within a byte limit, and omissions are stated', () => {
    const many = Array.from({length: 60}, (_, index) =>
      earlier(index + 8, 'x'.repeat(300), endedAs('ask', {answer: 'y'.repeat(300)})),
    );
    const text = inheritedText('full', many, 7) ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget.maxTotalBytes);
    expect(text).toContain('67. ask, completed:\n> Request: xxx');
    expect(text).toMatch(/Left out, as there is no room:\n> .*8\. ask.*Older interactions/);
    expect(inheritedText('full', [question], 7)).toContain(
      'Older interactions:\n> 7 older interactions are not listed.',
    );
  });
});

describe('a run of a session', () => {
  const place = {workspace: import.meta.dirname, session: 'talk'};

  /** The context in the journal of a run, which makes it the same after a crash. */
  async function inheritedBy({runtime}: Asking, request: string, more: Partial<StartOptions> = {}) {
    const run = runtime.start({form: 'ask', request, ...place, ...more});
    await run.result;
    const [opened] = await runtime.entries(run.id);
    return opened?.type === 'opened' ? opened.input['inherited'] : undefined;
  }

  test.each([
    ['full', '> Request: How deep?\n> [Ask Result]: it is 3 m deep'],
    ['projected', '> How deep?: [Ask Result]: it is 3 m deep'],
    [undefined, '> How deep?: [Ask Result]: it is 3 m deep'],
  ] as const)('receives the run before it in the mode %s', async (contextMode, expected) => {
    const asking = createAsking({answer: () => say('it is 3 m deep')});
    expect(await inheritedBy(asking, 'How deep?')).toBeUndefined();
    const mode = contextMode ? {contextMode} : {};
    expect(await inheritedBy(asking, 'Since when?', mode)).toContain(
      `\n\n1. ask, completed:\n${expected}`,
    );
  });

  test('receives nothing with fresh context or in another session, and the given context otherwise', async () => {
    const asking = createAsking({answer: () => say('it is 3 m deep')});
    await inheritedBy(asking, 'How deep?');
    expect(await inheritedBy(asking, 'And now?', {contextMode: 'fresh'})).toBeUndefined();
    expect(await inheritedBy(asking, 'And here?', {session: 'other'})).toBeUndefined();
    expect(await inheritedBy(asking, 'So?', {inherited: 'It rains.'})).toBe('It rains.');
  });

  test('knows the actions of the run that it replaces, and the rejected ones', async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const {runtime} = createScenario({
      work: (request) => {
        const text = lastText(request);
        if (request.purpose === 'evaluate') controller.abort();
        if (text.includes('Do it otherwise'))
          seen.push(`${request.purpose}: ${wholeText(request)}`);
        if (request.purpose === 'plan' && text.includes('Do it otherwise'))
          return reply('create_plan', {objective: 'o', reasoning: 'r', tasks: []});
        return request.purpose === 'explore' ? answer('nothing to know') : work(request);
      },
    });
    const form = 'agent';
    const first = runtime.start({form, request: 'Change it', ...place, signal: controller.signal});
    expect(await first.result).toMatchObject({status: 'cancelled'});
    const second = runtime.start({form, request: 'Do it otherwise', ...place});
    await second.result;

    const planning = seen.find((text) => text.startsWith('plan: ')) ?? '';
    expect(planning).toContain('1. agent, cancelled:');
    expect(planning).toContain('Request: Change it');
    expect(planning).toMatch(/- c \(succeeded\): change it: changed/);
    expect(planning).toMatch(
      /Not allowed:[>\s]*- change \{"what":"everything"\}: .*x: I reject y: I reject z: I reject\n/,
    );
  });
});
