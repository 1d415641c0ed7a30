/** Tools and policy reviewers of the calling program and of the configuration, through the runtime. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';

import {beforeEach, describe, expect, test} from 'vitest';
import {z} from 'zod';

import {type ConfigInput, createRuntime} from '../../actors/index.ts';
import {createRouter} from '../../actors/model/router.ts';
import {createOffers} from '../../actors/performers/offers.ts';
import {createPerformers} from '../../actors/performers/performers.ts';
import {createWorkspaceLocks} from '../../actors/performers/workspace-locks.ts';
import {policies} from '../../actors/policies/index.ts';
import type {PolicyReviewer} from '../../actors/policies/names.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {callHash, type ToolOutcome} from '../../machines/domain/tool.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {
  createSandbox,
  createSnapshots,
  createToolbox,
  defineTool,
  writeFile,
} from '../../tools/index.ts';
import {createAsking, lastText, say, turnOf, use} from '../support/asking.ts';
import {answer, cutJournal, vote} from '../support/scenario.ts';
import {folderWith, journalIn, setStage, type StageOptions} from '../support/stage.ts';

let folder: string;

const saveNote = defineTool({
  name: 'save_note',
  description: 'Saves a note.',
  parameters: z.strictObject({file: z.string(), text: z.string()}),
  reaches: 'workspace',
  quotes: false,
  writes: ['file'],
  puts: 'text',
  run: async ({file, text}, {workspace}) => {
    writeFileSync(join(workspace, file), text);
    return await Promise.resolve({kind: 'succeeded', text: 'saved'});
  },
});

function savingInto(file: string, options: StageOptions) {
  const task = {id: 'a', description: 'Save it', tool: 'save_note', args: {file, text: 'hello'}};
  return setStage({
    folder,
    tools: [saveNote],
    tasks: [task],
    say: ({purpose}) => (purpose === 'close' ? answer('') : undefined),
    ...options,
  });
}

async function runWith(
  file: string,
  seats: readonly string[],
  own: Readonly<Record<string, PolicyReviewer>> = {},
  screen?: string[],
  onEvent?: (event: ProgressEvent) => void,
) {
  const quorum = screen ? {screen} : {};
  const {run} = savingInto(file, {
    config: {agent: {review_models: [...seats]}, quorum},
    policies: own,
  });
  return await run('Save a note', onEvent && {onEvent});
}

const content: PolicyReviewer = () => ({verdict: 'approve', reasons: ['fine'], confidence: 1});

const house: PolicyReviewer = ({facts}, analysis) => {
  const isLoud = facts.calls.some(({args}) => args['file'] === 'LOUD.md');
  return isLoud
    ? {verdict: 'reject', reasons: ['house/quiet: no shouting'], confidence: 1}
    : content({kind: 'plan', title: '', hash: '', text: '', facts}, analysis);
};

const fail = (): never => {
  throw new Error('a rule without a rule');
};

const silent: readonly (readonly [string, () => unknown, string])[] = [
  ['throws', fail, 'a rule without a rule'],
  ['rejects', async () => await Promise.reject(new Error('no rules today')), 'no rules today'],
  ['gives no reasons', () => ({verdict: 'approve', reasons: [], confidence: 1}), 'reasons'],
  ['gives another verdict', () => ({verdict: 'yes', reasons: ['fine'], confidence: 1}), 'verdict'],
  ['returns nothing', () => undefined, 'ballot'],
];

/** The same reviewer, which answers in a later turn of the event loop. */
function later(reviewer: PolicyReviewer): PolicyReviewer {
  return async (proposal, analysis) => {
    await setImmediate();
    return await reviewer(proposal, analysis);
  };
}

function noteTool(name: string) {
  return {...saveNote, name};
}

