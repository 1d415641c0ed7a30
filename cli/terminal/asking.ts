/** Keeps the chart of the asked person synchronized with the open questions. */

import {type ActorRefFrom, createActor} from 'xstate';

import {
  type AskedEvent,
  type AskedInput,
  askedMachine,
  type AskedQuestion,
} from '../../machines/terminal/asked.ts';

export type AskedRef = ActorRefFrom<typeof askedMachine>;

export function createAsked(turns: AskedInput['turns']): AskedRef {
  return createActor(askedMachine, {input: {turns}}).start();
}

/** Reports settled and new questions to the chart, and shows the new ones. */
export function syncQuestions<Question extends AskedQuestion>(
  asked: AskedRef,
  open: readonly Question[],
  put: (question: Question) => void = () => {},
): void {
  const known = asked.getSnapshot().context.questions;
  for (const {key} of known) {
    if (!open.some((each) => each.key === key)) sendAsked(asked, {type: 'question.settled', key});
  }
  for (const question of open) {
    if (known.some(({key}) => key === question.key)) continue;
    sendAsked(asked, {type: 'question.asked', question, at: performance.now()});
    put(question);
  }
}

/** A chart that has ended receives nothing. */
export function sendAsked(asked: AskedRef, event: AskedEvent): void {
  if (asked.getSnapshot().status === 'active') asked.send(event);
}
