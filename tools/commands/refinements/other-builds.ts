/** The tools of Swift, Dart, Zig and Haskell. */

import type {Refinements} from '../program.ts';
import {onlyTasks, onlyWith} from './refine.ts';

export const otherBuilds: Refinements = {
  onlyToOutput: onlyWith('-o --output', 'writes beside its source'),
  zigSteps: onlyTasks(/^(?:test|run|check)$/),
};
