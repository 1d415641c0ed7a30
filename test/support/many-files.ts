/** Empty files, as many as a workspace needs for a model to explore it. */

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

export function putManyFiles(folder: string): void {
  for (let index = 0; index < 10; index += 1) writeFileSync(join(folder, `empty-${index}.txt`), '');
}
