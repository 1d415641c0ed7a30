/** A command line run in this process, as the launcher runs it. */

import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';

import {parseArguments} from '../../cli/arguments.ts';
import {tellFailure} from '../../cli/failure.ts';
import type {Environment, Terminal} from '../../cli/terminal.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** No stream is a terminal. What is piped ends; without it, standard input is silent. */
export async function runLine(
  args: readonly string[],
  env: Environment,
  piped?: string,
): Promise<Ran> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  if (piped !== undefined) stdin.end(piped);
  const [out, err] = [text(stdout), text(stderr)];
  const code = await perform(args, {stdin, stdout, stderr, env});
  stdout.end();
  stderr.end();
  return {code, out: await out, err: await err};
}

async function perform(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const wanted = await parseArguments(args);
    if (wanted.kind !== 'command') throw new Error(`${args.join(' ')} is no command`);
    return await wanted.command.run(wanted.parsed, terminal);
  } catch (error) {
    return await tellFailure(error, {terminal, verbose: false, output: 'text', form: 'agent'});
  }
}
