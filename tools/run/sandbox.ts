/**
 * Chooses where commands run: confined if a confiner works, otherwise unconfined; the preview says which.
 *
 * The check is a trial, not a look at the machine: a program runs in the confiner and reports where it is.
 */

import {accessSync, constants} from 'node:fs';
import {dirname, join} from 'node:path';

import type {Confinement} from '../../machines/domain/tool.ts';
import {type Attempt, refused} from '../containment/denial.ts';
import {createMemo} from '../memo.ts';
import {allowedEnv, type Limits} from './quota.ts';
import type {Confiner, Enclosure, Narrow} from './sandbox/confiner.ts';
import {type Destination, parseDestination} from './sandbox/destination.ts';

export type {Enclosure} from './sandbox/confiner.ts';

export type SandboxMode = 'auto' | 'required' | 'off';

export type Probe =
  | {
      readonly confined: true;
      readonly by: Confiner['by'];
      /** Hosts that commands may reach in spite of the confinement. */
      readonly network: readonly string[];
    }
  /** `why`: a clause without an end, for people. */
  | {readonly confined: false; readonly why: string};

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly confinement: Confinement;
  /** Absolute paths of files and folders of the workspace that may hold credentials and that it can't read. */
  readonly closed: readonly string[];
  /** Absent: nothing is narrow. */
  readonly narrow?: Narrow;
  /** The limits of all its processes together, which end when it is released. Absent: it is in no scope. */
  readonly total?: Limits;
  /**
   * Call it once, when the program has ended or will not be started. Resolves with the report of reverted changes,
   * one line each. Never rejects.
   */
  readonly release: () => Promise<readonly string[]>;
}

export interface Sandbox {
  readonly mode: SandboxMode;
  /**
   * Commands in the workspace (absolute, links resolved) are confined, or the reason why not. Tried until the trial has an answer.
   * Rejects with AppError `io` without a temporary folder.
   */
  readonly probe: (workspace: string) => Promise<Probe>;
  /** The same, but refused `sandbox_missing` if a sandbox is required and none works. */
  readonly admit: (workspace: string) => Promise<Attempt<Probe>>;
  /** The way to start `argv`, with everything made that it needs. Refused as by `admit`. */
  readonly enclose: (argv: readonly string[], enclosure: Enclosure) => Promise<Attempt<Program>>;
}

export interface SandboxOptions {
  readonly mode: SandboxMode;
  /** The ways to confine that may be used. Absent: all. */
  readonly grades?: readonly Confiner['by'][];
  /** Hosts that commands in bubblewrap may reach: `example.com:443`. Absent or empty: none. */
  readonly network?: readonly string[];
  /** Where the confining program may be: never a folder that a workspace could have put into PATH. */
  readonly candidates?: readonly string[];
  readonly platform?: NodeJS.Platform;
  /** The time for a trial. Absent: 15 s, as a busy machine takes seconds to start a confined process. */
  readonly trialMs?: number;
}

const usualPlaces = {
  bwrap: ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/wrappers/bin/bwrap'],
  'sandbox-exec': ['/usr/bin/sandbox-exec'],
};

const notInstalled = {
  bwrap: 'bubblewrap (bwrap) is not installed',
  'sandbox-exec': 'sandbox-exec is missing',
};

interface Trial {
  readonly probe: Probe;
  /** Absent: no confiner works. */
  readonly confiner?: Confiner;
}

/** By options and workspace: a process with many sandboxes tries each kind once. */
const remember = createMemo<Trial>();

/** Throws for a text that is not a host. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const {mode} = options;
  const choices = choicesFor(options);
  const trial = async (workspace: string): Promise<Trial> => {
    if (mode === 'off')
      return {probe: {confined: false, why: 'it is switched off ([sandbox] mode = "off")'}};
    const key = JSON.stringify([options, workspace]);
    try {
      return await remember(key, async () => await firstThatWorks(choices, workspace, options));
    } catch (error) {
      if (error instanceof NoAnswer) return {probe: {confined: false, why: error.message}};
      throw error;
    }
  };
  const probe: Sandbox['probe'] = async (workspace) => (await trial(workspace)).probe;
  const admit: Sandbox['admit'] = async (workspace) => {
    const value = await probe(workspace);
    return value.confined || mode !== 'required' ? {ok: true, value} : missing(value.why);
  };
  return {
    mode,
    probe,
    admit,
    enclose: async (argv, enclosure) => {
      const admitted = await admit(enclosure.workspace);
      if (!admitted.ok) return admitted;
      const {confiner} = await trial(enclosure.workspace);
      if (!confiner) return {ok: true, value: unconfined(argv, enclosure)};
      const confined = await confiner.confine(argv, enclosure);
      return {ok: true, value: {...confined, confinement: confiner.by}};
    },
  };
}

/** A way to confine, loaded when there is a command; or the reason why there is none. */
type Choice = (() => Promise<Confiner | string>) | string;

