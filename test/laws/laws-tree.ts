/** Law 7: depth never exceeds 3. */

import type {Law} from '../../actors/verify/law.ts';
import {textOf} from '../../actors/verify/record-index.ts';

const maxDepth = 3;

export const boundedDepth: Law = ({notes}, {violated}) => {
  for (const {note, entry} of notes) {
    const {type, depth, child} = note;
    if (type === 'interaction.spawned' && typeof depth === 'number' && depth > maxDepth)
      violated(7, entry, `${textOf(child)} has depth ${depth}`);
  }
};
