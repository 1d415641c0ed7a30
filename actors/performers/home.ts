/** Whether a workspace is more than a project. */

import {homedir} from 'node:os';
import {isAbsolute, relative, sep} from 'node:path';

import {realPath} from '../run/checked.ts';

/** Of a workspace that holds the whole home folder, links resolved: `home` is the variable's, if there is one. */
export function homeWarnings(workspace: string, home: string | undefined): string[] {
  const below = relative(workspace, realPath(home || homedir()));
  if (below.split(sep)[0] === '..' || isAbsolute(below)) return [];
  const what = below === '' ? 'is your home folder' : 'holds your home folder';
  return [
    `the workspace ${workspace} ${what}, with all that is yours in it; name the folder of a project with --cwd`,
  ];
}
