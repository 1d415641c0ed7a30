/** Guardrails: limits for requests and answers. Checking a text is an effect; this file holds its data. */

import type {Json} from './json.ts';

export type GuardrailAction = 'allow' | 'warn' | 'block';

/** `GuardrailResult` of the spec. */
export interface GuardrailResult {
  readonly action: GuardrailAction;
  /** One line; empty when all is well. */
  readonly reason: string;
  /** The figures or the pattern behind the reason. */
  readonly details: Readonly<Record<string, Json>>;
}

export type GuardrailStage = 'input' | 'output';

export interface GuardrailSettings {
  /** Tokens, estimated by script. */
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** Regular expressions in RE2's syntax. */
  readonly blockedPatterns: readonly string[];
}
