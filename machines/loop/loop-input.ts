/** What a turn loop is given, and what it comes to. */

import type {Evidence} from '../domain/evidence.ts';
import type {Failure} from '../domain/failure.ts';
import type {ModelPurpose} from '../domain/model.ts';
import type {LoopStep, ToolInfo} from '../domain/tool.ts';
import type {Section} from '../prompts/sections.ts';
import type {ActionBrief, PanelRules} from './action.ts';
import type {RetryRule} from './call-state.ts';
import type {StopReason} from './turn.ts';

export interface TurnLoopInput {
  readonly purpose: ModelPurpose;
  readonly model: string;
  readonly system: string;
  readonly message: string;
  /** Names of the tools offered; others do not exist here. */
  readonly offered: readonly string[];
  readonly tools: readonly ToolInfo[];
  /** Who votes on high-risk calls. */
  readonly panel: PanelRules;
  readonly maxOutputTokens: number;
  readonly maxTurns: number;
  /** Turns in a row all of whose calls may be refused: one more ends the loop. */
  readonly maxRefusedTurns: number;
  /** More messages are compacted. */
  readonly maxMessages?: number;
  /** Of one thing that the interaction is told while the loop is at work, and of what a call has spawned, bytes. */
  readonly maxNews: number;
  readonly retries: RetryRule;
  /** Whether replies are kept from everybody until the answer is checked. */
  readonly isWithheld: boolean;
  /** Whether a call that failed for good ends the loop, or is an observation like any other. */
  readonly isDegradable: boolean;
  readonly brief: ActionBrief;
  /** What reviewers of an action may read beside it. */
  readonly background: readonly Section[];
  readonly task?: string;
  readonly timeLimitMs?: number;
}

export interface TurnLoopOutput {
  readonly kind: 'answered' | 'exhausted' | 'degraded' | 'failed';
  readonly answer: string;
  readonly stopped?: StopReason;
  readonly failure?: Failure;
  readonly steps: readonly LoopStep[];
  readonly evidence: readonly Evidence[];
}
