/**
 * Where commands run: confined where something confines them, else as they are, and it is said which.
 *
 * Whether something does is not read off the machine but tried: a program runs in it that tells where it is.
 */

import {accessSync, constants, readlinkSync} from 'node:fs';

import {type Attempt, refused} from '../containment/denial.ts';
import {createMemo} from '../memo.ts';
import {allowedEnv} from './environment.ts';
import {createBubblewrap} from './sandbox/bubblewrap.ts';
import type {Confiner, Enclosure} from './sandbox/confiner.ts';
import {type Destination, parseDestination} from './sandbox/network-rules.ts';

export type {Enclosure} from './sandbox/confiner.ts';

export type SandboxMode = 'auto' | 'required' | 'off';

export type Probe =
  | {readonly confined: true; readonly by: Confiner['by']}
  /** `why`: a clause without an end, for people. */
  | {readonly confined: false; readonly why: string};

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the command can reach the network and other folders. */
  readonly confined: boolean;
  /**
   * To be called once, when the program is gone or will not be started. Resolves with what is to be told of it: what was put
   * back, a line each. Never rejects.
   */
  readonly release: () => Promise<readonly string[]>;
}

export interface Sandbox {
  readonly mode: SandboxMode;
  /** Whether commands in the workspace (absolute, links resolved) are confined. Tried once. Never rejects. */
  readonly probe: (workspace: string) => Promise<Probe>;
  /** The same, but refused `sandbox_missing` where a sandbox is required and there is none. */
  readonly admit: (workspace: string) => Promise<Attempt<Probe>>;
  /** How to start `argv`, with what has to be made for it. Refused as `admit` refuses. */
  readonly enclose: (argv: readonly string[], enclosure: Enclosure) => Promise<Attempt<Program>>;
}

export interface SandboxOptions {
  readonly mode: SandboxMode;
  /** Where bubblewrap may be: never a folder that a workspace could have put into PATH. */
  readonly candidates?: readonly string[];
  /** Hosts that confined commands may reach: `example.com:443`. Absent or empty: none. */
  readonly network?: readonly string[];
}

const usualPlaces = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/wrappers/bin/bwrap',
];

/** Throws for a host that is none. */
export function createSandbox({
  mode,
  candidates = usualPlaces,
  network = [],
}: SandboxOptions): Sandbox {
  const found = candidates.find(isExecutable);
  const confiner =
    found === undefined ? undefined : createBubblewrap(found, network.map(destinationOf));
  const remember = createMemo<Probe>();
  const probe: Sandbox['probe'] = async (workspace) => {
    if (mode === 'off')
      return {confined: false, why: 'it is switched off ([sandbox] mode = "off")'};
    if (confiner === undefined)
      return {confined: false, why: 'bubblewrap (bwrap) is not installed'};
    return await remember(workspace, async () => await tryOut(confiner, workspace));
  };
  const admit: Sandbox['admit'] = async (workspace) => {
    const value = await probe(workspace);
    return value.confined || mode !== 'required' ? {ok: true, value} : missing(value.why);
  };
  return {
    mode,
    probe,
    admit,
    enclose: async (argv, enclosure) => {
      const probed = await admit(enclosure.workspace);
      if (!probed.ok) return probed;
      if (confiner === undefined || !probed.value.confined) {
        return {ok: true, value: unconfined(argv, enclosure)};
      }
      return {ok: true, value: {...(await confiner.confine(argv, enclosure)), confined: true}};
    },
  };
}

function destinationOf(text: string): Destination {
  const destination = parseDestination(text);
  if (!destination) throw new Error(`not HOST:PORT: ${text}`);
  return destination;
}

function unconfined([file = '', ...args]: readonly string[], {env}: Enclosure): Program {
  return {file, args, env, confined: false, release: async () => await Promise.resolve([])};
}

function missing(why: string): Attempt<never> {
  const denial = refused(
    'sandbox_missing',
    `commands must run in a sandbox ([sandbox] mode = "required"), and there is none here: ${why}; ` +
      'install bubblewrap (quorate doctor says how), or set the mode to "auto"',
  );
  return {ok: false, denial};
}

const probeMs = 5_000;

/** Tells in which mount namespace it runs, and whether it may write in the workspace. */
const telling = 'readlink /proc/self/ns/mnt; test -w . && echo writable';

/** Runs a program with the arguments that commands are run with, but for what has to be made for them. */
async function tryOut(confiner: Confiner, workspace: string): Promise<Probe> {
  const problem = confiner.problemWith(workspace);
  if (problem !== undefined) return {confined: false, why: problem};
  const env = allowedEnv(process.env);
  const enclosure = {workspace, folder: workspace, env, isTrial: true} as const;
  const program = await confiner.confine(['/bin/sh', '-c', telling], enclosure);
  const {execa} = await import('execa');
  const {failed, stdout, stderr} = await execa(program.file, program.args, {
    env: program.env,
    extendEnv: false,
    stdin: 'ignore',
    timeout: probeMs,
    killSignal: 'SIGKILL',
    killDescendants: true,
    reject: false,
  });
  await program.release();
  const [namespace = '', writable] = stdout.split('\n');
  if (!namespace.startsWith('mnt:') || namespace === ownNamespace()) {
    return {confined: false, why: `${confiner.by} does not work here${reasonIn(stderr)}`};
  }
  if (failed || (writable === undefined && canWrite(workspace))) {
    return {
      confined: false,
      why: `in ${confiner.by} the workspace can't be written: it belongs to another user`,
    };
  }
  return {confined: true, by: confiner.by};
}

function reasonIn(errors: string): string {
  const [line = ''] = errors.trim().split('\n');
  return line === '' ? '' : ` (${line.slice(0, 200)})`;
}

function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/mnt');
  } catch {
    return '';
  }
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
