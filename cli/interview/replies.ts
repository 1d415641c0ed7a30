/** Replies of a person to interviews below a run that is shown line by line. */

import type {Run} from '../../actors/runtime-api.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import type {Errand} from '../gate/desk.ts';
import {askLine} from '../gate/line-input.ts';
import type {OpenGates} from '../gate/open-gates.ts';
import {styleFor} from '../render/style.ts';
import {type Terminal, widthOf} from '../terminal.ts';
import {type Conversation, createConversation} from './conversation.ts';
import {promptOf} from './screen.ts';

export interface RepliesOptions {
  readonly run: Run;
  readonly gates: Pick<OpenGates, 'asks'>;
  readonly suspend: (why: 'waiting' | 'interrupted') => void;
  readonly terminal: Terminal;
}

/** Returns what there is to reply to, each asked for on a line of its own below its message. */
export function createReplies(options: RepliesOptions): () => readonly Errand[] {
  const {run, gates, suspend, terminal} = options;
  const {stdin: input, stderr: output, env} = terminal;
  const style = styleFor(output, env);
  /** A reply is heard later than it is sent. */
  const replied = new Set<string>();
  let hasLeft = false;
  const leave = (why: 'waiting' | 'interrupted'): void => {
    hasLeft = true;
    suspend(why);
  };
  const serve = async (open: OpenAsk, signal: AbortSignal): Promise<void> => {
    const conversation = createConversation({
      run: {
        asks: () => [open],
        atWork: () => [],
        interview: () => run.interview(open.interaction),
        send: (event) => run.send(event),
      },
      print: (lines) => output.write(lines.map((line) => `${line}\n`).join('')),
      style,
      width: () => widthOf(output),
    });
    await converse(open, conversation, signal);
  };
  const converse = async (
    open: OpenAsk,
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<void> => {
    const view = run.interview(open.interaction);
    const prompt = style.bold(promptOf(open, view, conversation.room().words));
    const line = await askLine(prompt, {input, output, signal});
    if (line.kind === 'withdrawn') return;
    if (line.kind !== 'line') return leave(line.kind === 'end' ? 'waiting' : 'interrupted');
    const heard = conversation.hear(line.text);
    if (heard === 'left') return leave('waiting');
    if (heard === 'said') replied.add(open.ask);
    else await converse(open, conversation, signal);
  };
  return () =>
    hasLeft
      ? []
      : gates
          .asks()
          .filter(({ask}) => !replied.has(ask))
          .map((open) => ({key: open.ask, serve: async (signal) => await serve(open, signal)}));
}
