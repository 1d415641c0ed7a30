/** The desk at which a person serves what a run asks, its gates and its interviews, one after the other, while it goes on. */

import type {OpenGate} from '../../actors/runtime-api.ts';
import {type HumanQuestion, isApproval} from '../../machines/domain/human.ts';
import type {Progress} from '../terminal/progress.ts';
import type {GateAnswer} from './decide.ts';
import type {OpenGates} from './open-gates.ts';

export interface Desk {
  /** Looks at the gates again: asks what is open, withdraws what is not. Call it after every event. */
  readonly refresh: () => void;
  /** Withdraws the question that is being asked; resolves once the terminal is free. */
  readonly close: () => Promise<void>;
}

/** Something that a person is asked, by its key. */
export interface Errand {
  readonly key: string;
  /** Resolves once it is done, was withdrawn, or the person leaves. Never rejects. */
  readonly serve: (signal: AbortSignal) => Promise<void>;
}

export interface DeskOptions {
  readonly gates: OpenGates;
  /** What is to be done beside the gates, when there are none. */
  readonly errands: () => readonly Errand[];
  readonly progress: Progress;
  /** Never rejects. */
  readonly ask: (question: HumanQuestion, signal: AbortSignal) => Promise<GateAnswer>;
  readonly suspend: (why: 'waiting' | 'interrupted') => void;
}

/** So many approvals in a row get a word of caution. */
const cautionAfter = 5;

interface Asking {
  readonly key: string;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export function createDesk(options: DeskOptions): Desk {
  const {gates, errands, progress, ask, suspend} = options;
  let asking: Asking | undefined;
  let isClosed = false;
  let approvals = 0;

  const refresh = (): void => {
    if (isClosed) return;
    const open = [...gates.told().map(toErrand), ...errands()];
    if (!asking) {
      if (open[0]) begin(open[0]);
      return;
    }
    const {key, controller} = asking;
    if (!open.some((candidate) => candidate.key === key)) controller.abort();
  };
  const begin = ({key, serve}: Errand): void => {
    const controller = new AbortController();
    asking = {key, controller, done: run(serve, controller.signal)};
  };
  const run = async (serve: Errand['serve'], signal: AbortSignal): Promise<void> => {
    progress.pause();
    await serve(signal);
    progress.resume();
    asking = undefined;
    refresh();
  };
  const toErrand = ({gate, question}: OpenGate): Errand => ({
    key: gate,
    serve: async (signal) => {
      const answer = await ask(question, signal);
      if (answer.kind === 'decided') accept(gate, answer);
      if (answer.kind === 'suspended' && !isClosed) {
        isClosed = true;
        suspend(answer.why);
      }
    },
  });
  const accept = (gate: string, {decision}: Extract<GateAnswer, {kind: 'decided'}>): void => {
    if (!gates.answer(gate, decision)) progress.note('this was decided elsewhere in the meantime');
    approvals = isApproval(decision) ? approvals + 1 : 0;
    if (approvals > 0 && approvals % cautionAfter === 0) {
      progress.note(`${approvals} approvals in a row: /show shows all of what you decide on`);
    }
  };
  return {
    refresh,
    close: async () => {
      isClosed = true;
      asking?.controller.abort();
      await asking?.done;
    },
  };
}
