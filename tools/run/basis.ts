/** Compares the code that a command is about to run with the code that was approved. */

import {type Denial, refused} from '../containment/denial.ts';
import type {ToolContext} from '../tool.ts';
import type {ResolvedCommand} from './resolved-command.ts';

/** `isUnvoted`: nobody votes on the call, so that it may only run code that git knows and that the run has not changed. */
export function basisDenial(
  {digest, unknownFiles}: Pick<ResolvedCommand, 'digest' | 'unknownFiles'>,
  {isUnvoted}: {readonly isUnvoted?: boolean},
  {run, basedOn}: Pick<ToolContext, 'run' | 'basedOn'>,
): Denial | undefined {
  if (isUnvoted === true && basedOn === undefined)
    return unknownFiles.length > 0 ? unknownCode : undefined;
  return run !== undefined && basedOn !== digest ? changed : undefined;
}

const changed = refused(
  'changed',
  'the code that the command runs has changed since it was allowed; propose it again',
);

const unknownCode = refused(
  'unknown_code',
  'it would run code that this run has changed, or that git does not know, and nobody votes on it; use a tool of high risk',
);
