/** The registry of tools. */

import {editFile} from './edit-file.ts';
import {globSearch} from './glob-search.ts';
import {grepSearch} from './grep-search.ts';
import {readFile} from './read-file.ts';
import {createRunCommand, runCommand} from './run-command.ts';
import {createSandbox, type SandboxMode} from './sandbox.ts';
import type {AnyTool} from './toolbox.ts';
import {writeFile} from './write-file.ts';

export {
  createRunCommand,
  createSandbox,
  editFile,
  globSearch,
  grepSearch,
  readFile,
  runCommand,
  writeFile,
};
export {defineTool, type ToolContext, type ToolDefinition} from './tool.ts';
export {
  type AnyTool,
  createToolbox,
  type Offered,
  type Toolbox,
  type Validation,
} from './toolbox.ts';
export {surveyWorkspace} from './survey.ts';

/** The built-in tools, with commands run as the sandbox's mode says. */
export function builtInTools(mode: SandboxMode = 'auto'): readonly AnyTool[] {
  const command = createRunCommand({sandbox: createSandbox({mode})});
  return [editFile, globSearch, grepSearch, readFile, command, writeFile];
}
