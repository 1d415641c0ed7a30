/**
 * What ends a command whose runtime is killed: a shell in a session of its own, which waits for a word from the runtime. The
 * pipe that it reads closes with the runtime, whatever ended that; a runtime whose command has ended says so first.
 */

import {spawn} from 'node:child_process';

/**
 * Rounds for processes that take their time to go: a control group that is not empty can't be removed. Of a command that has
 * ended, too, should its runtime have given that up.
 */
const script = `
IFS= read -r told || kill -s KILL -- "-$1"
shift
for group do
  round=0
  while [ -d "$group" ] && [ $((round += 1)) -lt 100 ]; do
    echo 0 >"$group/pids.max"
    echo 1 >"$group/cgroup.kill"
    while read -r pid; do kill -s KILL "$pid"; done <"$group/cgroup.procs"
    rmdir "$group" && break
    sleep 0.1
  done
done
`;

export interface Guard {
  /** Nothing is left to be guarded. */
  readonly dismiss: () => void;
}

/** `controlGroups`: absolute paths of the folders of its control group. Never throws. */
export function guard(processGroup: number, controlGroups: readonly string[]): Guard {
  const watching = spawn('/bin/sh', ['-c', script, 'sh', `${processGroup}`, ...controlGroups], {
    cwd: '/',
    env: {PATH: '/usr/bin:/bin'},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watching.on('error', () => undefined);
  watching.stdin.on('error', () => undefined);
  watching.unref();
  return {dismiss: () => void watching.stdin.end('ended\n')};
}
