/** The desk at which a person serves the open gates of a run, one after the other, while the run goes on. */

import type {OpenGate} from '../../actors/runtime-api.ts';
import type {HumanQuestion} from '../../machines/domain/human.ts';
import type {Progress} from '../lines/progress.ts';
import type {GateAnswer} from './decide.ts';
import type {OpenGates} from './open-gates.ts';

export interface Desk {
  /** Looks at the gates again: asks what is open, withdraws what is not. Call it after every event. */
  readonly refresh: () => void;
  /** Withdraws the question that is being asked; resolves once the terminal is free. */
  readonly close: () => Promise<void>;
}

export interface DeskOptions {
  readonly gates: OpenGates;
  readonly progress: Progress;
  /** Never rejects. */
  readonly ask: (question: HumanQuestion, signal: AbortSignal) => Promise<GateAnswer>;
  readonly suspend: (why: 'waiting' | 'interrupted') => void;
}

/** So many approvals in a row get a word of caution. */
const cautionAfter = 5;

interface Asking {
  readonly gate: string;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export function createDesk({gates, progress, ask, suspend}: DeskOptions): Desk {
  let asking: Asking | undefined;
  let isClosed = false;
  let approvals = 0;

  const refresh = (): void => {
    if (isClosed) return;
    const open = gates.told();
    if (!asking) {
      if (open[0]) begin(open[0]);
      return;
    }
    const {gate, controller} = asking;
    if (!open.some((candidate) => candidate.gate === gate)) controller.abort();
  };
  const begin = (open: OpenGate): void => {
    const controller = new AbortController();
    asking = {gate: open.gate, controller, done: serve(open, controller.signal)};
  };
  const serve = async ({gate, question}: OpenGate, signal: AbortSignal): Promise<void> => {
    progress.pause();
    const answer = await ask(question, signal);
    progress.resume();
    asking = undefined;
    if (answer.kind === 'decided') accept(gate, answer);
    if (answer.kind === 'suspended' && !isClosed) {
      isClosed = true;
      suspend(answer.why);
    }
    refresh();
  };
  const accept = (gate: string, {decision}: Extract<GateAnswer, {kind: 'decided'}>): void => {
    if (!gates.answer(gate, decision)) progress.note('this was decided elsewhere in the meantime');
    approvals = decision.decision === 'approve' ? approvals + 1 : 0;
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
