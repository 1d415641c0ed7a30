import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {PassThrough, Writable} from 'node:stream';

import {describe, expect, test, vi} from 'vitest';

import {silentLogger} from '../../actors/logger.ts';
import {toDecision} from '../../cli/line/decision.ts';
import {runSession, type SessionOptions} from '../../cli/session.ts';
import type {HumanQuestion} from '../../machines/domain/human.ts';
import type {Plan} from '../../machines/domain/plan.ts';
import {baseResult, createFakeRun, type FakeRun} from './fake-run.ts';
import {createTestTerminal} from './gate/person.ts';
import {unsafeCharacters} from './unsafe-characters.ts';

const question: HumanQuestion = {
  kind: 'action',
  request: 'Clean up',
  reason: 'The panel rejected 3 actions in a row.',
  preview: 'rm build',
  proposalHash: 'abc123def4567890'.repeat(4),
  history: [],
  allowed: ['approve', 'reject'],
};

function collect(stream: PassThrough): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return () => text;
}

/** A session without a terminal. */
function pipeSession(run: FakeRun, options: Partial<SessionOptions> = {}) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const out = collect(stdout);
  const err = collect(stderr);
  const exit = runSession(run, {
    terminal: {stdin, stdout, stderr, env: {}},
    form: 'agent',
    output: 'text',
    level: 'normal',
    workspace: '/work/here',
    opening: async () => ({tools: [], models: {}}),
    warnings: [],
    logger: silentLogger,
    ...options,
  });
  return {exit, out, err, stdout};
}

/** A session on a terminal, with the result on a pipe. */
function terminalSession(run: FakeRun, options: Partial<SessionOptions> = {}) {
  const person = createTestTerminal();
  const stdout = new PassThrough();
  const out = collect(stdout);
  const exit = runSession(run, {
    terminal: {stdin: person.input, stdout, stderr: person.output, env: {NO_COLOR: '1'}},
    form: 'agent',
    output: 'text',
    level: 'normal',
    workspace: '/work/here',
    opening: async () => ({tools: [], models: {}}),
    warnings: [],
    logger: silentLogger,
    ...options,
  });
  return {exit, out, person};
}

test('the result goes to stdout and the progress to stderr', async () => {
  const run = createFakeRun();
  const {exit, out, err} = pipeSession(run, {warnings: ['the offline model is used']});
  run.report({type: 'phase.changed', phase: 'reviewingPlan'});
  run.report({type: 'task.started', task: '1', description: 'Look around'});
  run.end({
    tasks: [],
    denied: [{tool: 'run_command', summary: 'run_command rm x', reasons: ['no']}],
  });
  expect(await exit).toBe(0);
  expect(out()).toBe(
    [
      'completed: All done.',
      '',
      'Denied',
      '  run_command rm x',
      '    └─ no',
      '',
      'run-1 · 3 model calls · 1,200 tokens in · 34 out · $0.25',
      '',
    ].join('\n'),
  );
  expect(err()).toBe(
    'warning: the offline model is used\n▸ reviewing plan\n  task 1: Look around\n',
  );
});

test('the opening of a run is read for a status line only', async () => {
  let read = 0;
  const opening: SessionOptions['opening'] = async () => {
    read += 1;
    return {tools: [], models: {}};
  };
  const piped = createFakeRun();
  const pipe = pipeSession(piped, {opening});
  piped.end();
  await pipe.exit;
  expect(read).toBe(0);
  const watched = createFakeRun();
  const terminal = terminalSession(watched, {opening});
  watched.end();
  await terminal.exit;
  expect(read).toBe(1);
});

test('json is only the result object', async () => {
  const run = createFakeRun();
  const {exit, out} = pipeSession(run, {output: 'json'});
  run.report({type: 'phase.changed', phase: 'gathering'});
  run.end({status: 'rejected', exitCode: 1});
  expect(await exit).toBe(1);
  expect(JSON.parse(out())).toMatchObject({type: 'result', status: 'rejected', exitCode: 1});
});

test('jsonl is one event per line with type, seq, at and interaction, the result last', async () => {
  const run = createFakeRun();
  const {exit, out, err} = pipeSession(run, {output: 'jsonl'});
  run.report({type: 'thought', text: 'a\u001b[2J\u009b\u202eb\nc'});
  run.end();
  await exit;
  const lines = out().trimEnd().split('\n');
  const events = lines.map((line): unknown => JSON.parse(line));
  expect(events).toEqual([
    {
      type: 'thought',
      text: 'a\u001b[2J\u009b\u202eb\nc',
      seq: 1,
      at: expect.any(Number),
      interaction: 'run-1',
      actor: '',
    },
    {...baseResult, seq: 2, at: expect.any(Number), actor: ''},
  ]);
  expect(unsafeCharacters(out())).toEqual([]);
  expect(err()).toBe('');
});

