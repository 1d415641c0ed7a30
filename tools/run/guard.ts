/**
 * Ends a command whose runtime is killed: a shell in a session of its own waits for a line from the runtime. The
 * pipe that it reads closes when the runtime ends for any reason; after its command has ended, the runtime sends a line first.
 */

import {spawn} from 'node:child_process';

/**
 * Rounds for processes that take time to end: a control group that is not empty can't be removed. This also covers a command that
 * has ended but whose group the runtime has not removed.
 */
const script = `
IFS= read -r line || kill -s KILL -- "-$1"
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
  /** Nothing is left to guard. */
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
