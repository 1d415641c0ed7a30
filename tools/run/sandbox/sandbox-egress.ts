/** The egress of a sandbox without a network: the mounts, variables and program through which it reaches the named hosts. */

import {fileURLToPath} from 'node:url';

import type {Destination} from './destination.ts';

/** Beside this module in the sources; in the package, at a path of its own, as the build merges modules into a few. */
const inSources = new URL('./forward-process.ts', import.meta.url);
const inPackage = new URL('../tools/run/sandbox/forward-process.js', import.meta.url);
const program = fileURLToPath(import.meta.url.endsWith('.ts') ? inSources : inPackage);

export interface SandboxEgress {
  /** Arguments of bubblewrap. */
  readonly mounts: readonly string[];
  /** The words that precede the command. */
  readonly before: readonly string[];
  /** The variables by which programs find the proxy. */
  readonly env: Readonly<Record<string, string>>;
  /** Never rejects. */
  readonly close: () => Promise<void>;
}

const none: SandboxEgress = {
  mounts: [],
  before: [],
  env: {},
  close: async () => await Promise.resolve(),
};

/** Nothing else listens in the sandbox. */
const port = 3128;
const folder = '/run/quorate';

/** Rejects with the operating system's error when no socket can listen here. */
export async function openSandboxEgress(rules: readonly Destination[]): Promise<SandboxEgress> {
  if (rules.length === 0) return none;
  const {startProxy} = await import('./proxy.ts');
  const {socket, close} = await startProxy(rules);
  const forward = `${folder}/forward-process${program.slice(program.lastIndexOf('.'))}`;
  const node = `${folder}/node`;
  return {
    mounts: [
      ['--ro-bind', process.execPath, node],
      ['--ro-bind', program, forward],
      ['--bind', socket, `${folder}/proxy.sock`],
    ].flat(),
    before: [node, '--no-warnings', forward, `${folder}/proxy.sock`, `${port}`],
    env: proxied(rules),
    close,
  };
}

/** Servers inside the sandbox are reached without the proxy, unless the same name is allowed outside. */
function proxied(rules: readonly Destination[]): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  const here = ['localhost', '127.0.0.1', '::1']
    .filter((name) => rules.every(({host}) => host !== name))
    .join(',');
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: here,
    NODE_USE_ENV_PROXY: '1',
    http_proxy: url,
    https_proxy: url,
    no_proxy: here,
  };
}
