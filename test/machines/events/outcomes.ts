/** Replies of models and reviewers, outcomes of tools, good and bad. */

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ModelFailureCode, ModelOutcome} from '../../../machines/domain/model.ts';
import type {OpenRequest} from '../../support/hand-performer.ts';

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
