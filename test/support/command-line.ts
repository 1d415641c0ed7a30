/** A command line run in this process, as the launcher runs it. */

import {createReadStream, openSync} from 'node:fs';
import {devNull} from 'node:os';
import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';

import {performLine} from '../../cli/main.ts';
import type {Environment} from '../../cli/terminal.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** No stream is a terminal. Piped text ends; without it, standard input is empty. */
export async function runLine(
  args: readonly string[],
  env: Environment,
  piped?: string,
): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const [out, err] = [text(stdout), text(stderr)];
  const stdin = piped === undefined ? nothing() : new PassThrough().end(piped);
  const code = await performLine(args, {stdin, stdout, stderr, env});
  stdin.destroy();
  stdout.end();
  stderr.end();
  return {code, out: await out, err: await err};
}

function nothing() {
  return createReadStream('', {fd: openSync(devNull, 'r')});
}

let isUnderWay = false;

/** Sets the working folder, and the home folder of the process to that of the environment: one command line at a time. */
export async function runLineIn(
  folder: string,
  args: readonly string[],
  env: Environment,
  piped?: string,
): Promise<Ran> {
  if (isUnderWay) throw new Error('a process has one working folder: start two');
  isUnderWay = true;
  const [place, {HOME: home}] = [process.cwd(), process.env];
  process.chdir(folder);
  process.env['HOME'] = env['HOME'];
  try {
    return await runLine(args, env, piped);
  } finally {
    process.chdir(place);
    process.env['HOME'] = home;
    isUnderWay = false;
  }
}
