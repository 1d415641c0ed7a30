/** Evidence of a run: what it read, wrote, executed and delegated. Rules use the data; people and models see one line of each. */

import {oneLine} from './plain-text.ts';
import {codeOf, folderOf, textsAt} from './tool-facts.ts';
import {type ToolInfo, toolNamed, type ToolResult} from './tool.ts';

export interface Evidence {
  readonly tool: string;
  /** `spawned`: another interaction was started. Its own evidence is separate, except the files it wrote: they count as written. */
  readonly did: 'read' | 'wrote' | 'ran' | 'spawned';
  /**
   * A path, relative to the workspace or as the call had it; a command; the request of an interaction, in one line. For
   * calls with none of them: the arguments as JSON.
   */
  readonly target: string;
  /** True if the call succeeded. */
  readonly ok: boolean;
  /** Only for a command that has run to its end. */
  readonly exitCode?: number;
  /** For a written file: the command that wrote it, if one did. */
  readonly command?: string;
  /** For a command: its working directory, as the call had it; absent: the workspace. */
  readonly folder?: string;
}

/** The actions that were performed, with or without success. Refused, rejected and doubtful calls are left out. */
export function evidenceOf(
  results: readonly ToolResult[],
  tools: readonly ToolInfo[],
): readonly Evidence[] {
  return results.flatMap((result) => {
    if (result.status !== 'succeeded' && result.status !== 'failed') return [];
    const {tool} = result;
    const ok = result.status === 'succeeded';
    const info = toolNamed(tool, tools);
    return performedActions(result, info).map((action) => Object.assign({tool, ok}, action));
  });
}

type PerformedAction = Omit<Evidence, 'tool' | 'ok'>;

function performedActions(
  result: ToolResult,
  info: Partial<ToolInfo> = {},
): readonly PerformedAction[] {
  const {args, written} = result;
  const command = codeOf(info, args, 'shell');
  const wrote = written ?? textsAt(args, info.writes);
  const actions = [
    ...textsAt(args, info.spawns && 'request').map(
      (request) => ({did: 'spawned', target: oneLine(request)}) as const,
    ),
    ...textsAt(args, info.reads).map((target) => ({did: 'read', target}) as const),
    ...wrote.map((target) =>
      command === undefined
        ? ({did: 'wrote', target} as const)
        : ({did: 'wrote', target, command} as const),
    ),
    ...(command === undefined ? [] : [commandAction(command, result, info)]),
  ];
  if (actions.length > 0) return actions;
  return [{did: info.risk === 'low' ? 'read' : 'ran', target: JSON.stringify(args)}];
}

function commandAction(
  target: string,
  {args, exitCode}: ToolResult,
  info: Partial<ToolInfo>,
): PerformedAction {
  const [folder] = textsAt({folder: folderOf(info, args)}, ['folder']);
  return {
    did: 'ran',
    target,
    ...(exitCode === undefined ? {} : {exitCode}),
    ...(folder === undefined ? {} : {folder}),
  };
}

/** The shell command that was run, if one was. */
export function commandIn({did, target}: Evidence): string | undefined {
  return did === 'ran' && !/^\{["}]/.test(target) ? target : undefined;
}

/** Files that were written, each once. */
export function filesWritten(evidence: readonly Evidence[]): readonly string[] {
  const written = evidence.filter(({did, ok}) => did === 'wrote' && ok);
  return [...new Set(written.map(({target}) => target))];
}

/** `read_file README.md`, `run_command npm test (exit code 1)`, `run_command wrote src/a.ts`, `edit_file a.ts (failed)`. */
export function evidenceLine({tool, target, ok, command, exitCode = 0}: Evidence): string {
  if (command !== undefined) return `${tool} wrote ${target}`;
  if (exitCode !== 0) return `${tool} ${target} (exit code ${exitCode})`;
  return `${tool} ${target}${ok ? '' : ' (failed)'}`;
}
