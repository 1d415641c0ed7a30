/** The built package. */

import {cpSync, symlinkSync} from 'node:fs';
import {join, resolve} from 'node:path';

import {rolldown} from 'rolldown';

import {builds} from '../../rolldown.config.ts';

const pages = ['cli/serve/page/browser', 'cli/inspect/page/browser'];

/** Builds everything except the types into a folder, with the other files of the package and its dependencies. */
export async function buildPackage(folder: string): Promise<void> {
  for (const part of ['package.json', 'cli/demo', 'cli/texts', 'diagrams/positions'])
    cpSync(part, join(folder, part), {recursive: true});
  for (const page of pages)
    cpSync(page, join(folder, page), {recursive: true, filter: (path) => !path.endsWith('.ts')});
  // One after the other: the first one cleans the folder.
  for (const build of builds) {
    const bundle = await rolldown(build);
    await bundle.write({...build.output, dir: join(folder, 'dist')});
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
}
