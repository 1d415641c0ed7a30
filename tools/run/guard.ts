/**
 * Ends a command whose runtime is killed: a shell in a session of its own waits for a line from the runtime. The
 * pipe that it reads closes when the runtime ends for any reason; after its command has ended, the runtime sends a line first.
 */

import {spawn} from 'node:child_process';

const script = `IFS= read -r line || kill -s KILL -- "-$1"`;

export interface Guard {
  /** Nothing is left to guard. */
  readonly dismiss: () => void;
}

/** Never throws. */
export function guard(processGroup: number): Guard {
  const watching = spawn('/bin/sh', ['-c', script, 'sh', `${processGroup}`], {
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
