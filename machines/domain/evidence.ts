/** What a run has read, written, run and had others do: data for rules, and the one sentence that people and models see of it. */

import {codeOf, textsAt} from './tool-facts.ts';
import type {ToolInfo, ToolResult} from './tool.ts';

export interface Evidence {
  readonly tool: string;
  /** `spawned`: another interaction was begun. What it did is its own; files that it wrote are told as written. */
  readonly did: 'read' | 'wrote' | 'ran' | 'spawned';
  /**
   * A path, relative to the workspace or as the call had it; a command; what an interaction was asked, in one line. Of
   * calls with none of them: the arguments as JSON.
   */
  readonly target: string;
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** Of a command that has run to its end. */
  readonly exitCode?: number;
  /** Of a file that was written: the command that did it, if one did. */
  readonly command?: string;
  /** Of a command: where it started, as the call had it; absent: in the workspace. */
  readonly folder?: string;
}

/** What was done, with or without success. What was refused, rejected or is in doubt was not. */
export function evidenceOf(
  results: readonly ToolResult[],
  tools: readonly ToolInfo[],
): readonly Evidence[] {
  return results.flatMap((result) => {
    if (result.status !== 'succeeded' && result.status !== 'failed') return [];
    const {tool} = result;
    const ok = result.status === 'succeeded';
    const info = tools.find(({name}) => name === tool);
    return deedsOf(result, info).map((deed) => Object.assign({tool, ok}, deed));
  });
}

type Deed = Omit<Evidence, 'tool' | 'ok'>;

function deedsOf(result: ToolResult, info: Partial<ToolInfo> = {}): readonly Deed[] {
  const {args, written} = result;
  const command = codeOf(info, args, 'shell');
  const wrote = written ?? textsAt(args, info.writes);
  const deeds = [
    ...(info.spawns ? [{did: 'spawned', target: oneLine(args['request'])} as const] : []),
    ...textsAt(args, info.reads).map((target) => ({did: 'read', target}) as const),
    ...wrote.map((target) =>
      command === undefined
        ? ({did: 'wrote', target} as const)
        : ({did: 'wrote', target, command} as const),
    ),
    ...(command === undefined ? [] : [ranDeed(command, result, info)]),
  ];
  if (deeds.length > 0) return deeds;
  return [{did: info.risk === 'low' ? 'read' : 'ran', target: JSON.stringify(args)}];
}

function ranDeed(target: string, {args, exitCode}: ToolResult, {runs}: Partial<ToolInfo>): Deed {
  const [folder] = textsAt(args, runs?.folder === undefined ? [] : [runs.folder]);
  return {
    did: 'ran',
    target,
    ...(exitCode === undefined ? {} : {exitCode}),
    ...(folder === undefined ? {} : {folder}),
  };
}

function oneLine(text: unknown): string {
  return String(text).trim().replaceAll(/\s+/g, ' ');
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
