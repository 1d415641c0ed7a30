/** A terminal for tests: output can be awaited, and keys can be typed. */

import {PassThrough} from 'node:stream';

import type {OpenGates} from '../../../cli/gate/decide.ts';
import {emptyView} from '../../../cli/render/view/run-view.ts';
import {attend, createOneRun} from '../../../cli/talk/one-run.ts';
import {createProgress} from '../../../cli/terminal/progress.ts';
import {createSurface} from '../../../cli/terminal/surface.ts';
import type {HumanDecision, HumanQuestion} from '../../../machines/domain/human.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {TerminalScreen} from '../../support/terminal-screen.ts';
import {createFakeRun} from '../fake-run.ts';

export interface TestTerminal {
  readonly input: PassThrough & {isTTY: boolean};
  readonly output: PassThrough & {isTTY: boolean; columns: number; rows: number};
  /** Everything written so far. */
  readonly screen: () => string;
  /** The rows on the screen and above it, without trailing blanks. */
  readonly rows: () => readonly string[];
  /** Resolves once `text` is `times` times on the rows. */
  readonly sees: (text: string, times?: number) => Promise<void>;
  /** A line end is the key Enter. */
  readonly type: (keys: string) => void;
}

export function createTestTerminal({columns = 100, rows = 30} = {}): TestTerminal {
  const input = Object.assign(new PassThrough(), {isTTY: true});
  const output = Object.assign(new PassThrough(), {isTTY: true, columns, rows});
  const screen = new TerminalScreen(columns, rows);
  let written = '';
  output.on('data', (chunk: Buffer) => {
    const text = chunk.toString('utf8');
    written += text;
    // A terminal sets the cursor to the beginning of the next row.
    screen.write(text.replaceAll(/\r?\n/g, '\r\n'));
    output.emit('written');
  });
  return {
    input,
    output,
    screen: () => written,
    rows: () => screen.rows(),
    type: (keys) => input.write(keys.replaceAll('\n', '\r')),
    sees: (text, times = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (screen.rows().join('\n').split(text.trimEnd()).length <= times) return;
          output.off('written', look);
          resolve();
        };
        output.on('written', look);
        look();
      }),
  };
}

export type GateAnswer =
  | {readonly kind: 'decided'; readonly decision: HumanDecision}
  | {readonly kind: 'suspended'; readonly why: 'waiting' | 'interrupted'}
  /** The question was settled elsewhere. */
  | {readonly kind: 'withdrawn'};

export interface AtGateOptions {
  readonly terminal: TestTerminal;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly tools?: readonly ToolInfo[];
  /** Aborted when the question is settled elsewhere. */
  readonly signal?: AbortSignal;
  /** Called when the keyboard is open; the question is shown when it resolves. */
  readonly before?: () => Promise<void>;
}

/** The state of the question to a person at a gate of a run. */
export async function askAtGate(
  question: HumanQuestion,
  {terminal, env = {}, tools = [], signal, before}: AtGateOptions,
): Promise<GateAnswer> {
  const answered = Promise.withResolvers<GateAnswer>();
  const open = new Map([['g1', {gate: 'g1', interaction: 'run-1', question}]]);
  const gates: OpenGates = {
    list: () => [...open.values()],
    shownGates: () => (isShown ? [...open.values()] : []),
    record: () => {},
    asks: () => [],
    answer: (gate, decision) => {
      answered.resolve({kind: 'decided', decision});
      return open.delete(gate);
    },
    reply: () => {},
  };
  let isShown = before === undefined;
  const surface = createSurface({stderr: terminal.output, env});
  const one = createOneRun({
    run: createFakeRun(),
    gates,
    form: 'agent',
    workspace: '/work/here',
    env,
    tools: async () => tools,
    seen: emptyView,
  });
  const prompter = attend(one, {
    terminal: {stdin: terminal.input, stdout: terminal.output, stderr: terminal.output, env},
    surface,
    progress: {...createProgress(surface, {level: 'quiet'}), insert: surface.print},
    suspend: (why) => answered.resolve({kind: 'suspended', why}),
  });
  signal?.addEventListener('abort', () => {
    open.clear();
    prompter.refresh();
    answered.resolve({kind: 'withdrawn'});
  });
  prompter.refresh();
  await before?.();
  isShown = true;
  prompter.refresh();
  const answer = await answered.promise;
  await prompter.close();
  surface.close();
  return answer;
}
