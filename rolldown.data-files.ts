/** Text files of data become part of the code: a build has neither to find nor to read them. */

import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import type {Plugin} from 'rolldown';

const call = /\bdataFile\(\s*new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\),?\s*\)/g;
const anyCall = /\bdataFile\(/;

/** Throws for a call of `dataFile` that it cannot replace. */
export const dataFiles: Plugin = {
  name: 'data-files',
  transform: {
    filter: {id: {exclude: /\/tools\/text\/data-file\.ts$/}, code: anyCall},
    handler(code, id) {
      const inlined = code.replaceAll(call, (_, name: string) =>
        JSON.stringify(readFileSync(join(dirname(id), name), 'utf8')),
      );
      if (anyCall.test(inlined))
        this.error(`${id}: write dataFile(new URL('NAME', import.meta.url))`);
      return inlined;
    },
  },
};
