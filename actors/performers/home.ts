/** Warns when the workspace is too large: the home folder. */

import {isAbsolute, relative, sep} from 'node:path';

import {homeFolder} from '../../tools/home-folder.ts';
import {realPath} from '../run/validation.ts';

/** A warning if the workspace (links resolved) is or contains the home folder. `home`: the value of `HOME`, if it is set. */
export function homeWarnings(workspace: string, home: string | undefined): string[] {
  const below = relative(workspace, realPath(homeFolder(home)));
  if (below.split(sep)[0] === '..' || isAbsolute(below)) return [];
  const what = below === '' ? 'is your home folder' : 'contains your home folder';
  return [
    `the workspace ${workspace} ${what}, with all your files; use --cwd to choose a project folder`,
  ];
}
