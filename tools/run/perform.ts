/** Performs run_command. */

import {constants} from 'node:os';
import {join} from 'node:path';

import type {PreviewOutcome, ToolOutcome} from '../../machines/domain/tool.ts';
import {checksOf} from '../commands/known.ts';
import {removesUntracked, versionsTaken} from '../commands/understanding.ts';
import {
  type Attempt,
  attempt,
  type Denial,
  failed,
  refused,
  shortageCode,
} from '../containment/denial.ts';
import {type Folder, openFolder} from '../containment/folder.ts';
import {escapeLine} from '../escape.ts';
import {folderInside} from '../read/tree.ts';
import type {ToolContext} from '../tool.ts';
import {toPreview} from '../write/change.ts';
import {type ChildEnd, createCapture, createLiveOutput, runChild} from './child.ts';
import {beginPlacesCheck, type PlacesCheck} from './places-check.ts';
import {straysIn} from './processes.ts';
import {
  allowedEnv,
  defaultLimits,
  defaultSeconds,
  type Limits,
  limitsOf,
  limitTexts,
  maxSeconds,
  quotaFor,
  startWords,
} from './quota.ts';
import {resolveCommand, type ResolvedCommand} from './resolved-command.ts';
import type {Probe, Program, Sandbox, ScopeBounds, Scopes} from './sandbox.ts';
import {
  closedIn,
  closedNote,
  closedText,
  filesToOpen,
  narrowNote,
  openedText,
  type Opening,
} from './sandbox/confiner.ts';
import type {CommandChanges} from './snapshot/differences.ts';
import type {Snapshots, Watch} from './snapshot/snapshots.ts';

export type CommandArgs = {
  /** Run by a shell, or `argv` as text. */
  readonly command: string;
  /** A program and its arguments, started without a shell. */
  readonly argv?: readonly string[];
  /** It gets no network, not even `[sandbox] network`. */
  readonly isLocal?: boolean;
  /** Nobody votes on the call: it is refused if it would run code that is unknown to git, or that this run has changed. */
  readonly isUnvoted?: boolean;
  /** Relative to the workspace, which is the default. */
  readonly working_dir?: string;
  readonly timeout_secs?: number;
  /** Files with credentials that are opened for the call, relative to the workspace. */
  readonly credentials?: readonly string[];
};

export interface CommandOptions {
  /** Absent: the changes of commands are unknown. */
  readonly snapshots?: Snapshots | undefined;
  /** Variables besides the usual ones. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Absent: the usual ones. */
  readonly limits?: Limits | undefined;
  /** Absent: only the limits of a command's processes apply. */
  readonly scopes?: Scopes | undefined;
}

export interface RunCommandOptions extends CommandOptions {
  readonly sandbox: Sandbox;
}

export async function preview(
  {sandbox, snapshots}: RunCommandOptions,
  args: CommandArgs,
  context: ToolContext,
): Promise<PreviewOutcome> {
  const {workspace} = context;
  const places = placesOf(workspace, args);
  if (!places.ok) return toPreview(places.denial);
  const {parts, opened} = places.value;
  const probed = await sandbox.admit(workspace);
  if (!probed.ok) return toPreview(probed.denial);
  const resolved = await standsNow(snapshots, args, parts, context);
  const facts = [
    `in ${placeText(parts)}, for at most ${args.timeout_secs ?? defaultSeconds} s`,
    confinementText(probed.value, resolved),
    ...openedText(workspace, opened),
    ...(probed.value.confined
      ? await keptText(workspace, guardOf(probed.value, resolved), openingOf(resolved, opened))
      : []),
    ...(snapshots ? [await undoText(snapshots, context, holdsGitOf(probed.value, resolved))] : []),
  ];
  return {
    kind: 'ready',
    args,
    preview: [`$ ${args.command}`, ...facts, ...resolved.shown].join('\n'),
    facts,
    ...(resolved.digest === undefined ? {} : {basedOn: resolved.digest}),
    ...(probed.value.confined ? {confinement: probed.value.by} : reachOf(resolved)),
  };
}