/** In the order in which they are tried. */
function choicesFor(options: SandboxOptions): readonly Choice[] {
  const {grades, platform = process.platform} = options;
  if (platform === 'darwin') return [programChoice('sandbox-exec', options)];
  return [
    ...(grades?.includes('bubblewrap') === false ? [] : [programChoice('bwrap', options)]),
    ...(grades?.includes('landlock') === false ? [] : [landlockChoice]),
  ];
}

async function landlockChoice(): Promise<Confiner | string> {
  const {loadLandlock} = await import('./sandbox/landlock.ts');
  return (await loadLandlock()) ?? 'the package koffi, which Landlock needs, is not installed';
}

function programChoice(program: keyof typeof usualPlaces, options: SandboxOptions): Choice {
  const file = (options.candidates ?? usualPlaces[program]).find(isExecutable);
  if (file === undefined) return notInstalled[program];
  if (program === 'sandbox-exec') {
    return async () => (await import('./sandbox/seatbelt.ts')).createSeatbelt(file);
  }
  const rules = (options.network ?? []).map(destinationOf);
  return async () => (await import('./sandbox/bubblewrap.ts')).createBubblewrap(file, rules);
}

/** Throws {@link NoAnswer}. `reasons`: why others do not work. */
async function firstThatWorks(
  [choice, ...others]: readonly Choice[],
  workspace: string,
  options: SandboxOptions,
  reasons: readonly string[] = [],
): Promise<Trial> {
  if (choice === undefined)
    return {probe: {confined: false, why: [...new Set(reasons)].join('; ')}};
  const confiner = typeof choice === 'string' ? choice : await choice();
  const goOn = async (why: string) =>
    await firstThatWorks(others, workspace, options, [...reasons, why]);
  if (typeof confiner === 'string') return await goOn(confiner);
  const probe = await tryOut(confiner, workspace, options);
  return probe.confined ? {probe, confiner} : await goOn(probe.why);
}

function destinationOf(text: string): Destination {
  const destination = parseDestination(text);
  if (!destination) throw new Error(`not HOST:PORT: ${text}`);
  return destination;
}

function unconfined([file = '', ...args]: readonly string[], {env}: Enclosure): Program {
  return {file, args, env, confinement: 'none', closed: [], release: nothingToRelease};
}

async function nothingToRelease(): Promise<readonly string[]> {
  return await Promise.resolve([]);
}

function missing(why: string): Attempt<never> {
  const denial = refused(
    'sandbox_missing',
    `commands must run in a sandbox ([sandbox] mode = "required"), and there is none here: ${why}; ` +
      'install bubblewrap (quorate doctor says how), or set the mode to "auto"',
  );
  return {ok: false, denial};
}

/** The trial was cut off, so it says nothing about later ones. */
class NoAnswer extends Error {}

/** Runs a program with the arguments of commands, but without making anything in the workspace. Throws {@link NoAnswer}. */
async function tryOut(
  confiner: Confiner,
  workspace: string,
  {network = [], trialMs = 15_000}: SandboxOptions,
): Promise<Probe> {
  const problem = confiner.problemWith(workspace);
  if (problem !== undefined) return {confined: false, why: problem};
  const env = allowedEnv(process.env);
  const enclosure = {workspace, folder: workspace, env, isTrial: true} as const;
  const program = await confiner.confine(['/bin/sh', '-c', confiner.trialScript], enclosure);
  const {execa} = await import('execa');
  const {failed, exitCode, stdout, stderr} = await execa(program.file, program.args, {
    env: program.env,
    extendEnv: false,
    stdin: 'ignore',
    timeout: trialMs,
    killSignal: 'SIGKILL',
    killDescendants: true,
    reject: false,
  });
  await program.release();
  const {by} = confiner;
  if (exitCode === undefined) throw new NoAnswer(`${by} gave no answer`);
  if (!confiner.isProof(stdout)) {
    return {confined: false, why: `${by} does not work here${reasonIn(stderr)}`};
  }
  if (failed || (!stdout.endsWith('writable') && canWrite(workspace))) {
    return {confined: false, why: `in ${by} the workspace can't be written: it is another user's`};
  }
  return {confined: true, by, network: by === 'bubblewrap' ? network : []};
}

