/** The kernel can limit the memory and the number of a command's processes here; if it can't, a warning is printed. */

import {readdirSync} from 'node:fs';

import {createControlGroups} from '../../../tools/run/cgroup/control-groups.ts';
import {findHierarchies} from '../../../tools/run/cgroup/hierarchies.ts';
import {defaultLimits, limitsOf} from '../../../tools/run/quota.ts';

const problem = await createControlGroups().problem(limitsOf(defaultLimits));

export const canGroup = problem === undefined;

if (problem !== undefined) {
  process.stderr.write(
    `\n*** NOT TESTED: what bounds the memory and the processes of commands. ${problem}. ` +
      'Run these suites where control groups can be made, as root or in a session of systemd. ***\n\n',
  );
}

/** Control groups of the command with this process group. */
export function groupsOf(processGroup: number | undefined): readonly string[] {
  return findHierarchies().flatMap(({folder}) =>
    readdirSync(folder).filter((name) => name.startsWith(`quorate-${processGroup}-`)),
  );
}
