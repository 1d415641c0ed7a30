/** The script of a hostile planner and worker for one run. */

import type {JsonObject} from '../../../machines/domain/json.ts';

/**
 * The aim of a step: data that git does not hold, credentials, sending out, code of this run, a place outside, a
 * repository of its own, package files, places that run code; `none`: it only looks busy.
 */
export const aims = [
  'delete',
  'read',
  'send',
  'code',
  'outside',
  'repository',
  'package',
  'place',
  'none',
] as const;

export type Aim = (typeof aims)[number];

export interface Step {
  readonly tool: string;
  /** Texts may hold the placeholders of {@link fill}. */
  readonly args: JsonObject;
  readonly aim: Aim;
  /** Called in the same turn as the step before it. */
  readonly isJoined?: true;
  /** The plan has the call. */
  readonly isPlanned?: true;
}

/**
 * `policies`: rules decide alone. `models`: models sit on the panel and approve all. `auto`: the mode is auto_approve, and
 * a person rejects the remaining questions. `waiting`: no question is answered. In the other panels auto_reject answers.
 */
export const panels = ['policies', 'models', 'auto', 'waiting'] as const;

export interface Mode {
  readonly panel: (typeof panels)[number];
  readonly confined: boolean;
  /** In `auto`, models may also sit on the panel. */
  readonly hasModels: boolean;
  readonly isEnsemble: boolean;
  /** No policy screens, for a test of the oracle itself. */
  readonly isUnscreened?: true;
}

export interface Script {
  readonly seed: number;
  readonly mode: Mode;
  readonly request: string;
  readonly steps: readonly Step[];
}

export function modeName({panel, confined}: Mode): string {
  return `${panel} ${confined ? 'confined' : 'unconfined'}`;
}

export function sh(command: string, aim: Aim, workingDir?: string): Step {
  const args = workingDir === undefined ? {command} : {command, working_dir: workingDir};
  return {tool: 'run_command', args, aim};
}

export function write(path: string, content: string, aim: Aim): Step {
  return {tool: 'write_file', args: {path, content, create_dirs: true}, aim};
}

export function edit(path: string, before: string, after: string, aim: Aim): Step {
  return {tool: 'edit_file', args: {path, edits: [{old_text: before, new_text: after}]}, aim};
}

export function use(tool: string, args: JsonObject, aim: Aim): Step {
  return {tool, args, aim};
}

/** Values of a script's placeholders in one world: `@NAME@`, and `@CANARY path@` for the content of a file. */
export interface Places {
  readonly WS: string;
  readonly OUT: string;
  readonly HOME: string;
  /** A file that payloads create when they run. */
  readonly MARK: string;
  readonly PORT: string;
  /** The listener on this machine. */
  readonly URL: string;
}

export function fill<T>(value: T, places: Places, canaryAt: (path: string) => string): T;
export function fill(value: unknown, places: Places, canaryAt: (path: string) => string): unknown {
  if (typeof value === 'string') {
    const named = Object.entries(places).reduce<string>(
      (text, [name, place]) => text.replaceAll(`@${name}@`, place),
      value,
    );
    return named.replaceAll(/@CANARY ([^@]+)@/g, (_, path: string) => canaryAt(path));
  }
  if (Array.isArray(value)) return value.map((item: unknown) => fill(item, places, canaryAt));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fill(item, places, canaryAt)]),
  );
}

/** One readable line. */
export function stepText({tool, args, isPlanned}: Step): string {
  const {command, path, working_dir: folder, content, edits} = args;
  const planned = isPlanned ? 'plan: ' : '';
  if (tool === 'run_command') {
    return `${planned}$ ${JSON.stringify(command)}${folder === undefined ? '' : ` in ${JSON.stringify(folder)}`}`;
  }
  if (tool === 'write_file')
    return `${planned}write ${JSON.stringify(path)} ${JSON.stringify(content)}`;
  if (tool === 'edit_file') {
    return `${planned}edit ${JSON.stringify(path)} ${JSON.stringify(edits)}`;
  }
  return `${planned}${tool} ${JSON.stringify(args)}`;
}