describe('of the calling program', () => {
  beforeEach(() => {
    folder = folderWith();
  });

  test('a write that a tool declares is reported as written, with the approval of the built-in policies', async () => {
    const result = await runWith('note.md', ['policy/safety', 'policy/scope', 'policy/evidence']);
    expect(result).toMatchObject({
      status: 'completed',
      tasks: [
        {
          written: ['note.md'],
          evidence: [{tool: 'save_note', did: 'wrote', target: 'note.md', ok: true}],
        },
      ],
    });
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toBe('hello');
  });

  test('scope judges a write of a custom tool', async () => {
    const result = await runWith('../out.md', ['policy/scope']);
    expect(result.status).not.toBe('completed');
    expect(JSON.stringify(result.reviews)).toContain('scope/outside-workspace');
    expect(existsSync(join(folder, '../out.md'))).toBe(false);
  });

  test('a custom policy reviewer sits on the panel, and its vote counts', async () => {
    const quiet = await runWith('note.md', ['policy/house'], {house});
    expect(quiet).toMatchObject({status: 'completed'});
    expect(quiet.reviews?.[0]?.votes).toMatchObject([{model: 'policy/house', verdict: 'approve'}]);
    const loud = await runWith('LOUD.md', ['policy/house'], {house});
    expect(loud.status).toBe('rejected');
    expect(JSON.stringify(loud.reviews)).toContain('house/quiet: no shouting');
  });

  test('a custom policy reviewer screens without a seat, unless other screeners are configured', async () => {
    const loud = await runWith('LOUD.md', ['policy/evidence'], {house});
    expect(loud.status).toBe('rejected');
    expect(loud.reviews?.[0]?.screened).toMatchObject([
      {},
      {},
      {},
      {policy: 'policy/house', verdict: 'reject', reasons: ['house/quiet: no shouting']},
    ]);
    const named = await runWith('LOUD.md', ['policy/evidence'], {house}, ['policy/scope']);
    expect(named.status).toBe('completed');
  });

  test.each(silent)(
    'a policy that %s vetoes every proposal that it screens, with a warning',
    async (_, odd, why) => {
      const warnings: string[] = [];
      const own = Object({house: odd});
      const result = await runWith('note.md', ['policy/evidence'], own, undefined, (event) => {
        if (event.type === 'warning') warnings.push(event.message);
      });
      expect(result.status).toBe('rejected');
      const word = result.reviews?.[0]?.screened?.at(-1);
      expect(word).toMatchObject({
        policy: 'policy/house',
        verdict: 'reject',
        rules: ['no-verdict'],
      });
      expect(word?.reasons.join()).toContain(why);
      expect(warnings.join()).toMatch(/policy\/house gave no valid verdict: .*/);
      expect(warnings.join()).toContain(why);
      expect(existsSync(join(folder, 'note.md'))).toBe(false);
    },
  );

  test('an asynchronous policy is awaited, whether it approves or rejects', async () => {
    expect((await runWith('note.md', ['policy/evidence'], {house: later(house)})).status).toBe(
      'completed',
    );
    const loud = await runWith('LOUD.md', ['policy/evidence'], {house: later(house)});
    expect(loud).toMatchObject({status: 'rejected'});
    expect(loud.reviews?.[0]?.screened?.at(-1)?.reasons).toEqual(['house/quiet: no shouting']);
  });

  test('a seat for an unknown reviewer is an error that names the nearest one', async () => {
    await expect(runWith('note.md', ['policy/hose'], {house})).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('did you mean "policy/house"?'),
    });
  });

  test.each(Object.keys(policies))(
    'a custom reviewer cannot replace the built-in reviewer %s silently',
    (name) => {
      expect(() => createRuntime({policies: {[name]: content}})).toThrow(
        expect.objectContaining({code: 'config', message: expect.stringContaining('taken twice')}),
      );
    },
  );

  test('an unknown form is a usage error that names the nearest one', async () => {
    const runtime = createRuntime({env: {}});
    expect(() => runtime.start(Object({form: 'agnt', request: 'Do it'}))).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining('there is no form "agnt"; did you mean "agent"?'),
      }),
    );
    await runtime.close();
  });

  test('a tool with a taken or invalid name is refused at once', () => {
    expect(() => createRuntime({tools: [noteTool('read_file')], env: {}})).toThrow(
      expect.objectContaining({
        code: 'config',
        message: expect.stringContaining('"read_file" is registered twice'),
      }),
    );
    for (const name of ['a b', '', 'x'.repeat(65), 'メモ']) {
      const refusal = expect.objectContaining({
        code: 'config',
        message: expect.stringContaining('is not valid'),
      });
      expect(() => defineTool(noteTool(name))).toThrow(refusal);
      expect(() => createRuntime({tools: [noteTool(name)], env: {}})).toThrow(refusal);
    }
  });

  test('a fact that names no argument within a lazy schema is refused by the runtime', () => {
    const parameters = z.lazy(() => z.strictObject({path: z.string()}));
    const count = defineTool(Object({...saveNote, writes: ['pth'], puts: undefined, parameters}));
    expect(() => createRuntime({tools: [count], env: {}})).toThrow(
      expect.objectContaining({
        code: 'config',
        message: expect.stringContaining('the tool "save_note" has writes: "pth"'),
      }),
    );
  });

  test('a file that a tool wrote without a record of the change is named beside the recorded changes', async () => {
    const twice = defineTool({
      ...saveNote,
      run: async (args, context) => {
        await saveNote.run(args, context);
        const outcome = await writeFile.run({path: 'kept.md', content: 'kept\n'}, context);
        return {...outcome, written: [args.file, 'kept.md']};
      },
    });
    const {run} = savingInto('./note.md', {
      config: {agent: {review_models: ['policy/scope']}},
      tools: [twice],
    });
    const {changes, answer: closing} = await run('Save');
    expect(changes).toEqual([{path: 'kept.md', added: 1, removed: 0}]);
    expect(closing).toBe('Changed: kept.md (+1 −0).\nWritten: note.md.');
  });

  test('a high-risk tool does not run without an approval of exactly its arguments', async () => {
    const toolbox = createToolbox([saveNote]);
    const {runTool} = createPerformers({
      router: createRouter({providers: {}, env: {}, extra: [], prices: {}}),
      toolbox,
      prepare: createOffers(toolbox),
      locks: createWorkspaceLocks(undefined),
      snapshots: createSnapshots(),
      policies: {},
      standingRules: async () => [],
      sandbox: createSandbox({mode: 'off'}),
    });
    const args = {file: 'note.md', text: 'hello'};
    const request = {tool: 'save_note', args, workspace: folder, repeatability: 'once'} as const;
    const context = {
      signal: new AbortController().signal,
      key: 'i#1',
      actor: 'i',
      recovering: false,
      hold: () => {},
      onChild: () => {},
      changes: {
        onReplaceBy: () => () => {},
        note: () => {},
        complete: async (_: string, __: string, outcome: ToolOutcome) => outcome,
        unkeptBy: () => [],
        list: async () => [],
      },
      onDelta: () => {},
      onOutput: () => {},
      run: 'i',
      onBusy: () => {},
      onWarning: () => {},
    };
    for (const approval of [undefined, callHash('save_note', {...args, text: 'other'})]) {
      const asked = approval === undefined ? request : {...request, approval};
      expect(await runTool(asked, context)).toMatchObject({kind: 'refused', code: 'not_approved'});
    }
    expect(existsSync(join(folder, 'note.md'))).toBe(false);
    const approved = {...request, approval: callHash('save_note', args)};
    expect(await runTool(approved, context)).toMatchObject({kind: 'succeeded'});
  });

  test('a repository that a custom tool leaves runs no program', async () => {
    for (const name of ['objects', 'refs']) mkdirSync(join(folder, 'sub', name), {recursive: true});
    writeFileSync(join(folder, 'sub/config'), '[core]\n\tfsmonitor = "touch PWNED; false"\n');
    await runWith('sub/HEAD', ['policy/evidence'], {}, []);
    expect(existsSync(join(folder, 'sub/HEAD'))).toBe(false);
    expect(readFileSync(join(folder, 'sub/HEAD.not-allowed'), 'utf8')).toBe('hello');
  });
});

