/** From arguments to an exit code. */

import type {InteractionForm} from '../machines/domain/interaction-form.ts';
import type {Wanted} from './arguments.ts';
import type {OutputFormat} from './command.ts';
import {tellFailure} from './failure.ts';
import {processTerminal, type Terminal, write} from './terminal.ts';

/** Runs the program in this process and ends it with its exit code. */
export async function launch(argv: readonly string[]): Promise<void> {
  const terminal = processTerminal();
  const verbose = argv.includes('-v') || argv.includes('--verbose');
  let output: OutputFormat = 'text';
  let form: InteractionForm = 'agent';
  const fail = async (error: unknown): Promise<void> => {
    process.exit(await tellFailure(error, {terminal, verbose, output, form}));
  };
  process.on('uncaughtException', (error) => void fail(error));
  process.on('unhandledRejection', (reason) => void fail(reason));
  // A reader that has gone away is no failure; a run notices by itself and is suspended.
  terminal.stdout.on('error', () => {});
  terminal.stderr.on('error', () => {});
  try {
    const {parseArguments} = await import('./arguments.ts');
    const wanted = await parseArguments(argv);
    if (wanted.kind !== 'command') {
      await tellAbout(wanted, terminal);
      process.exit(0);
    }
    const {command, parsed} = wanted;
    if (command.endsWithResult) {
      output = parsed.output;
      form = command.endsWithResult;
    }
    process.exit(await command.run(parsed, terminal));
  } catch (error) {
    await fail(error);
  }
}

async function tellAbout(
  wanted: Exclude<Wanted, {kind: 'command'}>,
  {stdout}: Terminal,
): Promise<void> {
  if (wanted.kind === 'version') {
    const {version} = await import('./version.ts');
    return await write(stdout, `${version()}\n`);
  }
  const {writeHelp} = await import('./help/text.ts');
  return await writeHelp(stdout, wanted.topic);
}
