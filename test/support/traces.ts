/** Traces as a reader at the other end of a connection receives them. */

import {asJson} from '../../machines/domain/json.ts';
import {type Packed, Packer, Unpacker} from '../../machines/trace/packing.ts';
import type {Gap, Step} from '../../machines/trace/step.ts';

interface Batch {
  readonly steps: readonly Step[];
  readonly gaps: readonly Gap[];
}

/** Reads the packages of one connection. */
export class TraceReader {
  readonly #unpacker = new Unpacker();

  read(data: object): Batch {
    const packed: Packed = JSON.parse(JSON.stringify(data));
    const batch: Batch = JSON.parse(JSON.stringify(this.#unpacker.unpack(packed)));
    return batch;
  }
}

/** One package for each step. */
export function sentSteps(steps: readonly Step[]): readonly Step[] {
  const [packer, reader] = [new Packer(), new TraceReader()];
  return steps.flatMap((step) => reader.read(packer.pack(asJson({steps: [step], gaps: []}))).steps);
}
