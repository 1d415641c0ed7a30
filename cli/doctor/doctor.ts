/** Checks configuration, providers and the machine. Never shows a key. */

import {AppError} from '../../machines/domain/app-error.ts';
import {routerOf} from '../config/in-effect.ts';
import type {ConfigFile, LoadedConfig} from '../config/load.ts';
import {proseRows, wrapWords} from '../render/text.ts';
import type {Environment} from '../terminal.ts';
import {checkTools} from './asking.ts';
import type {Finding} from './finding.ts';
import {checkModels} from './models.ts';
import {
  checkDataFolder,
  checkGit,
  checkJournal,
  checkLimits,
  checkNode,
  checkSandbox,
  checkSqlite,
} from './system.ts';

export interface DoctorOptions {
  /** An AppError when the configuration is invalid; everything else is checked all the same. */
  readonly loaded: LoadedConfig | AppError;
  readonly env: Environment;
  readonly cwd: string;
  /** Also ask vendors, not only the user's own servers. */
  readonly online: boolean;
  /** Time-out of a model's answer; absent: 30 s. */
  readonly waitMs?: number;
}

export interface DoctorReport {
  readonly findings: readonly Finding[];
  /** 0 if a run could start, else 2. */
  readonly exitCode: 0 | 2;
}

/** Never rejects for its findings. */
export async function doctor(options: DoctorOptions): Promise<DoctorReport> {
  const {loaded, env, cwd} = options;
  const sandboxing = loaded instanceof AppError ? {mode: 'auto' as const} : loaded.config.sandbox;
  const [sandbox, limits, git, data, journal, configured] = await Promise.all([
    checkSandbox(sandboxing, cwd),
    checkLimits(loaded instanceof AppError ? undefined : loaded.config.commands),
    checkGit(cwd),
    checkDataFolder(env),
    checkJournal(env),
    checkConfigured(options),
  ]);
  const findings = [checkNode(), checkSqlite(), data, journal, git, sandbox, limits, ...configured];
  return {findings, exitCode: findings.some(({status}) => status === 'failed') ? 2 : 0};
}

async function checkConfigured(options: DoctorOptions): Promise<Finding[]> {
  const {loaded, env, cwd, online, waitMs = 30_000} = options;
  if (loaded instanceof AppError) {
    return [{what: 'configuration', status: 'failed', detail: loaded.message}];
  }
  const router = routerOf(loaded, env);
  const [models, tools] = await Promise.all([
    checkModels({loaded, router, env, online, waitMs}),
    checkTools(loaded.config, cwd),
  ]);
  return [...fileFindings(loaded), ...models, ...tools];
}

function fileFindings({files, warnings}: LoadedConfig): Finding[] {
  const trust =
    files.project.found && !files.project.trusted ? ', not trusted: may only tighten' : '';
  return [
    {what: 'user file', status: 'ok', detail: describe(files.user)},
    {what: 'project file', status: 'ok', detail: describe(files.project) + trust},
    ...warnings.map((detail): Finding => ({what: 'configuration', status: 'warning', detail})),
  ];
}

function describe({found, path}: ConfigFile): string {
  return found ? path : `none (${path})`;
}

const marks = {ok: 'ok     ', warning: 'warning', failed: 'FAILED ', skipped: '-      '};
/** With fewer columns for it, a detail is below its head. */
const leastDetail = 24;

/** The report as escaped lines of at most `width` columns: a mark, the checked part, the finding. */
export function doctorLines(
  {findings, exitCode}: DoctorReport,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const longest = Math.max(...findings.map(({what}) => what.length));
  const end =
    exitCode === 0
      ? 'A run can start. Try: quorate ask "What is this project about?"'
      : 'A run cannot start: see what has FAILED.';
  return [
    ...findings.flatMap((finding) => findingLines(finding, longest, width)),
    '',
    ...wrapWords(end, width),
  ];
}

function findingLines({what, status, detail}: Finding, longest: number, width: number): string[] {
  const head = `${marks[status]}  ${what.padEnd(longest)}  `;
  const isBelow = width - head.length < leastDetail;
  const indent = ' '.repeat(isBelow ? marks.ok.length + 2 : head.length);
  const [first = '', ...rest] = proseRows(detail, width, indent);
  return isBelow ? [head.trimEnd(), first, ...rest] : [head + first.slice(indent.length), ...rest];
}
