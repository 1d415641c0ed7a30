/** Refinements that programs of several topics have. */

import type {Refinements} from '../program.ts';
import {knownOperands, runsFiles} from './refine.ts';

export const shared: Refinements = {
  runsOperands: (reading, _call, {operands}) => runsFiles(reading, operands),
  tellsRegistry: knownOperands('is told to the registry'),
};
