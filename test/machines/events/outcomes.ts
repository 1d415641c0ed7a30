/** Replies of models and reviewers, outcomes of tools, good and bad. */

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ModelFailureCode, ModelOutcome} from '../../../machines/domain/model.ts';
import type {OpenRequest} from '../../support/hand-performer.ts';

export function calling(name: string, args: JsonObject): ModelOutcome {
  return {kind: 'ok', text: '', calls: [{id: 'call-1', name, args}]};
}

/** A reply with several calls, each as `name args`; the ids are those of their places. */
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

/** What the only reviewer by rule says. */
export function ruling(verdict: 'approve' | 'reject' | 'abstain', rules: readonly string[] = []) {
  return {ballots: [{verdict, reasons: [`the rule says ${verdict}`], confidence: 1, rules}]};
}

/** The only reviewer by rule does not understand what it is to judge. */
export function unknowing(word: string) {
  const reasons = [`can't judge "${word}": no known program`];
  return {ballots: [{verdict: 'abstain', reasons, confidence: 0, unknown: [word]}]};
}

/** What several reviewers by rule say, in the order in which they are asked. */
export function rulings(...each: readonly {readonly ballots: readonly object[]}[]) {
  return {ballots: each.flatMap(({ballots}) => ballots)};
}

export const ran = {kind: 'succeeded', text: 'done'};
export const broke = {kind: 'failed', code: 'exit', message: 'it failed'};
export const stumbled = {kind: 'failed', code: 'busy', message: 'not now', retryable: true};
export const refused = {kind: 'refused', code: 'bad_args', message: 'no'};
export const inDoubt = {kind: 'inDoubt', message: 'who knows'};

/** Previews change the arguments, as validation may: only these may run. */
export function previewing(open: OpenRequest, more: object = {}): readonly object[] {
  if (open.port !== 'previewTool') return [];
  const args = {...open.request.args, checked: true};
  return [{kind: 'ready', args, preview: '+ a line', ...more}];
}

/** Of guardrails that find nothing. */
export const allow = {action: 'allow', reason: '', details: {}};

/** Of one reader who was shown one answer. */
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
