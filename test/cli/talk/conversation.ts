/** A conversation on a pseudo-terminal whose models, over the wire, are scripted by a test. */

import {afterEach} from 'vitest';

import {act, ballot, isBallot} from '../../support/agent-models.ts';
import type {Launcher} from '../../support/launch.ts';
import type {ReceivedRequest, Said} from '../../support/mock-openai.ts';
import {useMockPanel} from '../../support/mock-panel.ts';
import {type Pty, type PtyOptions, startOnPty} from '../../support/pty.ts';
import {setStage} from '../stage.ts';

type Speak = (received: ReceivedRequest) => Said;

export interface ChatOptions extends Partial<PtyOptions> {
  /** More lines of the section `agent`. */
  readonly agent?: string;
  readonly args?: readonly string[];
  /** Absent: the first prompt. */
  readonly seesFirst?: string | RegExp;
}

export interface Conversation {
  /** Resolves when the first prompt, or another text, is shown. */
  readonly chat: (options?: ChatOptions) => Promise<Pty>;
  /** Replaces the replies of the models from here on; by default every review approves. */
  readonly answer: (speak: Speak) => void;
  readonly received: () => readonly ReceivedRequest[];
  /** The folder of the launcher; the work is done in `work`. */
  readonly folder: () => string;
  readonly launcher: () => Launcher;
}

const firstPrompt = /^solo(?: \d+)?>$/m;

/** To be called once per test file, or once per `describe`. */
export function setUpConversation(): Conversation {
  let answer: Speak;
  let ptys: Pty[] = [];
  const {at, launcher, server} = setStage({
    models: (received) => answer(received),
    prepare: () => {
      answer = speak;
    },
  });
  afterEach(async () => {
    await Promise.all(ptys.splice(0).map(async ({leave}) => await leave()));
  });
  return {
    chat: async ({agent = '', args = [], seesFirst = firstPrompt, ...options} = {}) => {
      useMockPanel(launcher, server, {agent});
      const pty = await startOnPty(args, {folder: at(), cwd: at('work'), ...options});
      ptys.push(pty);
      await pty.sees(seesFirst);
      return pty;
    },
    answer: (next) => {
      answer = next;
    },
    received: () => server.received,
    folder: () => launcher.folder,
    launcher: () => launcher,
  };
}

const plan = {
  objective: 'Greet',
  reasoning: 'One file is enough.',
  tasks: [
    {
      id: 't1',
      description: 'Write a greeting',
      tool: 'write_file',
      args: {path: 'hello.txt', content: 'hello\n'},
    },
  ],
};

/** Every review approves. */
export function speak(received: ReceivedRequest): Said {
  if (received.tools.includes('create_plan')) return {calls: [{name: 'create_plan', args: plan}]};
  if (isBallot(received)) return ballot('approve');
  if (received.tools.includes('evaluate_result')) return act(received);
  return {text: /limit/.test(received.text) ? 'The limit is 5.' : 'Nothing more.'};
}

/** Plans are rejected, so that a person decides. */
export function reject(received: ReceivedRequest): Said {
  return isBallot(received) ? ballot('reject', 'as it is') : speak(received);
}

/** A task never continues after its plan. */
export function stall(received: ReceivedRequest): Said {
  return received.tools.includes('create_plan') ? 'hang' : speak(received);
}

/** A person is asked at once. */
export const rejectOnce = {agent: 'max_plan_revisions = 1'};
