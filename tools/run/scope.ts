/**
 * A scope of systemd for each command, where the user's systemd makes one: a total for the memory and the number of all its processes,
 * which end with the command.
 */

import {dirname, join} from 'node:path';

import {createMemo} from '../memo.ts';
import {allowedEnv, type Limits} from './quota.ts';
import {isExecutable, type Program} from './sandbox.ts';

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
const remember = createMemo<string>();

export function createScopes(variables: NodeJS.ProcessEnv = process.env): Scopes {
  const file = candidates.find(isExecutable);
  const bus = Object.fromEntries(
    busNames.flatMap((name) => (variables[name] === undefined ? [] : [[name, variables[name]]])),
  );
  const systemctl = file === undefined ? '' : join(dirname(file), 'systemctl');
  const problem: Scopes['problem'] = async (limits) =>
    (await remember(JSON.stringify(bus), async () =>
      file === undefined
        ? 'systemd-run is not installed'
        : await tryOut(file, systemctl, bus, limits),
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
async function tryOut(
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
