/** Tools and policy reviewers of the calling program, through the runtime. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';

import {beforeEach, expect, test} from 'vitest';
import {z} from 'zod';

import {createRuntime} from '../../actors/index.ts';
import {createRouter} from '../../actors/model/router.ts';
import {createOffers} from '../../actors/performers/offers.ts';
import {createPerformers} from '../../actors/performers/performers.ts';
import {createWorkspaceLocks} from '../../actors/performers/workspace-locks.ts';
import {policies} from '../../actors/policies/index.ts';
import type {PolicyReviewer} from '../../actors/policies/names.ts';
import {callHash, type ToolOutcome} from '../../machines/domain/tool.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {
  createSandbox,
  createSnapshots,
  createToolbox,
  defineTool,
  writeFile,
} from '../../tools/index.ts';
import {answer} from '../support/scenario.ts';
import {folderWith, setStage, type StageOptions} from '../support/stage.ts';

let folder: string;

beforeEach(() => {
  folder = folderWith();
});

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
    expect(word).toMatchObject({policy: 'policy/house', verdict: 'reject', rules: ['no-verdict']});
    expect(word?.reasons.join()).toContain(why);
    expect(warnings.join()).toMatch(/policy\/house gave no valid verdict: .*/);
    expect(warnings.join()).toContain(why);
    expect(existsSync(join(folder, 'note.md'))).toBe(false);
  },
);

/** The same reviewer, which answers in a later turn of the event loop. */
function later(reviewer: PolicyReviewer): PolicyReviewer {
  return async (proposal, analysis) => {
    await setImmediate();
    return await reviewer(proposal, analysis);
  };
}

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

function noteTool(name: string) {
  return {...saveNote, name};
}

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
