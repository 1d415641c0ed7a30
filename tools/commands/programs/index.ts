/** The table of known programs. */

import type {Program} from '../program.ts';
import {builtins} from './builtins.ts';
import {conditions} from './conditions.ts';
import {development} from './development.ts';
import {digests} from './digests.ts';
import {files} from './files.ts';
import {text} from './text.ts';
import {viewers} from './viewers.ts';

/** Each kind of program, by its file. A program stands in one of them, once. */
export const kinds: Readonly<Record<string, readonly Program[]>> = {
  builtins,
  conditions,
  ...development,
  digests,
  files,
  text,
  viewers,
};

export const programs: ReadonlyMap<string, Program> = new Map(
  Object.values(kinds)
    .flat()
    .flatMap((program) => [program.name].flat().map((name) => [name, program])),
);
