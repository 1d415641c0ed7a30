/** A question that waits for a person, as a run lists it. */

import type {HumanQuestion} from '../../machines/domain/human.ts';

/** A question that waits for a person. */
export interface OpenGate {
  /** The key of its effect. */
  readonly gate: string;
  /** The interaction that asks. */
  readonly interaction: string;
  readonly question: HumanQuestion;
}
