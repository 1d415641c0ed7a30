/** Scenarios whose world answers by what it is asked. */

import type {Happening, OpenRequest} from '../../support/puppet.ts';

/** The port of a request, or what a model, a reviewer or a person is asked about. */
export function questionOf(asked: OpenRequest): string {
  if (asked.port === 'callModel') return asked.request.purpose;
  if (asked.port === 'consultPolicy') return `review-${asked.request.proposal.kind}`;
  if (asked.port === 'askHuman') return `ask-${asked.request.kind}`;
  return asked.port;
}

/** The outcomes for a question; or a function of how often it was answered before. */
export type Answers = Readonly<
  Record<string, readonly object[] | ((before: number, open: OpenRequest) => readonly object[])>
>;

/** Every outcome that the table has for a request. What it does not name is never answered. */
export function answering(table: Answers) {
  return (open: OpenRequest, happenings: readonly Happening[]): readonly object[] => {
    const question = questionOf(open);
    const answers = table[question] ?? [];
    if (typeof answers !== 'function') return answers;
    const before = happenings.filter(
      (happening) => happening.type === 'settled' && questionOf(happening) === question,
    ).length;
    return answers(before, open);
  };
}
