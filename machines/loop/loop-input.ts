/** The input and the output of a turn loop. */

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
  /** Names of tools that are brought in from the first turn on. Absent: none. */
  readonly found?: readonly string[];
  readonly tools: readonly ToolInfo[];
  /** The panel that votes on high-risk calls. */
  readonly panel: PanelRules;
  readonly maxOutputTokens: number;
  readonly maxTurns: number;
  /** The model reads how many turns are left when few are, and reports at the limit, in one more call. Absent: neither. */
  readonly reportsAtLimit?: true;
  /** Maximum number of turns in a row in which all calls are refused: one more ends the loop. */
  readonly maxRefusedTurns: number;
  /** A longer conversation is compacted. */
  readonly maxMessages?: number;
  /** Maximum size of one message to the interaction, and of the result of a spawned interaction, in bytes. */
  readonly maxMessageBytes: number;
  readonly retries: RetryRule;
  /** Replies are not streamed: nobody sees them before the answer is checked. */
  readonly isWithheld: boolean;
  /** True: a call that failed permanently ends the loop. False: it is an observation like any other. */
  readonly isDegradable: boolean;
  readonly brief: ActionBrief;
  /** Additional sections for reviewers of an action. */
  readonly background: readonly Section[];
  readonly task?: string;
  readonly timeLimitMs?: number;
}

export interface TurnLoopOutput {
  readonly kind: 'answered' | 'exhausted' | 'degraded' | 'failed';
  /** Of a loop that stopped at its limit of turns: the report. */
  readonly answer: string;
  readonly stopped?: StopReason;
  readonly failure?: Failure;
  readonly steps: readonly LoopStep[];
  readonly evidence: readonly Evidence[];
}
