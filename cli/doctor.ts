/** What is configured, reachable and missing. Never shows a key. */

import {AppError} from '../machines/domain/app-error.ts';
import {routerOf} from './config/in-effect.ts';
import type {ConfigFile, LoadedConfig} from './config/load.ts';
import {checkTools} from './doctor/asking.ts';
import type {Finding} from './doctor/finding.ts';
import {checkModels} from './doctor/models.ts';
import {
  checkDataFolder,
  checkGit,
  checkJournal,
  checkLimits,
  checkNode,
  checkSandbox,
  checkSqlite,
} from './doctor/system.ts';
import {proseRows, widthOfText} from './lines/text.ts';
import type {Environment} from './terminal.ts';

export interface DoctorOptions {
  /** The error of a configuration that can't be had: what else there is is looked at all the same. */
  readonly loaded: LoadedConfig | AppError;
  readonly env: Environment;
  readonly cwd: string;
  /** Ask vendors, too, not only servers of the user's own. */
  readonly online: boolean;
  /** How long a model has to answer; absent: 30 s. */
  readonly waitMs?: number;
}

export interface DoctorReport {
  readonly findings: readonly Finding[];
  /** 0 if a run could start, else 2. */
  readonly exitCode: 0 | 2;
}

/** Never rejects for what it finds. */
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

/** Columns; a detail that does not fit, with less room than this, stands below what was looked at. */
const leastDetail = 40;

/** Of a mark and the gap behind it. */
const markWidth = 9;

/** The report as lines of at most `columns`: a mark, what was looked at, what was found. */
export function doctorLines(
  {findings, exitCode}: DoctorReport,
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const width = Math.max(...findings.map(({what}) => what.length));
  const marks = {ok: 'ok     ', warning: 'warning', failed: 'FAILED ', skipped: '-      '};
  return [
    ...findings.flatMap(({what, status, detail}) => {
      const start = `${marks[status]}  ${what.padEnd(width)}  `;
      const room = columns - start.length;
      if (room < leastDetail && widthOfText(detail) > room) {
        return [start.trimEnd(), ...proseRows(detail, columns, ' '.repeat(markWidth))];
      }
      const indent = ' '.repeat(start.length);
      return proseRows(detail, columns, indent).map((row, index) =>
        index === 0 ? start + row.slice(indent.length) : row,
      );
    }),
    '',
    exitCode === 0
      ? 'A run can start. Try: quorate ask "What is this project about?"'
      : 'A run cannot start: see what has FAILED.',
  ];
}
