/**
 * Confinement by sandbox-exec, on macOS. Written from its documentation and tested as text: it has not been tried on a Mac yet.
 *
 * It denies by path, so a missing place needs no placeholder; a temporary folder is the command's home.
 */

import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {join} from 'node:path';

import type {Guarded} from '../../containment/guarded.ts';
import {temporaryFolder} from '../../temporary-folder.ts';
import {type Confiner, problemWith} from './confiner.ts';
import {gitIdentity, gitSettings, withGitSettings} from './repository.ts';
import {watchPlaces} from './revert.ts';
import {toolchainsOf, guardWorkspace} from './workspace.ts';

export interface ProfileOptions {
  /** Absolute, links resolved, like all paths here. */
  readonly workspace: string;
  /** The command's own home, writable. */
  readonly home: string;
  /** Readable. */
  readonly shown: readonly string[];
  readonly places: readonly Guarded[];
}

const readable = [
  '/Library/Developer',
  '/System',
  '/bin',
  '/dev',
  '/opt',
  '/private/etc/hosts',
  '/private/etc/passwd',
  '/private/etc/ssl',
  '/private/var/db/timezone',
  '/private/var/select',
  '/sbin',
  '/usr',
];

const writable = ['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty', '/dev/zero'];

/** In the language of seatbelt profiles, in which the last matching rule applies. */
export function seatbeltProfile({workspace, home, shown, places}: ProfileOptions): string {
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    '(allow process-exec)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    '(allow file-read* (literal "/"))',
    ...[...readable, ...shown].map((path) => `(allow file-read* (subpath ${profileString(path)}))`),
    ...writable.map((path) => `(allow file-write* (literal ${profileString(path)}))`),
    ...[workspace, home].map(
      (path) => `(allow file-read* file-write* (subpath ${profileString(path)}))`,
    ),
    ...[{path: workspace, as: 'pinned'} as const, ...places].map(ruleFor),
  ].join('\n');
}

function ruleFor({path, as}: Guarded): string {
  if (as === 'pinned') return `(deny file-write-unlink (literal ${profileString(path)}))`;
  const denied = as === 'shut' ? 'file-write*' : 'file-read* file-write*';
  return `(deny ${denied} (subpath ${profileString(path)}))`;
}

function profileString(path: string): string {
  return `"${path.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`;
}

export function createSeatbelt(file: string): Confiner {
  return {
    by: 'seatbelt',
    problemWith,
    trialScript:
      'ls /Users >/dev/null 2>&1 && echo open || echo closed; test -w . && echo writable',
    isProof: (output) => output.startsWith('closed'),
    confine: async (argv, enclosure) => {
      const {workspace, folder, env, isTrial = false} = enclosure;
      const [guard, identity, home] = await Promise.all([
        guardWorkspace(enclosure),
        isTrial ? '' : gitIdentity(env),
        mkdtemp(join(await realpath(temporaryFolder()), 'quorate-home-')),
      ]);
      const revert = watchPlaces(enclosure, guard.links, []);
      const shown = toolchainsOf({env, home: env['HOME'], workspace});
      const profile = seatbeltProfile({workspace, home, shown, places: guard.places});
      const settings = `cd "$0" && ${withGitSettings}`;
      const {places} = guard;
      const given = gitSettings(identity, {
        ignored: [],
        versions: enclosure.versions,
        places,
        root: workspace,
      });
      const inner = ['/bin/sh', '-c', settings, folder, ...given, ...argv];
      return {
        file,
        args: ['-p', profile, ...inner],
        env: {...env, HOME: home, TMPDIR: home},
        closed: guard.closed,
        release: async () => {
          await rm(home, {recursive: true, force: true});
          return revert();
        },
      };
    },
  };
}