async function standsNow(
  snapshots: Snapshots | undefined,
  {command, isLocal}: CommandArgs,
  parts: readonly string[],
  {workspace, run, written = [], changed: changedSoFar, pending}: ToolContext,
): Promise<ResolvedCommand> {
  const baseline = run === undefined ? undefined : await snapshots?.baselines.of(run, workspace);
  const changed = [...written, ...((await changedSoFar?.()) ?? [])];
  const asked = {command, workspace, folder: parts.join('/'), changed, pending, baseline};
  const resolved = await resolveCommand(asked);
  return isLocal ? {...resolved, closesNetwork: true} : resolved;
}

function reachOf({unnamed}: ResolvedCommand): Pick<ReadyPreview, 'confinement' | 'reaches'> {
  return {confinement: 'none', ...(unnamed.length > 0 ? {reaches: unnamed} : {})};
}

type ReadyPreview = Extract<PreviewOutcome, {kind: 'ready'}>;

interface NamedPlaces {
  /** The components of its starting folder. */
  readonly parts: readonly string[];
  readonly opened: readonly string[];
}

function placesOf(workspace: string, args: CommandArgs): Attempt<NamedPlaces> {
  const folder = folderInside(workspace, args.working_dir ?? '.');
  if (!folder.ok) return folder;
  const opened = filesToOpen(workspace, args.credentials);
  return opened.ok ? {ok: true, value: {parts: folder.value, opened: opened.value}} : opened;
}

function placeText(parts: readonly string[]): string {
  return parts.length === 0 ? 'the workspace' : escapeLine(parts.join('/'));
}

function confinementText(probe: Probe, {closesNetwork}: ResolvedCommand): string {
  if (!probe.confined)
    return 'unconfined: it can reach files outside the workspace and the network';
  const hosts = closesNetwork ? '' : probe.network.join(', ');
  return `confined by ${probe.by}, ${hosts === '' ? 'no network' : `network: only ${hosts}`}`;
}

/** Landlock leaves git's data writable to known code. */
function guardOf(
  {by}: Extract<Probe, {confined: true}>,
  {holdsGit, isUnknown}: ResolvedCommand,
): Pick<ResolvedCommand, 'holdsGit'> {
  return {holdsGit: by === 'landlock' ? isUnknown : holdsGit};
}

/** The command can't change git's data. */
function holdsGitOf(probe: Probe, resolved: ResolvedCommand): boolean {
  return probe.confined && guardOf(probe, resolved).holdsGit;
}

async function keptText(
  workspace: string,
  {holdsGit}: Pick<ResolvedCommand, 'holdsGit'>,
  opening: Opening,
): Promise<string[]> {
  const {closed} = await closedIn(workspace, opening);
  return [...(holdsGit ? ["it can't change git's data"] : []), ...closedText(workspace, closed)];
}

function openingOf({leavesTracked}: ResolvedCommand, opened: readonly string[]): Opening {
  return {leavesTracked, opened};
}

async function undoText(
  snapshots: Snapshots,
  {workspace, run}: Pick<ToolContext, 'workspace' | 'run'>,
  isGitHeld: boolean,
): Promise<string> {
  const maxUnkept = 5;
  const gap = await snapshots.gapOf(workspace, run, isGitHeld);
  const unkept = (await snapshots.unkeptIn(workspace, run)).filter(
    ({path}) => !isGitHeld || !isGitData(path),
  );
  const named = unkept
    .slice(0, maxUnkept)
    .map(({path, why}) => `; not kept: ${escapeLine(path)}, which ${escapeLine(why)}`);
  const more = unkept.length > maxUnkept ? `; and ${unkept.length - maxUnkept} more` : '';
  const general =
    gap === undefined
      ? `its changes to files of the workspace can be undone${isGitHeld ? '' : ", also those to git's refs, stash and index"}, except to packages and build output`
      : `its changes can't be undone: ${escapeLine(gap)}`;
  return `${general}${named.join('')}${more}`;
}

function isGitData(path: string): boolean {
  return path.split('/').includes('.git');
}

