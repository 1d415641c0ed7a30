/** Outcomes of a scenario by question. */

import type {Logged, OpenRequest} from '../../support/hand-performer.ts';

/** The question of a request: the purpose of a model call, the kind of a vote or of a gate, or the port. */
export function questionOf(asked: OpenRequest): string {
  if (asked.port === 'callModel') return asked.request.purpose;
  if (asked.port === 'screenProposal') return `review-${asked.request.proposal.kind}`;
  if (asked.port === 'askHuman') return `ask-${asked.request.kind}`;
  return asked.port;
}

/** The outcomes for a question, or a function of the number of earlier answers, the request and the log. */
export type Answers = Readonly<
  Record<
    string,
    | readonly object[]
    | ((before: number, open: OpenRequest, log: readonly Logged[]) => readonly object[])
  >
>;

/** A waiting run is resumed; the cause of the wait may remain. */
const resumed: readonly object[] = [{resumed: true}];

/** Returns the outcomes that the table has for a request. Other requests get no answer, except a wait for a resume. */
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