test('quiet shows no progress, only warnings of the launcher and a gate that a mode decided', async () => {
  const run = createFakeRun();
  const {exit, err} = pipeSession(run, {
    level: 'quiet',
    warnings: ['quorate.toml:2:1: agent.hil_mode is ignored'],
  });
  run.report({type: 'phase.changed', phase: 'gathering'});
  run.report({
    type: 'human.decided',
    gate: 'a',
    decision: 'approve',
    proposalHash: 'h',
    by: 'auto_approve',
  });
  run.end();
  await exit;
  expect(err()).toBe(
    'warning: quorate.toml:2:1: agent.hil_mode is ignored\n  decided by auto_approve: approve\n',
  );
});

test('the runtime warns first, the launcher next, and JSONL leaves warnings on stderr', async () => {
  const run = createFakeRun();
  const {exit, err} = pipeSession(run, {
    output: 'jsonl',
    warnings: ['quorate.toml is not trusted'],
  });
  run.report({type: 'warning', message: 'offline'});
  run.report({type: 'phase.changed', phase: 'gathering'});
  run.end();
  await exit;
  expect(err()).toBe('warning: offline\nwarning: quorate.toml is not trusted\n');
});

test('verbose shows thoughts and the models’ text, line by line and model by model', async () => {
  const run = createFakeRun();
  const {exit, err} = pipeSession(run, {level: 'verbose'});
  run.report({type: 'thought', text: 'I wonder'});
  run.report({type: 'model.delta', model: 'a', text: 'one '});
  run.report({type: 'model.delta', model: 'b', text: 'zwei\nd'});
  run.report({type: 'model.delta', model: 'a', text: 'two\n'});
  run.end();
  await exit;
  expect(err()).toBe('  I wonder\n  b │ zwei\n  a │ one two\n  b │ d\n');
});

test('hostile text in progress and result is escaped for the terminal', async () => {
  const run = createFakeRun();
  const {exit, out, err} = pipeSession(run, {level: 'verbose'});
  const hostile = '\u001b[2Jx\r\u009d52;c;A\u009c\u202e\u200b';
  run.report({type: 'tool.called', tool: hostile, summary: hostile});
  run.report({type: 'tool.settled', tool: hostile, status: hostile, message: hostile});
  run.report({type: 'limit.reached', limit: hostile, message: hostile});
  run.report({type: 'model.delta', model: hostile, text: `${hostile}\n`});
  run.end({summary: hostile, answer: hostile, interaction: hostile});
  await exit;
  expect(unsafeCharacters(out() + err())).toEqual([]);
  expect(out()).toContain(String.raw`\x1b[2Jx\r`);
});

describe('without a terminal', () => {
  test('an open gate suspends the run with exit 4 and explains how to continue', async () => {
    const run = createFakeRun();
    const {exit, out, err} = pipeSession(run);
    run.openGate({gate: 'g1', question});
    expect(await exit).toBe(4);
    expect(run.suspensions).toEqual(['waiting']);
    expect(run.sent).toEqual([]);
    const all = out() + err();
    expect(all.match(/quorate resume run-1 --decision reject /g)).toHaveLength(1);
    expect(all.match(/Deciding on sha256/g)).toHaveLength(1);
  });

  test('with JSON on stdout and -q, stderr names the reason and one command', async () => {
    const run = createFakeRun();
    const {exit, err} = pipeSession(run, {level: 'quiet', output: 'json'});
    run.openGate({gate: 'g1', question});
    expect(await exit).toBe(4);
    expect(err()).toBe(
      'waiting for a person: action: The panel rejected 3 actions in a row.\ndecide with: quorate resume run-1\n',
    );
  });

  test('running work may finish before an open gate suspends the run', async () => {
    const busy = ['i/task/tool#1'];
    const run = createFakeRun({atWork: () => busy});
    const {exit} = pipeSession(run);
    run.openGate({gate: 'g1', question});
    run.report({type: 'thought', text: 'still at it'});
    await vi.waitFor(() => expect(run.seen()).toBe(2));
    expect(run.suspensions).toEqual([]);
    busy.pop();
    expect(await exit).toBe(4);
    expect(run.suspensions).toEqual(['waiting']);
  });

  test('a decision answers the gate at which the run waits, and no later one', async () => {
    const run = createFakeRun({
      onSend: () => {
        run.closeGate('g1');
        run.openGate({gate: 'g2', question});
      },
    });
    const {exit} = pipeSession(run, {decision: {decision: 'approve'}});
    run.openGate({gate: 'g1', question});
    expect(await exit).toBe(4);
    expect(run.sent).toEqual([{type: 'human.decided', gate: 'g1', decision: 'approve'}]);
  });

  test('a decision that the question does not allow is refused with the allowed ones', async () => {
    const run = createFakeRun();
    const {exit} = pipeSession(run, {decision: {decision: 'done'}});
    run.openGate({gate: 'g1', question});
    await expect(exit).rejects.toThrow(
      'done does not answer this question (action): use --decision approve|reject',
    );
    expect(run.suspensions).toEqual(['waiting']);
    expect(run.sent).toEqual([]);
  });

  test('a decision for a run without a question is not kept for later', async () => {
    const run = createFakeRun();
    const {exit} = pipeSession(run, {decision: {decision: 'approve'}});
    run.report({type: 'tool.settled', tool: 'read_file', status: 'succeeded', message: ''});
    run.openGate({gate: 'g1', question});
    await expect(exit).rejects.toMatchObject({code: 'nothing_waiting'});
    expect(run.sent).toEqual([]);
  });
});

