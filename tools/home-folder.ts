/** The home folder of the user. The launcher reads it before it loads anything else. */

import {userInfo} from 'node:os';
import {isAbsolute} from 'node:path';

/** `home`: the value of `HOME`, if it is set. An empty or relative one would be a folder in the workspace. */
export function homeFolder(home = ''): string {
  return isAbsolute(home) ? home : userInfo().homedir;
}