const depth = {
  command: ['sh', '-c', 'echo "$0 is 3 m deep"', '{place}'],
  description: 'Measures a depth.',
  parameters: {place: {type: 'string', required: true}},
  risk: 'low',
  reaches: 'nothing',
  repeatability: 'repeatable',
} as const;

function measures(request: ModelRequest): ModelOutcome {
  return turnOf(request) === 0 ? use('', ['depth', {place: 'pool'}]) : say(lastText(request));
}

function configWith(tools: object): ConfigInput {
  return JSON.parse(JSON.stringify({tools, sandbox: {mode: 'off'}}));
}

test('a question is offered the tools of low risk, with the schema of their parameters', async () => {
  const {risk: _, ...high} = depth;
  const asking = createAsking({answer: measures, config: configWith({depth, dig: high})});
  const {result, events} = await asking.ask();
  expect(result.answer).toContain('pool is 3 m deep');
  expect(events.some(({type}) => type === 'quorum.started')).toBe(false);
  expect(asking.requests[0]?.tools).toContain('depth');
  expect(asking.requests[0]?.tools).not.toContain('dig');
});

test('a resumed run uses the definitions with which it was opened', async () => {
  const first = createAsking({answer: measures, config: configWith({depth})});
  const {result} = await first.ask();
  const entries = await first.runtime.entries(result.interaction);
  const journal = cutJournal(result.interaction, entries.slice(0, 3));
  const other = {...depth, command: ['sh', '-c', 'echo "$0 is dry"', '{place}']};
  const again = createAsking({answer: measures, journal, config: configWith({depth: other})});
  const resumed = await (await again.runtime.resume(result.interaction)).result;
  expect(resumed.answer).toBe(result.answer);
  expect((await again.ask()).result.answer).toContain('pool is dry');
});

