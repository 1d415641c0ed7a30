/**
 * Confinement by a container runtime: each command runs in a container of its own, made from the user's image. It sees the image
 * instead of this machine's programs.
 */

import {randomBytes} from 'node:crypto';

import {type Guarded, statsOf} from '../../containment/guarded.ts';
import {defaultLimits, limitsOf} from '../quota.ts';
import {type Confiner, ownFiles, problemWith} from './confiner.ts';
import {gitIdentity, gitSettings, withGitSettings} from './git-identity.ts';
import {reservePaths, unremovable} from './reserved-paths.ts';
import {watchPlaces, nothingToRevert} from './revert.ts';
import {guardWorkspace} from './workspace.ts';

export type Engine = 'docker' | 'podman';

export interface ContainerOptions {
  readonly engine: Engine;
  /** Absolute path of the engine's program. */
  readonly file: string;
  readonly image: string;
}

const closed =
  '--network none --read-only --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp:size=1g,mode=1777';

const home = '/tmp/home';

/** In the container, the image's own PATH applies. */
const notPassed: ReadonlySet<string> = new Set(['HOME', 'PATH', 'TMPDIR']);

/** Variables by which the engine's program finds the engine. */
const engineNames = ['DOCKER_HOST', 'DOCKER_CONTEXT', 'CONTAINER_HOST', 'XDG_RUNTIME_DIR'];

/** The time limit for the engine to remove a container that it has not removed by itself. */
const removalMs = 10_000;

export function createContainer({engine, file, image}: ContainerOptions): Confiner {
  return {
    by: 'container',
    problemWith,
    ...ownFiles,
    confine: async (argv, enclosure) => {
      const {workspace, folder, env, limits, isTrial = false} = enclosure;
      const [guard, identity] = await Promise.all([
        guardWorkspace(enclosure),
        isTrial ? '' : gitIdentity(env),
      ]);
      const places = isTrial ? guard.places.filter((one) => !one.held) : guard.places;
      const held = reservePaths(places, workspace);
      const revert = isTrial ? nothingToRevert : watchPlaces(workspace, guard.links, held.paths);
      const name = `quorate-${randomBytes(8).toString('hex')}`;
      const passed = {...env, ...engineEnv(process.env)};
      return {
        file,
        args: [
          ...`run --rm --init --name ${name} ${closed}`.split(' '),
          ...boundsOf(limits),
          ...userOf(engine),
          ...mountsOf([{path: workspace, as: 'pinned'}, ...held.places]),
          '--workdir',
          folder,
          '--env',
          `HOME=${home}`,
          ...Object.keys(env).flatMap((one) => (notPassed.has(one) ? [] : ['--env', one])),
          image,
          '/bin/sh',
          '-c',
          withGitSettings,
          'sh',
          ...gitSettings(identity, {
            ignored: unremovable(guard, held, enclosure),
            versions: enclosure.versions,
            places: guard.places,
            root: workspace,
          }),
          ...argv,
        ],
        env: passed,
        closed: guard.closed,
        release: async () => {
          await remove(file, name, passed);
          held.release();
          return revert();
        },
      };
    },
  };
}

function boundsOf({memory, processes} = limitsOf(defaultLimits)): string[] {
  return ['--pids-limit', `${processes}`, '--memory', `${memory}b`];
}

/** Files that commands write belong to the user, as they would without a container. */
function userOf(engine: Engine): string[] {
  if (engine === 'podman') return ['--userns', 'keep-id'];
  return ['--user', `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`];
}

/** Sorted by path: a folder comes before the places in it. */
function mountsOf(places: readonly Guarded[]): string[] {
  return places
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(({path, as}) => {
      if (as === 'pinned') return ['--mount', bind(path, path)];
      if (as === 'shut') return ['--mount', `${bind(path, path)},readonly`];
      return statsOf(path)?.isDirectory() === true
        ? ['--mount', `type=tmpfs,${field('target', path)}`]
        : ['--mount', `${bind('/dev/null', path)},readonly`];
    });
}

function bind(source: string, target: string): string {
  return `type=bind,${field('source', source)},${field('target', target)}`;
}

/** A value in a comma-separated list. */
function field(name: string, value: string): string {
  const text = `${name}=${value}`;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function engineEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    engineNames.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}

/** A killed client leaves its container running. */
async function remove(file: string, name: string, env: Record<string, string>): Promise<void> {
  const {execa} = await import('execa');
  await execa(file, ['rm', '--force', name], {
    env,
    extendEnv: false,
    stdio: 'ignore',
    timeout: removalMs,
    reject: false,
  });
}
