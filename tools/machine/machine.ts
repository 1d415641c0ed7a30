/** Facts of the machine and of the repository, for models that work in a folder. */

import {existsSync, readFileSync} from 'node:fs';
import os from 'node:os';
import {dirname, join} from 'node:path';

import {lineWithin} from '../../machines/prompts/section-text.ts';
import type {Machine} from '../../machines/prompts/sections.ts';
import {openable} from '../containment/own-state.ts';
import {createMemo} from '../memo.ts';
import {allowedEnv} from '../run/quota.ts';
import type {Probe} from '../run/sandbox.ts';
import {outputOf, runGit, withoutFilters} from './git.ts';

/** A fact that takes longer is left out. */
const timeoutMs = 2_000;
const maxBytes = 1_048_576;
const maxStatusLines = 20;
const maxSubjects = 5;
/** In UTF-16 units. */
const maxLine = 100;

/** The program whose version matters, by the manifests of its language. */
const runtimes: readonly (readonly [program: string, flag: string, ...manifests: string[]])[] = [
  ['node', '--version', 'package.json'],
  ['deno', '--version', 'deno.json', 'deno.jsonc'],
  ['python3', '--version', 'pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt'],
  ['go', 'version', 'go.mod'],
  ['cargo', '--version', 'Cargo.toml'],
  ['java', '-version', 'pom.xml', 'build.gradle', 'build.gradle.kts'],
  ['ruby', '--version', 'Gemfile'],
  ['php', '--version', 'composer.json'],
  ['elixir', '--version', 'mix.exs'],
];

export interface MachineOptions {
  /** Where commands run. Absent: none are run. */
  readonly commands?: Probe | undefined;
  readonly signal: AbortSignal;
}

/** Never rejects; a fact that can't be found is left out. */
export async function machineFacts(
  workspace: string,
  {commands, signal}: MachineOptions,
): Promise<Machine> {
  const programs = runtimes.filter(([, , ...manifests]) =>
    manifests.some((name) => existsSync(join(workspace, name))),
  );
  const [git, ...versions] = await Promise.all([
    gitFacts(workspace, signal),
    ...programs.map(async ([program, flag]) => await versionOf(program, flag)),
  ]);
  const known = versions.filter((version) => version !== '');
  calendar ??= new Intl.DateTimeFormat('sv');
  const {timeZone} = calendar.resolvedOptions();
  return {
    facts: [
      `System: ${systemName()}`,
      `Date: ${calendar.format(Date.now())} (${timeZone})`,
      `Folder: ${workspace}`,
      ...(known.length === 0 ? [] : [`Versions: ${known.join(', ')}`]),
      ...(commands ? [`Commands: run by sh, ${placeText(commands)}`] : []),
    ],
    ...git,
  };
}

/** Made once: that takes longer than all other facts together. */
let calendar: Intl.DateTimeFormat | undefined;

function systemName(): string {
  const kernel = `${os.type()} ${os.release()} ${os.arch()}`;
  const name = /^PRETTY_NAME="?([^"\n]*)/m.exec(readOsRelease())?.[1];
  return name === undefined ? kernel : `${kernel}, ${name}`;
}

function readOsRelease(): string {
  try {
    return readFileSync(openable('/etc/os-release'), 'utf8');
  } catch {
    return '';
  }
}

function placeText(probe: Probe): string {
  if (!probe.confined) return 'not confined: they reach the network';
  const hosts =
    probe.network.length === 0 ? 'without network' : `network: ${probe.network.join(', ')}`;
  return `confined (${probe.by}), ${hosts}`;
}

async function gitFacts(workspace: string, signal: AbortSignal): Promise<Pick<Machine, 'git'>> {
  if (!isInRepository(workspace)) return {};
  const call = {env: allowedEnv(process.env), isAlone: true, maxBytes, timeoutMs, signal};
  const filters = await withoutFilters(workspace, call);
  if (!filters) return {};
  const own = {...call, env: {...call.env, ...filters}};
  const [status, log] = await Promise.all([
    runGit(['status', '--short', '--branch', '--ignore-submodules=all', '--', '.'], workspace, own),
    runGit(['log', `-${maxSubjects}`, '--format=%s'], workspace, own),
  ]);
  if (!status.ok) return {};
  return {git: {status: firstLines(status.text), subjects: log.ok ? firstLines(log.text) : ''}};
}

/** Git is slow to start: most runs outside of a repository would spend more on it than on their own work. */
function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, '.git')) || (parent !== folder && isInRepository(parent));
}

function firstLines(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const rest = lines.length - maxStatusLines;
  const shown = lines.slice(0, maxStatusLines).map((line) => lineWithin(line, maxLine));
  return [...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join('\n');
}

const versions = createMemo<string>();

/** `node 24.1.0`; empty if the program is not installed. It runs outside of the workspace, which could select another version. */
async function versionOf(program: string, flag: string): Promise<string> {
  return await versions(program, async () => {
    const env = {...allowedEnv(process.env), GOTOOLCHAIN: 'local'};
    const options = {cwd: '/', env, timeout: timeoutMs};
    const {failure, stdout, stderr} = await outputOf(program, [flag], options);
    const version = /\d+\.\d+[\w.+-]*/.exec(`${stdout}\n${stderr}`)?.[0];
    return failure || version === undefined ? '' : `${program} ${version}`;
  });
}
