/** The script of the page as one module. In the sources it is bundled when it is first needed; the package has it built. */

import {fileURLToPath} from 'node:url';

import {once} from '../../../machines/domain/once.ts';

export const pageScript = once(async (): Promise<string> => {
  const {build} = await import('rolldown');
  const {output} = await build({
    input: fileURLToPath(new URL('browser/main.ts', import.meta.url)),
    platform: 'browser',
    write: false,
    output: {format: 'esm', minify: true},
  });
  return output[0].code;
});
