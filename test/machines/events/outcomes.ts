/** Replies of models and reviewers, outcomes of tools, good and bad, and the outcomes of a scenario by question. */

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ModelFailureCode, ModelOutcome} from '../../../machines/domain/model.ts';
import type {OpenRequest, Logged} from '../../support/hand-performer.ts';
import type {Scenario} from '../../support/played.ts';

export function calling(name: string, args: JsonObject): ModelOutcome {
  return {kind: 'ok', text: '', calls: [{id: 'call-1', name, args}]};
}

/** A reply with several calls, each as `name args`. The ids are numbered by position. */
export function callingAll(...calls: readonly (readonly [name: string, args: JsonObject])[]) {
  const made = calls.map(([name, args], index) => ({id: `call-${index}`, name, args}));
  return {kind: 'ok', text: '', calls: made};
}

export function saying(text: string): ModelOutcome {
  return {kind: 'ok', text, calls: []};
}

export function failing(kind: ModelFailureCode): ModelOutcome {
  return {kind, message: 'it failed', jitter: 0};
}

export function voting(verdict: string, more: JsonObject = {}): ModelOutcome {
  return calling('cast_ballot', {verdict, reasons: [`I ${verdict}`], confidence: 0.5, ...more});
}

/** The ballot of the only policy. */
export function ruling(verdict: 'approve' | 'reject' | 'abstain', rules: readonly string[] = []) {
  return {ballots: [{verdict, reasons: [`the rule says ${verdict}`], confidence: 1, rules}]};
}

/** The abstention of the only policy, which cannot judge `word`. */
export function unknowing(word: string) {
  const reasons = [`can't judge "${word}": no known program`];
  return {ballots: [{verdict: 'abstain', reasons, confidence: 0, unknown: [word]}]};
}

/** The ballots of several policies, in the order of the request. */
export function rulings(...each: readonly {readonly ballots: readonly object[]}[]) {
  return {ballots: each.flatMap(({ballots}) => ballots)};
}

/** The arguments as the model gave them, and as validation returns them: only the latter may run. */
export const given = {path: './x', content: 'y'};
export const validated = {path: 'x', content: 'y'};

export const ran = {kind: 'succeeded', text: 'done'};
export const broke = {kind: 'failed', code: 'exit', message: 'it failed'};
export const stumbled = {kind: 'failed', code: 'busy', message: 'not now', retryable: true};
export const refused = {kind: 'refused', code: 'bad_args', message: 'no'};
export const inDoubt = {kind: 'inDoubt', message: 'who knows'};

/** Previews with changed arguments, as after validation. Only the changed arguments may run. */
export function previewing(open: OpenRequest, more: object = {}): readonly object[] {
  if (open.port !== 'previewTool') return [];
  const args = {...open.request.args, checked: true};
  return [{kind: 'ready', args, preview: '+ a line', ...more}];
}

/** The verdict of guardrails that find nothing. */
export const allow = {action: 'allow', reason: '', details: {}};

/** The ranking by a reader of one answer. */
export const ranking = calling('rank_answers', {
  ranking: ['Response A'],
  reviews: [{label: 'Response A', assessment: 'it is clear', score: 7}],
});

export const conclusion = calling('conclude', {
  conclusion: 'It depends.',
  key_points: [],
  agreements: [],
  disagreements: [],
});

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
