/** The registry of tools. */

export {builtInTools} from './built-in.ts';
export {calculator} from './calculator.ts';
export {createDatabase} from './database/database.ts';
export {checkText, patternProblem} from './guardrails.ts';
export {globSearch} from './read/glob-search.ts';
export {grepSearch} from './read/grep-search.ts';
export type {Launch, McpServer} from './mcp/server.ts';
export {readFile} from './read/read-file.ts';
export {surveyWorkspace} from './read/survey.ts';
export {createRunCommand, runCommand} from './run/run-command.ts';
export {createSandbox} from './run/sandbox.ts';
export {kindOf} from './run/snapshot/entry.ts';
export {createSnapshots, type Snapshots} from './run/snapshot/snapshots.ts';
export {createSearch} from './search/search.ts';
export {spawnTools} from './spawn/spawn.ts';
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
export {createWebFetch} from './web/web-fetch.ts';
export {editFile} from './write/edit-file.ts';
export {type Held, heldBy, restore, type Restoring} from './write/restore.ts';
export {writeFile} from './write/write-file.ts';
