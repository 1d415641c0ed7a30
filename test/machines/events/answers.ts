/** Scenarios that answer by what is asked. */

import type {Logged, OpenRequest} from '../../support/hand-performer.ts';

/** The port of a request, or what a model, a reviewer or a person is asked about. */
export function questionOf(asked: OpenRequest): string {
  if (asked.port === 'callModel') return asked.request.purpose;
  if (asked.port === 'screenProposal') return `review-${asked.request.proposal.kind}`;
  if (asked.port === 'askHuman') return `ask-${asked.request.kind}`;
  return asked.port;
}

/** The outcomes for a question; or a function of how often it was answered before, and of all that has passed. */
export type Answers = Readonly<
  Record<
    string,
    | readonly object[]
    | ((before: number, open: OpenRequest, log: readonly Logged[]) => readonly object[])
  >
>;

/** A run that waits is resumed, and what it lacked may still be missing. */
const resumed: readonly object[] = [{resumed: true}];

/** Every outcome that the table has for a request. What it does not name is never answered, but for a run that waits. */
export function answering(table: Answers) {
  return (open: OpenRequest, log: readonly Logged[]): readonly object[] => {
    const question = questionOf(open);
    const answers = table[question] ?? (question === 'awaitResume' ? resumed : []);
    if (typeof answers !== 'function') return answers;
    const before = log.filter(
      (logged) => logged.type === 'settled' && questionOf(logged) === question,
    ).length;
    return answers(before, open, log);
  };
}
