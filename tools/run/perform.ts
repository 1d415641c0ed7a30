/** What run_command does. */

import {join} from 'node:path';

import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {type Attempt, attempt, type Denial, failed, refused} from '../containment/denial.ts';
import {type Folder, openFolder} from '../containment/folder.ts';
import {escapeLine} from '../escape.ts';
import {folderInside} from '../read/list.ts';
import type {ToolContext} from '../tool.ts';
import {toPreview} from '../write/change.ts';
import {createCapture} from './capture.ts';
import type {ControlGroups} from './cgroup/control-groups.ts';
import {type ChildEnd, type ChildOrder, runChild} from './child.ts';
import {type CommandOutcome, type Ending, toOutcome, withNote} from './command-outcome.ts';
import {allowedEnv} from './environment.ts';
import {straysIn} from './escaped.ts';
import {createLiveOutput} from './live-output.ts';
import {defaultLimits, defaultSeconds, type Limits, limitsOf, quotaFor} from './quota.ts';
import type {Probe, Program, Sandbox} from './sandbox.ts';
import type {CommandChanges} from './snapshot/differences.ts';
import type {Snapshots, Watch} from './snapshot/snapshots.ts';
import {type StandsFor, standsFor} from './stands-for.ts';

type Args = {
  readonly command: string;
  /** Relative to the workspace, where it is if left out. */
  readonly working_dir?: string;
  readonly timeout_secs?: number;
};

export interface CommandOptions {
  /** Absent: nobody knows what commands change. */
  readonly snapshots?: Snapshots | undefined;
  /** Variables beside the usual ones. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Absent: the usual ones. */
  readonly limits?: Limits | undefined;
  /** Absent: the limits of a command's processes are all that bounds it. */
  readonly controlGroups?: ControlGroups | undefined;
}

export interface RunCommandOptions extends CommandOptions {
  readonly sandbox: Sandbox;
}

export async function preview(
  {sandbox, snapshots}: RunCommandOptions,
  args: Args,
  {workspace, written}: ToolContext,
): Promise<PreviewOutcome> {
  const folder = folderInside(workspace, args.working_dir ?? '.');
  if (!folder.ok) return toPreview(folder.denial);
  const probed = await sandbox.admit(workspace);
  if (!probed.ok) return toPreview(probed.denial);
  const stands = await standsFor(args.command, workspace, folder.value.join('/'), written);
  const {confined} = probed.value;
  return {
    kind: 'ready',
    args,
    preview: [
      `$ ${args.command}`,
      `in ${placeText(folder.value)}, for at most ${args.timeout_secs ?? defaultSeconds} s`,
      confinementText(probed.value),
      ...(confined ? keptText(stands) : []),
      ...(snapshots ? [undoText(await snapshots.gapOf(workspace))] : []),
      ...stands.shown,
    ].join('\n'),
    ...(stands.digest === undefined ? {} : {basedOn: stands.digest}),
    confinement: confined ? 'confined' : 'unconfined',
  };
}

function placeText(parts: readonly string[]): string {
  return parts.length === 0 ? 'the workspace' : escapeLine(parts.join('/'));
}

function confinementText(probe: Probe): string {
  if (!probe.confined) return 'unconfined: nothing keeps it in the workspace or off the network';
  const hosts = probe.network.join(', ');
  return `confined by ${probe.by}, ${hosts === '' ? 'no network' : `network: only ${hosts}`}`;
}

function keptText({holdsGit, hidesCredentials}: StandsFor): string[] {
  return [
    ...(holdsGit ? ["git's data can't be changed by it"] : []),
    ...(hidesCredentials ? ['files that may hold credentials are closed to it'] : []),
  ];
}

function undoText(gap: string | undefined): string {
  return gap === undefined
    ? "what it changes in files of the workspace can be undone, but for git's own and what git ignores"
    : `what it changes can't be undone: ${escapeLine(gap)}`;
}

