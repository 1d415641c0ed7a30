/** Guardrails: what may be asked, and what may be answered. How a text is looked at is an effect; this is its data. */

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
