/**
 * How a server starts: one that runs code of the workspace is read like a command, and confined where a sandbox works; any other
 * starts unconfined.
 */

import {accessSync, constants} from 'node:fs';
import {relative, resolve} from 'node:path';

import {commandText} from '../../machines/domain/program.ts';
import type {Attempt} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';
import {type ResolvedCommand, resolveCommand} from '../run/resolved-command.ts';
import {createSandbox, type Probe, type Program, type SandboxOptions} from '../run/sandbox.ts';
import type {StdioLaunch} from './server.ts';
import {folderInside, isFile, realOf, startProblem} from './start-place.ts';

export interface StartGround {
  /** Absolute: the folder of the run. */
  readonly workspace: string;
  /** How commands are confined. Hosts, and containers, are those of commands only. */
  readonly sandbox: SandboxOptions;
  /** Paths that the run has changed. Absent: none. */
  readonly changed?: (() => Promise<readonly string[]>) | undefined;
}

export type Grade =
  /** It runs nothing of the workspace, and is not confined. */
  | {readonly kind: 'elsewhere'}
  | {
      readonly kind: 'confined';
      readonly by: Extract<Probe, {confined: true}>['by'];
      /** The hosts that it may reach. */
      readonly network: readonly string[];
      /** A file that git does not know, or that the run has changed: it may run it, so it reaches no host. */
      readonly unknownFile?: string;
    }
  /** It runs code of the workspace that is not unknown. `why`: nothing confines it, a clause. */
  | {readonly kind: 'unconfined'; readonly why: string}
  /** It does not start; a clause. */
  | {readonly kind: 'refused'; readonly why: string};

/** The way to start `argv` confined, as `Sandbox.enclose` does. */
export type Enclose = (
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
) => Promise<Attempt<Program>>;

export interface ServerStart {
  /** With the folder of the run in place of its names. */
  readonly launch: StdioLaunch;
  readonly grade: Grade;
  /** Absent: it starts unconfined, or not at all. */
  readonly enclose?: Enclose;
}

/** Starts nothing, except the trial of a sandbox. Rejects as `Sandbox.probe` does. */
export async function planStart(given: StdioLaunch, ground: StartGround): Promise<ServerStart> {
  const workspace = realOf(ground.workspace);
  const launch = placed(given, workspace);
  const problem = startProblem(launch, workspace);
  if (problem !== undefined) return {launch, grade: {kind: 'refused', why: escapeLine(problem)}};
  const folder = folderInside(launch, workspace);
  if (folder === undefined) return {launch, grade: {kind: 'elsewhere'}};
  const {network = []} = launch;
  const sandbox = createSandbox({...ground.sandbox, network});
  const admitted = await sandbox.admit(workspace);
  if (!admitted.ok) return {launch, grade: {kind: 'refused', why: admitted.denial.message}};
  const changed = (await ground.changed?.()) ?? [];
  const resolved = await resolveCommand({
    command: commandTextOf(launch),
    workspace,
    folder: relative(workspace, folder),
    changed,
  });
  const unknownFile = unknownFileOf(resolved, changed, workspace);
  const grade = gradeOf(admitted.value, unknownFile);
  if (grade.kind !== 'confined') return {launch, grade};
  const {holdsGit, isUnknown} = resolved;
  const closesNetwork = unknownFile !== undefined;
  const kept = {workspace, folder, holdsGit, isUnknown, closesNetwork, isLasting: true};
  return {launch, grade, enclose: async (argv, env) => await sandbox.enclose(argv, {...kept, env})};
}

/** With the folder of the run for `${workspace}` and the cwd `workspace`. */
function placed(launch: StdioLaunch, workspace: string): StdioLaunch {
  const {args, cwd} = launch;
  return {
    ...launch,
    args: args.map((word) => word.replaceAll('${workspace}', workspace)),
    ...(cwd === 'workspace' ? {cwd: workspace} : {}),
  };
}

function commandTextOf({command, args, env}: StdioLaunch): string {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return commandText([...(settings.length > 0 ? ['env', ...settings] : []), command, ...args]);
}

/** A program without the ending of a language is not among the files that the reader finds. */
function unknownFileOf(
  {unknownFiles, isUnknown}: ResolvedCommand,
  changed: readonly string[],
  workspace: string,
): string | undefined {
  const isProgram = (path: string): boolean => isExecutable(resolve(workspace, path));
  const path = unknownFiles[0] ?? (isUnknown ? changed.find(isProgram) : undefined);
  return path === undefined ? undefined : escapeLine(path);
}

function gradeOf(probe: Probe, unknownFile: string | undefined): Grade {
  if (probe.confined) {
    const {by, network} = probe;
    if (unknownFile === undefined) return {kind: 'confined', by, network};
    return {kind: 'confined', by, network: [], unknownFile};
  }
  if (unknownFile === undefined) return {kind: 'unconfined', why: probe.why};
  return {
    kind: 'refused',
    why: `it may run ${unknownFile}, which git does not know or this run has changed, and nothing confines it (${probe.why}); install bubblewrap (quorate doctor says how), or read the file, commit it and start a new run`,
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
