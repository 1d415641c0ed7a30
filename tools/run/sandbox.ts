/**
 * Where commands run: inside bubblewrap where it works, else as they are.
 *
 * Inside: the whole file system read-only, the workspace writable but for what is protected there, a private /tmp, no
 * network, no new privileges, a process namespace that ends with the command. Folders that hold credentials are empty.
 */

import {accessSync, constants, existsSync, lstatSync, readdirSync, type Stats} from 'node:fs';
import {join} from 'node:path';

import {
  credentialFolders,
  mayHoldProtected,
  protectedKind,
  workedIn,
} from '../../machines/domain/places.ts';
import {type Attempt, refused} from '../containment/denial.ts';

export type SandboxMode = 'auto' | 'required' | 'off';

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether the command can reach the network and other folders. */
  readonly confined: boolean;
}

export interface Enclosure {
  /** Absolute, links resolved. */
  readonly workspace: string;
  /** Where the program starts: absolute, inside the workspace. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Sandbox {
  readonly mode: SandboxMode;
  /** How to start `argv`. Refused `sandbox_missing` when the sandbox is required and does not work here. */
  readonly enclose: (argv: readonly string[], enclosure: Enclosure) => Promise<Attempt<Program>>;
}

export interface SandboxOptions {
  readonly mode: SandboxMode;
  /** Where bubblewrap may be: never a folder that a workspace could have put into PATH. */
  readonly candidates?: readonly string[];
}

const usualPlaces = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/wrappers/bin/bwrap',
];

const probeMs = 5_000;

/** Whether bubblewrap is installed where it may be. Whether it works shows at the first command. */
export function hasBubblewrap(): boolean {
  return usualPlaces.some((path) => existsSync(path));
}

export function createSandbox({mode, candidates = usualPlaces}: SandboxOptions): Sandbox {
  let bwrap: Promise<string | undefined> | undefined;
  return {
    mode,
    enclose: async (argv, enclosure) => {
      bwrap ??= mode === 'off' ? Promise.resolve(undefined) : findWorking(candidates, enclosure);
      const file = await bwrap;
      if (file !== undefined) {
        const args = [...confine(enclosure), '--', ...argv];
        return {ok: true, value: {file, args, confined: true}};
      }
      if (mode === 'required') return {ok: false, denial: missing};
      const [plain = '', ...args] = argv;
      return {ok: true, value: {file: plain, args, confined: false}};
    },
  };
}

const missing = refused(
  'sandbox_missing',
  'commands must run in a sandbox ([sandbox] mode = "required"), but bubblewrap (bwrap) is missing or does not work ' +
    'here; install it, or set the mode to "auto"',
);

/** The first bubblewrap that runs a command with the very arguments that commands are run with. */
async function findWorking(
  candidates: readonly string[],
  enclosure: Enclosure,
): Promise<string | undefined> {
  const found = candidates.find(isExecutable);
  if (found === undefined) return undefined;
  const args = [...confine(enclosure), '--', '/bin/sh', '-c', 'true'];
  const {execa} = await import('execa');
  const {failed} = await execa(found, args, {
    env: {},
    extendEnv: false,
    stdio: 'ignore',
    timeout: probeMs,
    killSignal: 'SIGKILL',
    killDescendants: true,
    reject: false,
  });
  return failed ? undefined : found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const namespaces =
  '--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL --clearenv';

/** The last of them is where NixOS keeps its programs. */
const mounts =
  '--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --ro-bind-try /run/current-system /run/current-system';

function confine({workspace, folder, env}: Enclosure): string[] {
  const hidden = credentialFolders.map((name) => join(env['HOME'] ?? '/', name));
  const guarded = protectedIn(workspace);
  const variables = Object.entries({...env, TMPDIR: '/tmp', npm_config_cache: '/tmp/.npm'});
  return [
    ...namespaces.split(' '),
    ...mounts.split(' '),
    ...hidden.flatMap((path) => (isFolder(path) ? ['--tmpfs', path] : [])),
    '--bind',
    workspace,
    workspace,
    ...guarded.flatMap((path) => ['--ro-bind', path, path]),
    '--chdir',
    folder,
    ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
  ];
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

/** What is there, and no link, of what git, editors and Quorate obey later: it stays read-only. */
function protectedIn(workspace: string): string[] {
  const found = namesIn(workspace).flatMap((name): readonly string[] => {
    if (Object.hasOwn(workedIn, name))
      return (workedIn[name] ?? []).map((part) => join(name, part));
    return mayHoldProtected.includes(name)
      ? namesIn(join(workspace, name)).map((part) => join(name, part))
      : [name];
  });
  return found
    .filter((path) => protectedKind(path) !== undefined)
    .map((path) => join(workspace, path))
    .filter((path) => statsOf(path)?.isSymbolicLink() === false);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined when there is nothing, or a file where a folder of the path should be: `.git` is one in a git worktree. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
