/** Outcomes of a scenario by question, and its surroundings for tests that provide their own machine. */

import type {Logged, OpenRequest} from '../../support/hand-performer.ts';
import type {Scenario} from '../../support/played.ts';

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

/**
 * Returns the first scenario whose name contains `name`, without its machine, messages and timers. `input` replaces members
 * of its input.
 */
export function quietly(
  scenarios: readonly {readonly name: string; readonly scenario: Scenario}[],
  name = '',
  input: object = {},
): Omit<Scenario, 'machine'> {
  const found = scenarios.find((each) => each.name.includes(name));
  if (!found) throw new Error(`there is no scenario ${name}`);
  const {scenario} = found;
  return {
    ...scenario,
    input: Object.assign({}, scenario.input, input),
    messages: [],
    mayFire: () => false,
  };
}

/** One of these scenarios, with some of its answers replaced. */
export function withAnswers(scenario: Omit<Scenario, 'machine'>, answers: Answers) {
  const ours = answering(answers);
  return {
    ...scenario,
    outcomes: (...asked: Parameters<Scenario['outcomes']>) => {
      const own = ours(...asked);
      return own.length > 0 ? own : scenario.outcomes(...asked);
    },
  };
}
