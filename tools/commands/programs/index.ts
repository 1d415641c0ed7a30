/** The table of known programs. */

import type {Program} from '../program.ts';
import {archives} from './archives.ts';
import {awk} from './awk.ts';
import {builtins} from './builtins.ts';
import {conditions} from './conditions.ts';
import {data} from './data.ts';
import {development} from './development.ts';
import {digests} from './digests.ts';
import {downloads} from './downloads.ts';
import {files} from './files.ts';
import {find} from './find.ts';
import {lookers} from './lookers.ts';
import {network} from './network.ts';
import {prefixes} from './prefixes.ts';
import {search} from './search.ts';
import {sed} from './sed.ts';
import {shells} from './shells.ts';
import {system} from './system.ts';
import {tar} from './tar.ts';
import {text} from './text.ts';
import {viewers} from './viewers.ts';

/** Each kind of program, by its file. A program stands in one of them, once. */
export const kinds: Readonly<Record<string, readonly Program[]>> = {
  archives,
  awk,
  builtins,
  conditions,
  data,
  ...development,
  digests,
  downloads,
  files,
  find,
  lookers,
  network,
  prefixes,
  search,
  sed,
  shells,
  system,
  tar,
  text,
  viewers,
};

export const programs: ReadonlyMap<string, Program> = new Map(
  Object.values(kinds)
    .flat()
    .flatMap((program) => [program.name].flat().map((name) => [name, program])),
);
