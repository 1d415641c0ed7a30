/** A terminal for tests: output can be awaited, and keys can be typed. */

import {PassThrough} from 'node:stream';

import type {GateAnswer} from '../../../cli/gate/decide.ts';
import {createAsked} from '../../../cli/terminal/asking.ts';
import {createPrompter} from '../../../cli/terminal/prompter.ts';
import {createRunDialogue} from '../../../cli/terminal/run-dialogue.ts';
import {createSurface} from '../../../cli/terminal/surface.ts';
import type {HumanQuestion} from '../../../machines/domain/human.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {TerminalScreen} from '../../support/terminal-screen.ts';

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

export interface AtGateOptions {
  readonly terminal: TestTerminal;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly tools?: readonly ToolInfo[];
  /** Aborted when the question is settled elsewhere. */
  readonly signal?: AbortSignal;
}

/** The state of the question to a person at a gate, by the event loop of a run. */
export async function askAtGate(
  question: HumanQuestion,
  {terminal, env = {}, tools = [], signal}: AtGateOptions,
): Promise<GateAnswer> {
  const {input, output} = terminal;
  const answered = Promise.withResolvers<GateAnswer>();
  const open = new Map([['g1', {gate: 'g1', interaction: 'run-1', question}]]);
  const surface = createSurface({stderr: output, env});
  const dialogue = createRunDialogue({
    run: {interview: () => undefined},
    gates: {
      shownGates: () => [...open.values()],
      asks: () => [],
      answer: (gate, decision) => {
        answered.resolve({kind: 'decided', decision});
        return open.delete(gate);
      },
      reply: () => {},
    },
    surface,
    progress: {
      note: () => {},
      pause: () => {},
      resume: () => answered.resolve({kind: 'withdrawn'}),
    },
    suspend: (why) => answered.resolve({kind: 'suspended', why}),
    env,
    workspace: '/work/here',
    tools: async () => tools,
  });
  const asked = createAsked('one-by-one');
  const prompter = createPrompter(dialogue, {asked, surface, input, isKeyboardLent: true});
  signal?.addEventListener('abort', () => {
    open.clear();
    prompter.refresh();
  });
  prompter.refresh();
  const answer = await answered.promise;
  await prompter.close();
  surface.close();
  return answer;
}
