/** The open questions of a run to a person. An answer takes effect later than it is sent. */

import type {OpenGate, Run, RunEvent} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';

export type Replied = Extract<RunEvent, {readonly type: 'person.replied'}>;

export interface OpenGates {
  readonly list: () => readonly OpenGate[];
  /** The gates whose event was shown: all events before it are on the screen. */
  readonly shownGates: () => readonly OpenGate[];
  /** Records an event that the progress has shown. */
  readonly record: (event: ProgressEvent) => void;
  /** False when the gate was settled elsewhere in the meantime. */
  readonly answer: (gate: string, decision: HumanDecision) => boolean;
  /** Messages of interviews whose event was shown. */
  readonly asks: () => readonly OpenAsk[];
  /** Throws AppError `nothing_waiting` when the interview no longer waits for a reply. */
  readonly reply: (replied: Replied) => void;
}

export function createOpenGates(run: Run): OpenGates {
  const answered = new Set<string>();
  const sent = new Set<string>();
  const shown = new Set<string>();
  const list = (): readonly OpenGate[] => {
    const open = run.gates();
    for (const id of answered) if (!open.some(({gate}) => gate === id)) answered.delete(id);
    return open.filter(({gate}) => !answered.has(gate));
  };
  return {
    list,
    shownGates: () => list().filter(({gate}) => shown.has(gate)),
    record: (event) => {
      if (event.type === 'human.requested') shown.add(event.gate);
      if (event.type === 'interview.asked') shown.add(event.ask);
    },
    answer: (gate, decision) => {
      answered.add(gate);
      try {
        run.send({type: 'human.decided', gate, ...decision});
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code === 'nothing_waiting') return false;
        throw error;
      }
    },
    asks: () => run.asks().filter(({ask}) => shown.has(ask) && !sent.has(ask)),
    reply: (replied) => {
      run.send(replied);
      if (replied.ask !== undefined) sent.add(replied.ask);
    },
  };
}
