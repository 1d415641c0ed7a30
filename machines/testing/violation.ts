/** A property that does not hold, and a run that shows it. */

import type {ReplayFile} from './replay-file.ts';
import {moveText} from './world/moves.ts';

export class PropertyViolation extends Error {
  readonly property: string;
  readonly reason: string;
  /** The shortest run that was found. */
  readonly replay: ReplayFile;
  /** The run in Mermaid's `sequenceDiagram`. */
  readonly diagram: string;

  constructor(replay: ReplayFile, diagram: string) {
    const {machine, property = '', reason = '', moves} = replay;
    const steps = moves.map((move, index) => `  ${index + 1}. ${moveText(move)}`);
    const head = `${machine} violates "${property}"${reason === '' ? '' : `: ${reason}`}`;
    super([head, ...(steps.length === 0 ? ['  at its start'] : steps), '', diagram].join('\n'));
    this.name = 'PropertyViolation';
    this.property = property;
    this.reason = reason;
    this.replay = replay;
    this.diagram = diagram;
  }
}
