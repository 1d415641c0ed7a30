/** Replies of models and reviewers, good and bad. */

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {ModelFailureCode, ModelOutcome} from '../../../machines/domain/model.ts';

export function calling(name: string, args: JsonObject): ModelOutcome {
  return {kind: 'ok', text: '', calls: [{id: 'call-1', name, args}]};
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

/** What a reviewer that decides by rule may say. */
export function ruling(verdict: 'approve' | 'reject' | 'abstain') {
  return {ballot: {verdict, reasons: [`the rule says ${verdict}`], confidence: 1}};
}
