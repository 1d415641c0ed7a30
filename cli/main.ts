/** From arguments to an exit code: one file a command, imported when it is wanted. */

import type {Command, OutputFormat} from './arguments.ts';
import type {CommandOf} from './commands/command.ts';
import {tellFailure} from './failure.ts';
import {processTerminal, type Terminal} from './terminal.ts';

/** Runs the program in this process and ends it with its exit code. */
export async function launch(argv: readonly string[]): Promise<void> {
  const terminal = processTerminal();
  const verbose = argv.includes('-v') || argv.includes('--verbose');
  let output: OutputFormat = 'text';
  const fail = async (error: unknown): Promise<void> => {
    process.exit(await tellFailure(error, {terminal, verbose, output}));
  };
  process.on('uncaughtException', (error) => void fail(error));
  process.on('unhandledRejection', (reason) => void fail(reason));
  // A reader that has gone away is no failure; a run notices by itself and is suspended.
  terminal.stdout.on('error', () => {});
  terminal.stderr.on('error', () => {});
  try {
    const {parseArguments} = await import('./arguments.ts');
    const command = parseArguments(argv);
    if (command.kind === 'run' || command.kind === 'resume') output = command.output;
    process.exit(await perform(command, terminal));
  } catch (error) {
    await fail(error);
  }
}

type Kind = Command['kind'];
type Perform<K extends Kind> = (command: CommandOf<K>, terminal: Terminal) => Promise<number>;

const commands: {readonly [K in Kind]: () => Promise<Perform<K>>} = {
  help: async () => (await import('./commands/help.ts')).help,
  version: async () => (await import('./commands/help.ts')).showVersion,
  run: async () => (await import('./commands/run.ts')).run,
  resume: async () => (await import('./commands/resume.ts')).resume,
  cancel: async () => (await import('./commands/cancel.ts')).cancel,
  sessions: async () => (await import('./commands/sessions.ts')).sessions,
  show: async () => (await import('./commands/show.ts')).show,
  config: async () => (await import('./commands/config.ts')).config,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  demo: async () => (await import('./commands/demo.ts')).demo,
};

async function perform<K extends Kind>(command: CommandOf<K>, terminal: Terminal): Promise<number> {
  const load: () => Promise<Perform<K>> = commands[command.kind];
  return (await load())(command, terminal);
}
