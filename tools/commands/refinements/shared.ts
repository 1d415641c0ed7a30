/** Refinements shared by programs of several topics. */

import type {Refinements} from '../program.ts';
import {knownOperands, runsFiles} from './refine.ts';

export const shared: Refinements = {
  runsOperands: (reading, _call, {operands}) => runsFiles(reading, operands),
  sendsToRegistry: knownOperands('is sent to the registry'),
};
