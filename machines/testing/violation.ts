/** A property that does not hold, and a run that shows it. */

import {type Move, moveText} from './world/moves.ts';

export interface ViolatingRun {
  /** The id of the machine. */
  readonly machine: string;
  readonly property: string;
  readonly reason: string;
  readonly moves: readonly Move[];
}

export class PropertyViolation extends Error {
  readonly property: string;
  readonly reason: string;
  /** The shortest run that was found. */
  readonly moves: readonly Move[];

  constructor({machine, property, reason, moves}: ViolatingRun) {
    const steps = moves.map((move, index) => `  ${index + 1}. ${moveText(move)}`);
    const head = `${machine} violates "${property}"${reason === '' ? '' : `: ${reason}`}`;
    super([head, ...(steps.length === 0 ? ['  at its start'] : steps)].join('\n'));
    this.name = 'PropertyViolation';
    this.property = property;
    this.reason = reason;
    this.moves = moves;
  }
}
