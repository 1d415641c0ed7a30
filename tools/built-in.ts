/** The tools that every run has. */

import {calculator} from './calculator.ts';
import {globSearch} from './read/glob-search.ts';
import {grepSearch} from './read/grep-search.ts';
import {readFile} from './read/read-file.ts';
import {type CommandOptions, createRunCommand} from './run/run-command.ts';
import {createSandbox, type Sandbox, type SandboxMode} from './run/sandbox.ts';
import type {AnyTool} from './toolbox.ts';
import {editFile} from './write/edit-file.ts';
import {writeFile} from './write/write-file.ts';

/** The built-in tools that need only a workspace. Commands run in a sandbox of the given mode. */
export function builtInTools(
  sandbox: Sandbox | SandboxMode = 'auto',
  options: CommandOptions = {},
): readonly AnyTool[] {
  const own = typeof sandbox === 'string' ? createSandbox({mode: sandbox}) : sandbox;
  const command = createRunCommand({sandbox: own, ...options});
  return [calculator, editFile, globSearch, grepSearch, readFile, command, writeFile];
}