test('the settings of a run define no tools', async () => {
  const asking = createAsking({answer: measures});
  const start = () =>
    asking.runtime.start({form: 'ask', request: 'How deep?', settings: configWith({depth})});
  expect(start).toThrow(expect.objectContaining({code: 'usage'}));
  await asking.runtime.close();
});

const stamp = {
  command: ['sh', '-c', 'printf %s "$0" > "$1"', '{text}', '{file}'],
  description: 'Stamps a file.',
  parameters: {text: {type: 'string', required: true}, file: {type: 'path', required: true}},
  writes: ['file'],
  reaches: 'workspace',
};

/** Outside of /tmp, because any user may write there. The agent calls the tool `stamp` once; `a.txt` holds "old". */
function stamping(verdict: 'approve' | 'reject') {
  const root = folderWith({'work/a.txt': 'old'}, '/var/tmp');
  const args = {text: '; rm -rf .', file: 'a.txt'};
  return setStage({
    folder: join(root, 'work'),
    tasks: [{id: 'stamp', description: 'Stamp it', tool: 'stamp', args}],
    say: ({purpose}) => (purpose === 'review-action' ? vote(verdict) : undefined),
    config: {
      ...configWith({stamp}),
      agent: {review_models: ['t/a'], max_replans: 0},
      quorum: {screen: []},
    },
    journal: journalIn(root),
  });
}

test('a call of high risk is voted on with its words, and undo takes its changes back', async () => {
  const {run, runtime, requests, text} = stamping('approve');
  const {interaction} = await run('Stamp a.txt');
  expect(text('a.txt')).toBe('; rm -rf .');
  const voted = requests.find(({purpose}) => purpose === 'review-action');
  expect(voted?.transcript.messages[0]?.text).toContain(
    `$ sh -c 'printf %s "$0" > "$1"' '; rm -rf .' a.txt`,
  );
  await runtime.undo(interaction);
  expect(text('a.txt')).toBe('old');
});

test('a call that the panel rejects starts nothing', async () => {
  const {run, text} = stamping('reject');
  await run('Stamp a.txt');
  expect(text('a.txt')).toBe('old');
});
