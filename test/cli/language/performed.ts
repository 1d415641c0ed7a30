/** Runs a command line in an environment, and resolves with its output. */

import {PassThrough} from 'node:stream';

import {performLine} from '../../../cli/main.ts';
import type {Environment} from '../../../cli/terminal.ts';

export interface Performed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Standard input is empty; nothing is a terminal. */
export async function linesAfter(argv: readonly string[], env: Environment): Promise<Performed> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const code = await performLine(argv, {stdin, stdout, stderr, env});
  return {code, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '')};
}