export async function perform(
  options: RunCommandOptions,
  args: CommandArgs,
  context: ToolContext,
): Promise<ToolOutcome> {
  const {workspace} = context;
  const places = placesOf(workspace, args);
  if (!places.ok) return places.denial;
  const resolved = await standsNow(options.snapshots, args, places.value.parts, context);
  const denial = basisDenial(resolved, args, context);
  if (denial) return denial;
  const admitted = await options.sandbox.admit(workspace);
  if (!admitted.ok) return admitted.denial;
  const isGitHeld = resolved.onlyReads || holdsGitOf(admitted.value, resolved);
  const watch = await options.snapshots?.begin(workspace, context.run, isGitHeld);
  const outcome = await runIn(options, {...places.value, resolved}, args, context);
  const {note, written, changes = []} = await changedBy(watch, context);
  if (!('confinement' in outcome)) return outcome;
  return {
    ...withNote(outcome, note),
    ...checksOf(resolved.commands, args.command, outcome),
    ...(written ? {written} : {}),
    ...(changes.length > 0 ? {changes} : {}),
  };
}

/** Compares the code that the command is about to run with the code that was approved. `isUnvoted`: nobody votes on the call, so that it may only run code that git knows and that the run has not changed. */
function basisDenial(
  {digest, unknownFiles}: Pick<ResolvedCommand, 'digest' | 'unknownFiles'>,
  {isUnvoted}: {readonly isUnvoted?: boolean},
  {run, basedOn}: Pick<ToolContext, 'run' | 'basedOn'>,
): Denial | undefined {
  if (isUnvoted === true && basedOn === undefined)
    return unknownFiles.length > 0 ? unknownCode : undefined;
  return run !== undefined && basedOn !== digest ? changedCode : undefined;
}

const changedCode = refused(
  'changed',
  'the code that the command runs has changed since it was allowed; propose it again',
);

const unknownCode = refused(
  'unknown_code',
  'it would run code that this run has changed, or that git does not know, and nobody votes on it; use a tool of high risk',
);

interface Start extends NamedPlaces {
  readonly resolved: ResolvedCommand;
}

/** Without `confinement` when it has not run. */
async function runIn(
  {sandbox, env, limits = limitsOf(defaultLimits), scopes}: RunCommandOptions,
  {parts, resolved, opened}: Start,
  args: CommandArgs,
  context: ToolContext,
): Promise<Denial | CommandOutcome> {
  const {workspace} = context;
  const {command, timeout_secs: seconds = defaultSeconds} = args;
  const place = {
    workspace,
    folder: join(workspace, ...parts),
    env: allowedEnv(process.env, env),
    holdsGit: resolved.holdsGit,
    closesNetwork: resolved.closesNetwork,
    isUnknown: resolved.isUnknown,
    leavesGuarded: removesUntracked(resolved),
    versions: versionsTaken(resolved),
    ...openingOf(resolved, opened),
  };
  const approved = context.allowedBy === 'person' ? command : undefined;
  const look = await beginPlacesCheck(workspace, approved, resolved);
  const enclosed = await sandbox.enclose(startWords(args, quotaFor(seconds, limits)), place);
  if (!enclosed.ok) return enclosed.denial;
  const program = await inScope(scopes, enclosed.value, {limits, seconds});
  // Held open until the program has started, so that the folder can't be swapped for another in between.
  const folder = hold(workspace, parts);
  if (!folder.ok) {
    await program.release();
    return folder.denial;
  }
  const timeout = AbortSignal.timeout(seconds * 1_000);
  const signal = AbortSignal.any([context.signal, timeout]);
  const end = await runProgram(program, folder.value, {...context, command, signal, look});
  if (end.kind === 'not_started') {
    return failed(end.isShortage ? shortageCode : 'not_started', `the command: ${end.message}`);
  }
  const {confinement, total} = program;
  return {...toOutcome(end, {cancel: context.signal, timeout, seconds, total}), confinement};
}

async function inScope(
  scopes: Scopes | undefined,
  program: Program,
  bounds: ScopeBounds,
): Promise<Program> {
  return scopes ? await scopes.enclose(program, bounds) : program;
}

/** The command has run, even if its changes can't be kept. */
async function changedBy(
  watch: Watch | undefined,
  {onReplace}: ToolContext,
): Promise<Partial<CommandChanges>> {
  try {
    return (await watch?.end(onReplace)) ?? {};
  } catch (error) {
    return {note: `its changes can't be recorded or undone: ${String(error)}`};
  }
}

type ProgramEnd = Ending | Extract<ChildEnd, {kind: 'not_started'}>;