export async function perform(
  options: RunCommandOptions,
  args: Args,
  context: ToolContext,
): Promise<ToolOutcome> {
  const {workspace} = context;
  const parts = folderInside(workspace, args.working_dir ?? '.');
  if (!parts.ok) return parts.denial;
  const stands = await standsFor(args.command, workspace, parts.value.join('/'));
  if (context.run !== undefined && context.basedOn !== stands.digest) return changed;
  const watch = await options.snapshots?.begin(workspace, context.run);
  const outcome = await runIn(options, {parts: parts.value, stands}, args, context);
  const {note, written, changes = []} = await changedBy(watch, context);
  if (!('confined' in outcome)) return outcome;
  return {
    ...withNote(outcome, note),
    ...(written ? {written} : {}),
    ...(changes.length > 0 ? {changes} : {}),
  };
}

const changed = refused(
  'changed',
  'what the command runs is not what was looked at before it was allowed; propose it again',
);

/** Without `confined` when it has not run. */
async function runIn(
  {sandbox, env, limits = limitsOf(defaultLimits), controlGroups}: RunCommandOptions,
  {parts, stands}: {readonly parts: readonly string[]; readonly stands: StandsFor},
  {command, timeout_secs: seconds = defaultSeconds}: Args,
  context: ToolContext,
): Promise<Denial | CommandOutcome> {
  const {workspace} = context;
  const place = {
    workspace,
    folder: join(workspace, ...parts),
    env: allowedEnv(process.env, env),
    holdsGit: stands.holdsGit,
    hidesCredentials: stands.hidesCredentials,
    limits,
  };
  const program = await sandbox.enclose(shell(command, quotaFor(seconds, limits)), place);
  if (!program.ok) return program.denial;
  // Held open until the program has started, so that nobody swaps the folder for another in between.
  const folder = hold(workspace, parts);
  if (!folder.ok) {
    await program.value.release();
    return folder.denial;
  }
  const timeout = AbortSignal.timeout(seconds * 1_000);
  const signal = AbortSignal.any([context.signal, timeout]);
  const end = await runProgram(program.value, folder.value, {
    ...context,
    signal,
    bound: (group) => controlGroups?.make(group, limits),
  });
  if (end.kind === 'not_started') return failed('not_started', `the command: ${end.message}`);
  const {confined} = program.value;
  return {...toOutcome(end, {cancel: context.signal, timeout, seconds, limits}), confined};
}

/** A command that has run has run, whether what it has changed can be kept or not. */
async function changedBy(
  watch: Watch | undefined,
  {onReplace}: ToolContext,
): Promise<Partial<CommandChanges>> {
  try {
    return (await watch?.end(onReplace)) ?? {};
  } catch (error) {
    return {note: `what it changed can't be kept, nor undone: ${String(error)}`};
  }
}

type ProgramEnd = Ending | Extract<ChildEnd, {kind: 'not_started'}>;

/** Closes the folder and releases the program. What was put back stands below what was printed. */
async function runProgram(
  program: Program,
  folder: Folder,
  {workspace, signal, onOutput, onChild, bound}: ToolContext & Pick<ChildOrder, 'bound'>,
): Promise<ProgramEnd> {
  const capture = createCapture();
  const live = createLiveOutput((text) => onOutput?.(text));
  const end = await runChild({
    ...program,
    cwd: folder.self,
    signal,
    ending: 'SIGTERM',
    onOutput: (chunk) => {
      live.take(chunk);
      capture.take(chunk);
    },
    onChild,
    bound,
  });
  live.end();
  folder.close();
  const notes = await program.release();
  if (end.kind === 'not_started') return end;
  const text = withNotes(capture.text(), notes);
  // What a sandbox holds ends with it.
  if (program.confined) return {...end, text, outsiders: [], strays: []};
  const strays = end.mark === undefined ? [] : straysIn(workspace, end.mark, end.outsiders);
  return {...end, text, strays: strays.map(escapeLine)};
}

function hold(workspace: string, parts: readonly string[]): Attempt<Folder> {
  return attempt(parts.join('/'), () => openFolder(workspace, parts));
}

function withNotes(text: string, notes: readonly string[]): string {
  if (notes.length === 0) return text;
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${end}${notes.map((note) => `[${escapeLine(note)}]\n`).join('')}`;
}

/** One pipe for both outputs keeps their order. */
function shell(command: string, quota: string): string[] {
  return ['/bin/sh', '-c', `${quota}\nexec /bin/sh -c "$1" 2>&1`, 'sh', command];
}
