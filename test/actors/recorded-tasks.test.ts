/**
 * Sixty tasks of a coding agent by their shapes: turns, lengths of commands and of their output, exit codes. A scripted worker plays each
 * as a whole run, with an edit and a check at its end.
 */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';

import {describe, expect, test} from 'vitest';
import {z} from 'zod';

import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {estimateTokens} from '../../machines/domain/tokens.ts';
import {billedText, type Message} from '../../machines/prompts/transcript.ts';
import {defineTool} from '../../tools/index.ts';
import {sampled} from '../support/depth.ts';
import {answer, reply} from '../support/scenario.ts';
import {setStage} from '../support/stage.ts';

/** Program, characters of the command, characters of the output, exit code; none: it was ended at its time limit. */
const recordedCall = z.tuple([z.string(), z.number(), z.number(), z.number().nullable()]);
const recordedRun = z.object({
  run: z.string(),
  turns: z.array(z.tuple([z.number(), recordedCall])),
});
type RecordedRun = z.infer<typeof recordedRun>;

const fixture = join(import.meta.dirname, '../fixtures/trajectories.jsonl.gz');
const runs = gunzipSync(readFileSync(fixture))
  .toString()
  .trim()
  .split('\n')
  .map((line) => recordedRun.parse(JSON.parse(line)));

/** Lines of about the length of code. */
function textOf(length: number, seed: number): string {
  const line = (at: number) => `${seed}.${at} const value = compute(first, second);\n`;
  const lines = Array.from({length: Math.ceil(length / 30)}, (_, at) => line(at));
  return lines.join('').slice(0, Math.max(0, length - 1)) + (length > 0 ? '\n' : '');
}

/** A shell that prints what was recorded. */
function recordedShell({turns}: RecordedRun) {
  return defineTool({
    name: 'shell',
    description: 'Run a shell command.',
    parameters: z.strictObject({command: z.string().describe('The command.')}),
    reaches: 'workspace',
    quotes: true,
    risk: 'low',
    repeatability: 'repeatable',
    runs: {argument: 'command', language: 'shell'},
    run: async ({command}) => {
      if (command === 'npm test') {
        return await Promise.resolve({kind: 'succeeded', text: 'ok 1', exitCode: 0});
      }
      const at = Number(/ #(\d+)/.exec(command)?.[1]);
      const [, , length, exitCode] = turns[at]?.[1] ?? ['', 0, 0, 0];
      const text = textOf(length, at);
      if (exitCode === 0) return {kind: 'succeeded', text, exitCode};
      if (exitCode === null) return {kind: 'failed', code: 'timeout', message: 'too long', text};
      const message = `the command exited with code ${exitCode}`;
      return {kind: 'failed', code: 'exit_nonzero', message, text, exitCode};
    },
  });
}

/** The worker's calls by turn: those of the record, an edit, a check. */
function callsOf({turns}: RecordedRun): readonly {name: string; args: Record<string, unknown>}[] {
  const edit = {old_text: 'one', new_text: '1'};
  return [
    ...turns.map(([, [program, length]], at) => ({
      name: 'shell',
      args: {command: `${program} #${at} `.padEnd(length, 'abc def ')},
    })),
    {name: 'read_file', args: {path: 'a.txt'}},
    {name: 'edit_file', args: {path: 'a.txt', edits: [edit]}},
    {name: 'shell', args: {command: 'npm test'}},
  ];
}

const measured = new WeakMap<Message, number>();

function tokensOf({system, transcript}: ModelRequest): number {
  const each = transcript.messages.map((message) => {
    const tokens = measured.get(message) ?? estimateTokens(billedText(message));
    measured.set(message, tokens);
    return tokens;
  });
  return each.reduce((sum, tokens) => sum + tokens, estimateTokens(system));
}

interface Played {
  readonly status: string;
  readonly tasks: number;
  readonly turns: number;
  readonly largest: number;
  readonly edited: boolean;
  /** Of the first and of the last quarter of the turns. */
  readonly msPerTurn: readonly [number, number];
}

async function play(recorded: RecordedRun, window: number): Promise<Played> {
  const calls = callsOf(recorded);
  const sizes: number[] = [];
  const times: number[] = [];
  let turn = 0;
  const work = (request: ModelRequest): ModelOutcome => {
    sizes.push(tokensOf(request));
    times.push(performance.now());
    const call = calls[turn];
    const [length = 0] = recorded.turns[turn] ?? [];
    turn += 1;
    if (!call) return answer('Changed a.txt; npm test passes.');
    const called = reply(call.name, call.args);
    return called.kind === 'ok' ? {...called, text: textOf(length, turn)} : called;
  };
  const {run, text} = setStage({
    files: {'a.txt': 'one\ntwo\n'},
    tasks: [{id: 'fix', description: 'Change a.txt'}],
    say: (request) => (request.purpose === 'act' ? work(request) : undefined),
    config: {
      agent: {
        review_models: ['policy/safety', 'policy/scope', 'policy/evidence'],
        max_tool_turns: calls.length + 1,
      },
      limits: {max_model_calls: calls.length + 20},
      providers: {t: {base_url: 'http://127.0.0.1:9/v1', context_window: window}},
    },
    tools: [recordedShell(recorded)],
  });
  const result = await run('Change one to 1 in a.txt and run npm test');
  const quarter = Math.floor(times.length / 4);
  const pace = (from: number) => ((times[from + quarter] ?? 0) - (times[from] ?? 0)) / quarter;
  return {
    status: result.status,
    tasks: result.tasks?.length ?? 0,
    turns: turn,
    largest: Math.max(...sizes),
    edited: text('a.txt') === '1\ntwo\n',
    msPerTurn: [pace(0), pace(times.length - quarter - 1)],
  };
}

/** Every tenth in a usual search. */
const played = sampled(runs, 10);

describe.each([32_000, 128_000, 200_000])('with a window of %i tokens', (window) => {
  test('recorded tasks end in one task, and no request exceeds the window', async () => {
    const heap: number[] = [];
    const results: Played[] = [];
    for (const recorded of played) {
      results.push(await play(recorded, window));
      heap.push(process.memoryUsage().heapUsed);
    }
    const good = results.filter(
      ({status, tasks, edited}) => status === 'completed' && tasks === 1 && edited,
    );
    const mean = (of: (each: Played) => number) =>
      results.reduce((sum, each) => sum + of(each), 0) / results.length;
    process.stdout.write(
      `window ${window}: ${good.length} of ${results.length} ended as they should; ` +
        `${mean(({turns}) => turns).toFixed(0)} turns in the mean; ` +
        `largest request ${Math.max(...results.map(({largest}) => largest))} tokens; ` +
        `ms per turn ${mean(({msPerTurn}) => msPerTurn[0]).toFixed(2)} at the beginning, ${mean(({msPerTurn}) => msPerTurn[1]).toFixed(2)} at the end; ` +
        `heap ${Math.round(Math.max(...heap) / 2 ** 20)} MB at most\n`,
    );
    expect(results.filter((each) => !good.includes(each))).toEqual([]);
    expect(results.filter(({largest}) => largest > window)).toEqual([]);
    // The recorded turns, and an edit and a check after reading the file, and the report.
    expect(results.map(({turns}) => turns)).toEqual(played.map(({turns}) => turns.length + 4));
  }, 600_000);
});
