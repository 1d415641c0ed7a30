/** A workspace in a temporary folder, a folder next to it that must not change, and the tools bound to them. */

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {expect, onTestFinished} from 'vitest';

import type {JsonObject} from '../../machines/domain/json.ts';
import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {builtInTools, createToolbox, type Toolbox, type ToolContext} from '../../tools/index.ts';

export interface Place {
  readonly workspace: string;
  readonly outside: string;
  /** Process groups that were started. */
  readonly groups: number[];
  readonly put: (path: string, content: string | Buffer) => string;
  readonly text: (path: string) => string;
  readonly run: (
    tool: string,
    args: JsonObject,
    context?: Partial<ToolContext>,
  ) => Promise<ToolOutcome>;
  readonly preview: (
    tool: string,
    args: JsonObject,
    written?: readonly string[],
  ) => Promise<PreviewOutcome>;
}

export const secretText = 'outside: keep me as I am\n';

/** Created for one test; at its end nothing outside may have changed, and everything is removed. */
export function createPlace(
  toolbox: Toolbox = createToolbox(builtInTools('off')),
  parent: string = tmpdir(),
): Place {
  const root = realpathSync(mkdtempSync(join(parent, 'quorate-')));
  const workspace = join(root, 'workspace');
  const outside = join(root, 'outside');
  mkdirSync(workspace);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), secretText);
  const groups: number[] = [];
  onTestFinished(() => {
    const names = readdirSync(outside);
    const kept = readFileSync(join(outside, 'secret.txt'), 'utf8');
    rmSync(root, {recursive: true, force: true});
    expect({names, kept}).toEqual({names: ['secret.txt'], kept: secretText});
  });
  const context: ToolContext = {
    workspace,
    signal: new AbortController().signal,
    recovering: false,
    onChild: (group) => void groups.push(group),
  };
  return {
    workspace,
    outside,
    groups,
    put: (path, content) => {
      const full = join(workspace, path);
      mkdirSync(dirname(full), {recursive: true});
      writeFileSync(full, content);
      return full;
    },
    text: (path) => readFileSync(join(workspace, path), 'utf8'),
    run: (tool, args, {basedOn, becomes, allowedBy, ...more} = {}) => {
      const base = {
        ...(basedOn === undefined ? {} : {basedOn}),
        ...(becomes === undefined ? {} : {becomes}),
      };
      const allowed = allowedBy ? {allowedBy} : {};
      const request = {tool, args, workspace, repeatability: 'once', ...base, ...allowed} as const;
      return toolbox.run(request, {...context, ...more});
    },
    preview: (tool, args, written = []) =>
      toolbox.preview({tool, args, workspace, written}, context),
  };
}

/** `kind/code` of a failed outcome, `succeeded` for any other. */
export function verdictOf(outcome: ToolOutcome | PreviewOutcome): string {
  return 'code' in outcome ? `${outcome.kind}/${outcome.code}` : outcome.kind;
}

export function textOf(outcome: ToolOutcome): string {
  return ('text' in outcome ? outcome.text : undefined) ?? '';
}
