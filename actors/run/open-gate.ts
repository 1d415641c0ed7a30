/** The record of a question that waits for a person. */

import type {HumanQuestion} from '../../machines/domain/human.ts';

export interface OpenGate {
  /** The key of its effect. */
  readonly gate: string;
  /** The interaction that asks. */
  readonly interaction: string;
  readonly question: HumanQuestion;
}
