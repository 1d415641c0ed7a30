/** The chart of who is asked, kept in step with what is open. */

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

/** Reports to the chart what is open, and puts what is new. */
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
