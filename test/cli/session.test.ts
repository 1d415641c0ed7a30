/** A session shows a run, on pipes or on a terminal: its progress, its gates, its result, and each fact once. */

import {PassThrough, Writable} from 'node:stream';

import {describe, expect, test, vi} from 'vitest';

import {silentLogger} from '../../actors/logger.ts';
import {runSession, type SessionOptions} from '../../cli/session.ts';
import type {HumanQuestion} from '../../machines/domain/human.ts';
import type {Plan} from '../../machines/domain/plan.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {Report} from '../../machines/facts/progress.ts';
import {baseResult, createFakeRun, type FakeRun} from './fake-run.ts';
import {createTestTerminal} from './gate/person.ts';
import {unsafeCharacters} from './texts.ts';

const question: HumanQuestion = {
  kind: 'action',
  request: 'Clean up',
  reason: 'The panel rejected 3 actions in a row.',
  preview: 'rm build',
  proposalHash: 'abc123def4567890'.repeat(4),
  history: [],
  allowed: ['approve', 'reject'],
};

interface Opening extends Partial<SessionOptions> {
  /** The width of the terminal; absent: the streams are pipes. */
  readonly columns?: number;
  readonly TERM?: string;
}

function collect(stream: PassThrough): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return () => text;
}

/** A session in which nobody types. */
function open(run: FakeRun, {columns, TERM = 'dumb', ...options}: Opening = {}) {
  const stream = () =>
    Object.assign(new PassThrough(), columns === undefined ? {} : {isTTY: true, columns});
  const [stdin, stdout, stderr] = [new PassThrough(), stream(), stream()];
  const [out, err] = [collect(stdout), collect(stderr)];
  const exit = runSession(run, {
    terminal: {stdin, stdout, stderr, env: columns === undefined ? {} : {TERM}},
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

/** A session with a person at the terminal, and the result on a pipe. */
function atTerminal(run: FakeRun, options: Partial<SessionOptions> = {}) {
  const person = createTestTerminal();
  const stdout = new PassThrough();
  const terminal = {stdin: person.input, stdout, stderr: person.output, env: {NO_COLOR: '1'}};
  return {...open(run, {terminal, ...options}), out: collect(stdout), person};
}

/** The output of a session whose run reports this and ends. */
async function shown(
  reports: readonly Report[],
  {end = {}, ...options}: Opening & {readonly end?: Partial<RunResult>} = {},
) {
  const run = createFakeRun();
  const {exit, out, err} = open(run, options);
  for (const report of reports) run.report(report);
  run.end(end);
  return {code: await exit, out: out(), err: err()};
}

const phase = (name: string): Report => ({type: 'phase.changed', phase: name});

test('the result goes to stdout and the progress to stderr', async () => {
  const denied = [{tool: 'run_command', summary: 'run_command rm x', reasons: ['no']}];
  const {code, out, err} = await shown(
    [phase('reviewingPlan'), {type: 'task.started', task: '1', description: 'Look around'}],
    {warnings: ['the offline model is used'], end: {tasks: [], denied}},
  );
  expect(code).toBe(0);
  expect(out).toBe(`completed: All done.

Denied
  run_command rm x
    └─ no

run-1 · 3 model calls · 1,200 tokens in · 34 out · $0.25
`);
  expect(err).toBe('warning: the offline model is used\n▸ reviewing plan\n  task 1: Look around\n');
});

test('the opening of a run is read for a status line only', async () => {
  let read = 0;
  const opening: SessionOptions['opening'] = async () => {
    read += 1;
    return {tools: [], models: {}};
  };
  await shown([], {opening});
  expect(read).toBe(0);
  const watched = createFakeRun();
  const terminal = atTerminal(watched, {opening});
  watched.end();
  await terminal.exit;
  expect(read).toBe(1);
});

test('json is only the result object', async () => {
  const end = {status: 'rejected', exitCode: 1} as const;
  const {code, out} = await shown([phase('gathering')], {output: 'json', end});
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({type: 'result', status: 'rejected', exitCode: 1});
});

test('jsonl is one event per line with type, seq, at and interaction, the result last', async () => {
  const text = 'a\u001b[2J\u009b\u202eb\nc';
  const {out, err} = await shown([{type: 'thought', text}], {output: 'jsonl'});
  const lines = out.trimEnd().split('\n');
  const stamp = {at: expect.any(Number), interaction: 'run-1', actor: ''};
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    {type: 'thought', text, seq: 1, ...stamp},
    {...baseResult, seq: 2, ...stamp},
  ]);
  expect(unsafeCharacters(out)).toEqual([]);
  expect(err).toBe('');
});

test('quiet shows no progress, only warnings of the launcher and a gate that a mode decided', async () => {
  const {err} = await shown(
    [
      phase('gathering'),
      {
        type: 'human.decided',
        gate: 'a',
        decision: 'approve',
        proposalHash: 'h',
        by: 'auto_approve',
      },
    ],
    {level: 'quiet', warnings: ['quorate.toml:2:1: agent.hil_mode is ignored']},
  );
  expect(err).toBe(
    'warning: quorate.toml:2:1: agent.hil_mode is ignored\n  decided by auto_approve: approve\n',
  );
});

test('the runtime warns first, the launcher next, and JSONL leaves warnings on stderr', async () => {
  const {err} = await shown([{type: 'warning', message: 'offline'}, phase('gathering')], {
    output: 'jsonl',
    warnings: ['quorate.toml is not trusted'],
  });
  expect(err).toBe('warning: offline\nwarning: quorate.toml is not trusted\n');
});

test('verbose shows thoughts and the models’ text, line by line and model by model', async () => {
  const reports: readonly Report[] = [
    {type: 'thought', text: 'I wonder'},
    {type: 'model.delta', model: 'a', text: 'one '},
    {type: 'model.delta', model: 'b', text: 'zwei\nd'},
    {type: 'model.delta', model: 'a', text: 'two\n'},
  ];
  const {err} = await shown(reports, {level: 'verbose'});
  expect(err).toBe('  I wonder\n  b │ zwei\n  a │ one two\n  b │ d\n');
});

test('hostile text in progress and result is escaped for the terminal', async () => {
  const hostile = '\u001b[2Jx\r\u009d52;c;A\u009c\u202e\u200b';
  const reports: readonly Report[] = [
    {type: 'tool.called', tool: hostile, summary: hostile},
    {type: 'tool.settled', tool: hostile, status: hostile, message: hostile},
    {type: 'limit.reached', limit: hostile, message: hostile},
    {type: 'model.delta', model: hostile, text: `${hostile}\n`},
  ];
  const end = {summary: hostile, answer: hostile, interaction: hostile};
  const {out, err} = await shown(reports, {level: 'verbose', end});
  expect(unsafeCharacters(out + err)).toEqual([]);
  expect(out).toContain(String.raw`\x1b[2Jx\r`);
});

describe('without a terminal', () => {
  test('an open gate suspends the run with exit 4 and explains how to continue', async () => {
    const run = createFakeRun();
    const {exit, out, err} = open(run);
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
    const {exit, err} = open(run, {level: 'quiet', output: 'json'});
    run.openGate({gate: 'g1', question});
    expect(await exit).toBe(4);
    expect(err()).toBe(
      'waiting for a person: action: The panel rejected 3 actions in a row.\ndecide with: quorate resume run-1\n',
    );
  });

  test('running work may finish before an open gate suspends the run', async () => {
    const busy = ['i/task/tool#1'];
    const run = createFakeRun({atWork: () => busy});
    const {exit} = open(run);
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
    const {exit} = open(run, {decision: {decision: 'approve'}});
    run.openGate({gate: 'g1', question});
    expect(await exit).toBe(4);
    expect(run.sent).toEqual([{type: 'human.decided', gate: 'g1', decision: 'approve'}]);
  });

  test('a decision that the question does not allow is refused with the allowed ones', async () => {
    const run = createFakeRun();
    const {exit} = open(run, {decision: {decision: 'done'}});
    run.openGate({gate: 'g1', question});
    await expect(exit).rejects.toThrow(
      'done does not answer this question (action): use --decision approve|reject',
    );
    expect(run.suspensions).toEqual(['waiting']);
    expect(run.sent).toEqual([]);
  });

  test('a decision for a run without a question is not kept for later', async () => {
    const run = createFakeRun();
    const {exit} = open(run, {decision: {decision: 'approve'}});
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
    const {exit, person, out} = atTerminal(run);
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
    run.report(phase('reviewingPlan'));
    run.report({type: 'thought', text: 'the last ballot is in'});
    run.openGate({gate: 'g1', question});
    const {exit, person} = atTerminal(run);
    await person.sees('agent-hil> ');
    const [before = ''] = person.screen().split('Action Requires Human Intervention');
    expect(before).toContain('the last ballot is in');
    expect(before).not.toContain('a person must decide');
    person.type('/approve\n');
    expect(await exit).toBe(0);
  });

  test('a gate that is settled elsewhere frees the terminal', async () => {
    const run = createFakeRun();
    const {exit, person} = atTerminal(run);
    run.openGate({gate: 'g1', question});
    await person.sees('agent-hil> ');
    run.closeGate('g1');
    const settled = {gate: 'g1', decision: 'reject', proposalHash: 'h', by: 'person'} as const;
    run.report({type: 'human.decided', ...settled});
    await person.sees('decided by person: reject');
    run.end({status: 'rejected', exitCode: 1});
    expect(await exit).toBe(1);
    expect(run.sent).toEqual([]);
  });

  test.each([
    ['/quit', 4, '/quit\n', /quorate resume run-1 +Answer on a terminal/],
    ['Ctrl-C', 130, '\u0003', /suspended\.\ncontinue with: quorate resume run-1\n/],
  ])('%s at the gate leaves the run waiting with exit %i', async (_, code, keys, said) => {
    const run = createFakeRun();
    const {exit, person} = atTerminal(run);
    run.openGate({gate: 'g1', question});
    await person.sees('agent-hil> ');
    person.type(keys);
    expect(await exit).toBe(code);
    expect(person.screen()).toMatch(said);
  });

  test('the status line is redrawn and removed at the end', async () => {
    const run = createFakeRun();
    const {exit, person} = atTerminal(run);
    run.report(phase('executing'));
    await person.sees('executing · 1 s');
    run.end();
    await exit;
    expect(person.screen().endsWith('\r\u001b[K')).toBe(true);
  });
});

test('a reader of stdout that disconnects suspends the run', async () => {
  const run = createFakeRun();
  const {exit, stdout} = open(run, {output: 'jsonl'});
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
    const {exit} = open(run, {output, terminal});
    run.end();
    const message = "the output can't be written: write ENOSPC";
    await expect(exit).rejects.toMatchObject({code: 'io', message});
  },
);

const tasks = [{id: '1', description: 'Look', context_mode: 'full'}] as const;
const plan: Plan = {objective: 'Look and write', reasoning: 'r', tasks};
const planned: Report = {type: 'plan.created', plan, by: 'p'};
const search = {tool: 'grep_search', summary: 'grep_search x', task: '1'};
const searched: Report = {type: 'tool.called', ...search};

test('a call never precedes its task, and a task that crashed is settled', async () => {
  const begun: Report = {type: 'task.started', task: '1', description: 'Look'};
  const {err} = await shown([planned, phase('executing'), searched, begun, phase('evaluating')]);
  expect(err.split('\n').slice(2)).toEqual([
    '▸ executing',
    '  task 1: Look',
    '    grep_search x',
    '  ✗ task 1 failed: it ended without saying how',
    '▸ evaluating',
    '',
  ]);
});

test('events of a task without a reported beginning are shown when it ends', async () => {
  const done: Report = {type: 'task.settled', task: '1', status: 'succeeded', message: ''};
  const {err} = await shown([planned, searched, done]);
  const lines = ['  task 1: Look', '    grep_search x', '  ✓ task 1 succeeded', ''];
  expect(err.split('\n').slice(2)).toEqual(lines);
});

describe('an interrupted run', () => {
  const aborted = ['the call of mock/planner (plan) is asked again'];
  const end = {status: 'waiting', exitCode: 130, summary: 'Suspended.', aborted} as const;

  test('reports its aborted calls once, and what happens to them', async () => {
    const {out, err} = await shown([], {end});
    expect(out).toBe('');
    expect(err).toContain(
      'suspended.\ncontinue with: quorate resume run-1\n  aborted: the call of mock/planner (plan) is asked again\n',
    );
  });

  test('does not claim that no model was called when the only call was aborted', async () => {
    const usage = {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0};
    const {err} = await shown([], {end: {...end, usage}});
    expect(err).toContain('run-1 · no model has answered\n');
  });
});

describe('an unavailable model', () => {
  const reason = 'm/a: the provider is overloaded (500: boom)';
  const retried = (attempt: number, delayMs = 400, why = reason): Report => ({
    type: 'model.retried',
    model: 'm/a',
    attempt,
    delayMs,
    reason: why,
  });
  const message = `${reason}; the run is paused until a call succeeds`;
  const outage: Report = {type: 'warning', code: 'outage', message};
  const ended = {status: 'waiting', exitCode: 2} as const;

  test('is reported once, and counted when the run stops because of it', async () => {
    const {err} = await shown([...[1, 2, 3, 4].map((attempt) => retried(attempt)), outage]);
    expect(err).toBe(
      '    m/a: the provider is overloaded (500: boom); asked again in 400 ms\n' +
        'warning: m/a: did not answer 5 calls; the run is paused until a call succeeds\n',
    );
  });

  test('is reported again for another cause, or a long wait', async () => {
    const other = 'm/a: no connection';
    const repeated = [retried(2, 400, other), retried(3, 30_000, other), retried(1, 400, other)];
    expect((await shown([retried(1), ...repeated])).err.split('\n')).toEqual([
      `    ${reason}; asked again in 400 ms`,
      '    m/a: no connection; asked again in 400 ms',
      '    m/a: attempt 4 in 30 s',
      '    m/a: no connection; asked again in 400 ms',
      '',
    ]);
  });

  test('that failed at once has its reason in the warning', async () => {
    expect((await shown([outage])).err).toContain(`${message}\n`);
  });

  test('is reported by the result if both are on the same screen', async () => {
    const summary = `Suspended because a model could not be called: ${reason}`;
    const {out, err} = await shown([outage], {columns: 100, end: {...ended, summary}});
    expect([out, err.split(reason).length]).toEqual(['', 2]);
    expect((await shown([outage], {end: {...ended, summary}})).err).toContain(reason);
  });

  test('is reported at once when the run continues', async () => {
    const end = {...ended, summary: `Suspended: ${reason}`};
    const {err} = await shown([outage, phase('executing')], {columns: 100, end});
    expect(err).toMatch(/^warning: m\/a: .*\n▸ executing/);
  });
});

describe('the output of a command', () => {
  const printed = Array.from({length: 20}, (_, index) => `ok ${index + 1}`);
  const summary = ['npm test succeeded:', '', '> test', '', ...printed, '', '1 of 1'].join('\n');
  const run = async (options: Opening): Promise<string> => {
    const texts = ['\n> test\nok 1', printed.slice(1).join('\n')];
    const reports = texts.map((text): Report => ({type: 'tool.output', tool: 'run_command', text}));
    return (await shown(reports, {end: {form: 'command', summary}, TERM: 'xterm', ...options})).out;
  };

  test('is not printed again below it, and part of the result if it was not shown before', async () => {
    const text = await run({columns: 60});
    expect(text).toContain('npm test succeeded:');
    expect(text).not.toContain('ok 20');
    expect(await run({})).toContain(summary);
  });
});

test.each(['started', 'resumed'])(
  'an answer of a run that was %s is shown while it is written, and its sources follow at once',
  async (start) => {
    const answer = 'It is forty-two.';
    const begun: Report = {type: 'interaction.started', form: 'ask', request: 'q'};
    const reports: readonly Report[] = [
      ...(start === 'started' ? [begun] : []),
      phase('working'),
      {type: 'model.delta', model: 'm', text: answer},
      phase('checkingOutput'),
    ];
    const end = {form: 'ask', answer, sources: [{place: 'a:1'}]} as const;
    const {out, err} = await shown(reports, {columns: 60, form: 'ask', end});
    expect(err).toContain('▸ working\nIt is forty-two.\n');
    expect(err).not.toContain('checking output');
    expect(out).toBe('\nSources\n  a:1\n');
  },
);
