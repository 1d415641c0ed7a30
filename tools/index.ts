/** The registry of tools. */

import {calculator} from './calculator/calculator.ts';
import {createDatabase} from './database/database.ts';
import {globSearch} from './read/glob-search.ts';
import {grepSearch} from './read/grep-search.ts';
import {readFile} from './read/read-file.ts';
import {type CommandOptions, createRunCommand, runCommand} from './run/run-command.ts';
import {createSandbox, type Sandbox, type SandboxMode} from './run/sandbox.ts';
import {createSnapshots, type Snapshots} from './run/snapshot/snapshots.ts';
import {createSearch} from './search/search.ts';
import type {AnyTool} from './toolbox.ts';
import {createWebFetch} from './web/web-fetch.ts';
import {editFile} from './write/edit-file.ts';
import {writeFile} from './write/write-file.ts';

export {
  calculator,
  createDatabase,
  createRunCommand,
  createSandbox,
  createSearch,
  createWebFetch,
  editFile,
  globSearch,
  grepSearch,
  readFile,
  runCommand,
  writeFile,
};
export {
  defineTool,
  type OnReplace,
  type Replacement,
  type ToolContext,
  type ToolDefinition,
} from './tool.ts';
export {
  type AnyTool,
  createToolbox,
  type Offered,
  type Toolbox,
  type Validation,
} from './toolbox.ts';
export {checkText, patternProblem} from './guardrails.ts';
export {type Held, heldBy, restore, type Restoring} from './write/restore.ts';
export {kindOf} from './run/snapshot/entry.ts';
export {createSnapshots, type Snapshots};
export {spawnTools} from './spawn/spawn.ts';
export {surveyWorkspace} from './read/survey.ts';

/** The built-in tools that need nothing but a workspace, with commands run in the sandbox, or in one of this mode. */
export function builtInTools(
  sandbox: Sandbox | SandboxMode = 'auto',
  options: CommandOptions = {},
): readonly AnyTool[] {
  const own = typeof sandbox === 'string' ? createSandbox({mode: sandbox}) : sandbox;
  const command = createRunCommand({sandbox: own, ...options});
  return [calculator, editFile, globSearch, grepSearch, readFile, command, writeFile];
}