interface RunContext extends ToolContext {
  readonly command: string;
  readonly look: PlacesCheck;
}

/** Closes the folder and releases the program. Reports of reverted changes follow the output. */
async function runProgram(
  program: Program,
  folder: Folder,
  {command, workspace, isTyped, signal, look, onOutput, onChild}: RunContext,
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
  });
  live.end();
  folder.close();
  const released = await program.release();
  if (end.kind === 'not_started') return end;
  const printed = capture.text();
  const {exitCode} = end;
  const closed = closedNote(workspace, program.closed, {command, printed, exitCode, isTyped});
  const narrow = narrowNote(workspace, program.narrow, printed);
  const text = withNotes(printed, [...closed, ...narrow, ...released, ...(await look())]);
  // The processes of a sandbox or a scope end with it.
  if (program.confinement !== 'none' || program.total)
    return {...end, text, escaped: false, outsiders: [], strays: []};
  const strays = straysIn(workspace, end.mark, end.outsiders);
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

// Turns the end of a command into the outcome of its call.

type CommandOutcome = Extract<ToolOutcome, {kind: 'succeeded' | 'failed' | 'cancelled'}>;

interface Ending extends Extract<ChildEnd, {readonly kind: 'ended'}> {
  readonly text: string;
  /** Processes of unknown origin. */
  readonly strays: readonly string[];
}

export interface Terms {
  readonly cancel: AbortSignal;
  readonly timeout: AbortSignal;
  readonly seconds: number;
  /** Absent: nothing limits the processes of the command together. */
  readonly total?: Limits | undefined;
}

function toOutcome(end: Ending, {cancel, timeout, seconds, total}: Terms): CommandOutcome {
  const text = textsOf(end).join('\n');
  if (end.exitCode === 0) return {kind: 'succeeded', text, exitCode: 0};
  if (cancel.aborted) {
    return {kind: 'cancelled', message: 'the command was cancelled and ended', text};
  }
  if (timeout.aborted) {
    const message = `the command ran longer than ${seconds} s and was ended; give it a larger timeout_secs, up to ${maxSeconds}`;
    return {kind: 'failed', code: 'timeout', message, text};
  }
  const limit = limitText(end, total);
  if (end.exitCode === undefined) {
    const message = `the command was ended by the signal ${end.signal ?? 'unknown'}${limit}`;
    return {kind: 'failed', code: 'signal', message, text};
  }
  const message = `the command exited with code ${end.exitCode}${limit}`;
  return {kind: 'failed', code: 'exit_nonzero', message, text, exitCode: end.exitCode};
}

/** A shell reports the signal that ended its command as 128 plus its number. */
function limitText({exitCode = 0, signal}: Ending, total: Limits | undefined): string {
  const texts = {...limitTexts, ...(total ? {SIGKILL: memoryText(total)} : {})};
  const found = Object.entries(texts).find(
    ([name]) => name === signal || numberOf(name) === exitCode - 128,
  );
  const text = found?.[1];
  return text === undefined ? '' : `: ${text}`;
}

function numberOf(signal: string): number | undefined {
  return Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
}

function textsOf({text, escaped, outsiders, strays}: Ending): string[] {
  return [
    text === '' ? '(no output)' : text,
    ...(outsiders.length > 0
      ? [`[${countText(outsiders.length)} it had started elsewhere ended with it]`]
      : []),
    ...(escaped ? ['[a process that it started has left its group and may still run]'] : []),
    ...(strays.length > 0
      ? [`[started meanwhile, perhaps by it, and still running: ${strays.join(', ')}]`]
      : []),
  ];
}

function memoryText({memory}: Limits): string {
  return `perhaps by the kernel, as all its processes together may take ${Math.floor(memory / mebibyte)} MB of memory (commands.max_memory_percent)`;
}

const mebibyte = 1_048_576;

function countText(count: number): string {
  return count === 1 ? 'a process that' : `${count} processes that`;
}

/** The outcome with the command's changes, in one line. */
function withNote(outcome: CommandOutcome, note = ''): CommandOutcome {
  if (note === '') return outcome;
  return {...outcome, text: `${outcome.text ?? ''}\n[files: ${escapeLine(note)}]`};
}