function reasonIn(errors: string): string {
  const [line = ''] = errors.trim().split('\n');
  return line === '' ? '' : ` (${line.slice(0, 200)})`;
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// A scope of systemd for each command, where the user's systemd makes one: a total for the memory and the number of all its processes,
// which end with the command.

export interface ScopeBounds {
  readonly limits: Limits;
  /** The time limit of the command. Should this process be killed meanwhile, systemd ends the scope soon after it. */
  readonly seconds: number;
}

export interface Scopes {
  /**
   * The program in a scope of its own. Unchanged where none can be made: then only the limits of its processes apply. Never rejects.
   */
  readonly enclose: (program: Program, bounds: ScopeBounds) => Promise<Program>;
  /** Undefined when scopes can be made, tried with a process; otherwise the reason, a clause. Never rejects. */
  readonly problem: (limits: Limits) => Promise<string | undefined>;
}

/** Never a folder that a workspace could have put into PATH. */
const candidates = [
  '/usr/bin/systemd-run',
  '/bin/systemd-run',
  '/run/current-system/sw/bin/systemd-run',
];

/** Variables by which systemd's programs find the user's systemd, and one that they add: a command gets none of them. */
const busNames = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
const without = [...busNames, 'INVOCATION_ID'].flatMap((name) => ['-u', name]);
const unset = ['/usr/bin/env', ...without];

const busyMs = 10_000;
const laterSeconds = 10;

/** By these variables: a process with many runtimes tries once. */
const rememberScopes = createMemo<string>();

export function createScopes(variables: NodeJS.ProcessEnv = process.env): Scopes {
  const file = candidates.find(isExecutable);
  const bus = Object.fromEntries(
    busNames.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])),
  );
  const systemctl = file === undefined ? '' : join(dirname(file), 'systemctl');
  const problem: Scopes['problem'] = async (limits) =>
    (await rememberScopes(JSON.stringify(bus), async () =>
      file === undefined
        ? 'systemd-run is not installed'
        : await tryScope(file, systemctl, bus, limits),
    )) || undefined;
  return {
    problem,
    enclose: async (program, {limits, seconds}) => {
      if (file === undefined || (await problem(limits)) !== undefined) return program;
      const unit = newUnit();
      return {
        ...program,
        file,
        args: [...argsFor(unit, {limits, seconds}), ...unset, program.file, ...program.args],
        env: {...program.env, ...bus},
        total: limits,
        release: async () => {
          // The processes of a sandbox have ended with it.
          if (program.confinement === 'none')
            await run(systemctl, ['--user', 'kill', '--signal=KILL', unit], bus);
          return await program.release();
        },
      };
    },
  };
}

function newUnit(): string {
  return `quorate-${crypto.randomUUID()}.scope`;
}

function argsFor(unit: string, {limits, seconds}: ScopeBounds): readonly string[] {
  const bounds = {
    MemoryMax: limits.memory,
    MemorySwapMax: 0,
    TasksMax: limits.processes,
    RuntimeMaxSec: seconds + laterSeconds,
  };
  return [
    ...`--user --scope --quiet --collect --unit=${unit}`.split(' '),
    ...Object.entries(bounds).flatMap(([name, value]) => ['-p', `${name}=${value}`]),
    '--',
  ];
}

/** Empty when the kernel counts the memory and the processes of a scope; otherwise the reason. */
async function tryScope(
  file: string,
  systemctl: string,
  bus: Readonly<Record<string, string>>,
  limits: Limits,
): Promise<string> {
  const unit = newUnit();
  const count = [systemctl, '--user', 'show', '--property=MemoryCurrent,TasksCurrent', unit];
  const args = [...argsFor(unit, {limits, seconds: 60}), ...count];
  const {stdout, stderr} = await run(file, args, bus);
  if (/^MemoryCurrent=\d+$/m.test(stdout) && /^TasksCurrent=\d+$/m.test(stdout)) return '';
  const [line = ''] = stderr.trim().split('\n');
  const why = line === '' ? 'it delegates no memory or processes' : line.slice(0, 200);
  return `systemd-run --user --scope does not work here (${why})`;
}

async function run(
  file: string,
  args: readonly string[],
  bus: Readonly<Record<string, string>>,
): Promise<{readonly stdout: string; readonly stderr: string}> {
  const {execa} = await import('execa');
  const {stdout, stderr} = await execa(file, args, {
    env: {...allowedEnv(process.env), ...bus},
    extendEnv: false,
    stdin: 'ignore',
    timeout: busyMs,
    killSignal: 'SIGKILL',
    reject: false,
  });
  return {stdout: stdout ?? '', stderr: stderr ?? ''};
}