describe('on a terminal', () => {
  test('the person is asked, progress waits meanwhile, and the next gate follows', async () => {
    const run = createFakeRun({
      onSend: (event) => {
        if (event.type === 'human.decided') run.closeGate(event.gate ?? '');
        if (run.gates().length === 0) run.end();
      },
    });
    const {exit, person, out} = terminalSession(run);
    run.openGate({gate: 'g1', question});
    run.openGate({gate: 'g2', question: {...question, request: 'Second request'}});
    await person.sees('agent-hil> ');
    run.report({type: 'task.started', task: '7', description: 'in the meantime'});
    expect(person.screen()).not.toContain('Second request');
    person.type('/approve\n');
    await person.sees('Second request');
    await person.sees('agent-hil> ', 2);
    person.type('/reject not now\n');
    expect(await exit).toBe(0);
    expect(run.sent).toEqual([
      {type: 'human.decided', gate: 'g1', decision: 'approve'},
      {type: 'human.decided', gate: 'g2', decision: 'reject', reason: 'not now'},
    ]);
    expect(person.screen()).toContain('task 7: in the meantime');
    expect(out()).toContain('completed');
  });

  test('the person is asked after everything before the question is on the screen', async () => {
    const run = createFakeRun({
      onSend: () => {
        run.closeGate('g1');
        run.end();
      },
    });
    run.report({type: 'phase.changed', phase: 'reviewingPlan'});
    run.report({type: 'thought', text: 'the last ballot is in'});
    run.openGate({gate: 'g1', question});
    const {exit, person} = terminalSession(run);
    await person.sees('agent-hil> ');
    const [before = ''] = person.screen().split('Action Requires Human Intervention');
    expect(before).toContain('the last ballot is in');
    expect(before).toContain('a person must decide');
    person.type('/approve\n');
    expect(await exit).toBe(0);
  });

  test('a gate that is settled elsewhere frees the terminal', async () => {
    const run = createFakeRun();
    const {exit, person} = terminalSession(run);
    run.openGate({gate: 'g1', question});
    await person.sees('agent-hil> ');
    run.closeGate('g1');
    run.report({
      type: 'human.decided',
      gate: 'g1',
      decision: 'reject',
      proposalHash: 'h',
      by: 'person',
    });
    await person.sees('decided by person: reject');
    run.end({status: 'rejected', exitCode: 1});
    expect(await exit).toBe(1);
    expect(run.sent).toEqual([]);
  });

  test('/quit leaves the run waiting with exit 4', async () => {
    const run = createFakeRun();
    const {exit, person} = terminalSession(run);
    run.openGate({gate: 'g1', question});
    await person.sees('agent-hil> ');
    person.type('/quit\n');
    expect(await exit).toBe(4);
    expect(person.screen()).toMatch(/quorate resume run-1 +Answer on a terminal/);
  });

  test('Ctrl-C at the gate suspends with exit 130', async () => {
    const run = createFakeRun();
    const {exit, person} = terminalSession(run);
    run.openGate({gate: 'g1', question});
    await person.sees('agent-hil> ');
    person.type('\u0003');
    expect(await exit).toBe(130);
    expect(person.screen()).toContain('suspended.\ncontinue with: quorate resume run-1\n');
  });

  test('the status line is redrawn and removed at the end', async () => {
    const run = createFakeRun();
    const {exit, person} = terminalSession(run);
    run.report({type: 'phase.changed', phase: 'executing'});
    await person.sees('\r\u001b[Kexecuting · 1 s');
    run.end();
    await exit;
    expect(person.screen().endsWith('\r\u001b[K')).toBe(true);
  });
});

