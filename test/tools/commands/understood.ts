/** Analyses commands in a real workspace with a real repository, and summarizes the result. */

import {execFileSync} from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {onTestFinished} from 'vitest';

import {understand} from '../../../tools/commands/reader.ts';
import {createSurroundings} from '../../../tools/commands/surroundings.ts';
import type {Effect, Understanding} from '../../../tools/commands/understanding.ts';
import {buildsVariable} from '../../support/builds.ts';

export interface Ground {
  /** Absolute, links resolved. */
  readonly workspace: string;
  readonly put: (path: string, content?: string) => void;
  readonly link: (path: string, target: string) => void;
  readonly git: (...args: readonly string[]) => void;
  readonly understand: (command: string, where?: Where) => Promise<Understanding>;
  /** `reads a.txt clean, ? frob: no known program`. */
  readonly summary: (command: string, where?: Where) => Promise<string>;
}

export interface Where {
  readonly folder?: string;
  readonly written?: readonly string[];
}

/**
 * `src/a.ts` is committed, `src/b.ts` changed since, `new.txt` unknown to git, `dist/x.js` ignored.
 *
 * @param atEnd Called to remove it: at the end of a test, or of a file whose tests only look at it.
 */
export function createGround(atEnd: (remove: () => void) => void = onTestFinished): Ground {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-understand-')));
  atEnd(() => rmSync(workspace, {recursive: true, force: true}));
  committed ??= commit();
  cpSync(committed, workspace, {recursive: true, preserveTimestamps: true});
  const put = (path: string, content?: string) => putIn(workspace, path, content);
  put('src/b.ts', 'changed\n');
  put('new.txt');
  const surroundings = createSurroundings(workspace);
  const ground: Ground = {
    workspace,
    put,
    git: (...args) => gitIn(workspace, args),
    link: (path, target) => symlinkSync(target, join(workspace, path)),
    understand: async (command, {folder = '', written = []} = {}) =>
      understand(command, {surroundings, folder, written}),
    summary: async (command, where) => understandingText(await ground.understand(command, where)),
  };
  return ground;
}

/** The initial repository of every test: created once, and copied. */
let committed: string | undefined;

function commit(): string {
  const workspace = mkdtempSync(join(process.env[buildsVariable] ?? tmpdir(), 'ground-'));
  for (const path of ['src/a.ts', 'src/b.ts', 'dist/x.js']) putIn(workspace, path);
  putIn(workspace, '.gitignore', 'dist\n*.log\n');
  for (const args of [
    ['init', '-q', '--template='],
    ['add', '-A'],
    ['commit', '-qm', 'start'],
    ['repack', '-adq'],
  ])
    gitIn(workspace, args);
  return workspace;
}

function putIn(workspace: string, path: string, content = `${path}\n`): void {
  mkdirSync(dirname(join(workspace, path)), {recursive: true});
  writeFileSync(join(workspace, path), content);
}

function gitIn(workspace: string, args: readonly string[]): void {
  execFileSync('git', ['-C', workspace, ...args], {env: gitEnv(workspace), stdio: 'ignore'});
}

function gitEnv(workspace: string): Record<string, string> {
  const who = {NAME: 'a', EMAIL: 'a@example.com', DATE: '2026-01-01T00:00:00Z'};
  const both = Object.entries(who).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  return {
    ...Object.fromEntries(both),
    PATH: process.env['PATH'] ?? '',
    HOME: workspace,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CEILING_DIRECTORIES: dirname(workspace),
  };
}

/** Commands that the rules approve in every grade: known readers of places inside. */
export function onlyReads({effects, unknown}: Understanding): boolean {
  return (
    unknown.length === 0 &&
    effects.every(({kind, place}) => (kind === 'reads' || kind === 'lists') && place?.inside)
  );
}

export function understandingText({effects, unknown}: Understanding): string {
  const missed = unknown.map(({word, why}) => `? ${word}: ${why}`);
  return [...effects.map(effectText), ...missed].join(', ');
}

function effectText({kind, target, place, wide}: Effect): string {
  const state = place ? ` ${place.inside ? place.state : 'outside'}` : '';
  return `${kind} ${target === '' ? '.' : target}${state}${wide ? ' wide' : ''}`;
}