test('a reader of stdout that disconnects suspends the run', async () => {
  const run = createFakeRun();
  const {exit, stdout} = pipeSession(run, {output: 'jsonl'});
  stdout.destroy(Object.assign(new Error('write EPIPE'), {code: 'EPIPE'}));
  expect(await exit).toBe(130);
  expect(run.suspensions).toEqual(['interrupted']);
});

test.each(['text', 'json'] as const)(
  'a result in %s that does not fit on the disk is a failure, not a success',
  async (output) => {
    const run = createFakeRun();
    const stdout = new Writable({
      write: (_chunk, _encoding, done) =>
        done(Object.assign(new Error('write ENOSPC'), {code: 'ENOSPC'})),
    });
    const terminal = {stdin: new PassThrough(), stdout, stderr: new PassThrough(), env: {}};
    const {exit} = pipeSession(run, {output, terminal});
    run.end();
    await expect(exit).rejects.toMatchObject({
      code: 'io',
      message: "the output can't be written: write ENOSPC",
    });
  },
);

describe('a plan in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-test-'));
  const file = join(folder, 'plan.json');
  const plan = {objective: 'o', reasoning: 'r', tasks: [{id: '1', description: 'd'}]};
  const ground = {tools: [], plan: undefined};

  test('is parsed as strictly as a plan of a model', () => {
    writeFileSync(file, JSON.stringify(plan));
    expect(toDecision({decision: 'edit', file}, ground)).toMatchObject({
      decision: 'edit',
      plan: {objective: 'o', tasks: [{id: '1', context_mode: 'full'}]},
    });
  });

  test.each([
    ['{', 'is not JSON'],
    [JSON.stringify({...plan, extra: 1}), 'extra'],
    [JSON.stringify({...plan, tasks: []}), 'tasks'],
    [
      JSON.stringify({...plan, tasks: [{id: '1', description: 'd', tool: 'rm'}]}),
      'names the tool rm',
    ],
    [' '.repeat(2_000_000), 'larger than'],
  ])('is refused when it is invalid (%#)', (content, said) => {
    writeFileSync(file, content);
    expect(() => toDecision({decision: 'edit', file}, ground)).toThrow(said);
  });

  test('that is missing or not a file is also refused', () => {
    rmSync(file);
    expect(() => toDecision({decision: 'edit', file}, ground)).toThrow('there is no such file');
    expect(() => toDecision({decision: 'edit', file: folder}, ground)).toThrow(
      'not a regular file',
    );
    rmSync(folder, {recursive: true});
  });
});

describe('on screen', () => {
  const plan: Plan = {
    objective: 'Look and write',
    reasoning: 'r',
    tasks: [{id: '1', description: 'Look', context_mode: 'full'}],
  };

  test('a call never precedes its task, and a task that crashed is settled', async () => {
    const run = createFakeRun();
    const {exit, err} = pipeSession(run);
    run.report({type: 'plan.created', plan, by: 'p'});
    run.report({type: 'phase.changed', phase: 'executing'});
    run.report({type: 'tool.called', tool: 'grep_search', summary: 'grep_search x', task: '1'});
    run.report({type: 'task.started', task: '1', description: 'Look'});
    run.report({type: 'phase.changed', phase: 'evaluating'});
    run.end();
    await exit;
    expect(err().split('\n').slice(2)).toEqual([
      '▸ executing',
      '  task 1: Look',
      '    grep_search x',
      '  ✗ task 1 failed: it ended without saying how',
      '▸ evaluating',
      '',
    ]);
  });

  test('events of a task without a reported beginning are shown when it ends', async () => {
    const run = createFakeRun();
    const {exit, err} = pipeSession(run);
    run.report({type: 'plan.created', plan, by: 'p'});
    run.report({type: 'tool.called', tool: 'grep_search', summary: 'grep_search x', task: '1'});
    run.report({type: 'task.settled', task: '1', status: 'succeeded', message: ''});
    run.end();
    await exit;
    expect(err().split('\n').slice(2)).toEqual([
      '  task 1: Look',
      '    grep_search x',
      '  ✓ task 1 succeeded',
      '',
    ]);
  });
});
