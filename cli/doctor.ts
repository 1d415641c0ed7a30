/** What is configured, reachable and missing. Never shows a key. */

import {toProviders} from '../actors/config/providers.ts';
import {resolveConfig, type ResolvedConfig} from '../actors/config/resolve.ts';
import {resolveProviders} from '../actors/model/providers.ts';
import type {Router} from '../actors/model/router-api.ts';
import {AppError} from '../machines/domain/app-error.ts';
import type {ConfigFile, LoadedConfig} from './config/load.ts';
import {checkTools} from './doctor/asking.ts';
import type {Finding} from './doctor/finding.ts';
import {checkProvider} from './doctor/provider.ts';
import {checkDataFolder, checkGit, checkNode, checkSandbox, checkSqlite} from './doctor/system.ts';
import type {Environment} from './terminal.ts';

export interface DoctorOptions {
  readonly loaded: LoadedConfig;
  readonly router: Router;
  readonly env: Environment;
  readonly cwd: string;
  /** Ask Anthropic and OpenAI, too, not only servers of the user's own. */
  readonly online: boolean;
}

export interface DoctorReport {
  readonly findings: readonly Finding[];
  /** 0 if a run could start, else 2. */
  readonly exitCode: 0 | 2;
}

/** Never rejects for what it finds. A server gets two seconds to answer. */
export async function doctor(options: DoctorOptions): Promise<DoctorReport> {
  const {loaded, env, cwd} = options;
  const resolved = tryResolve(options);
  const models = 'findings' in resolved ? [] : resolved.models;
  const [providers, sandbox, git, data, tools] = await Promise.all([
    checkProviders(options, models),
    checkSandbox(loaded.config.sandbox.mode, cwd, env),
    checkGit(cwd),
    checkDataFolder(env),
    checkTools(loaded.config, cwd),
  ]);
  const findings = [
    checkNode(),
    checkSqlite(),
    data,
    git,
    sandbox,
    ...fileFindings(loaded),
    ...('findings' in resolved ? resolved.findings : modelFindings(resolved)),
    ...askFindings(options),
    ...tools,
    ...providers,
  ];
  return {findings, exitCode: findings.some(({status}) => status === 'failed') ? 2 : 0};
}

function tryResolve({loaded, router}: DoctorOptions): ResolvedConfig | {findings: Finding[]} {
  try {
    return resolveConfig(loaded.config, {router, named: loaded.named});
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {findings: [{what: 'configuration', status: 'failed', detail: error.message}]};
  }
}

/** The model of questions, which a run of another form does without. */
function askFindings({loaded, router}: DoctorOptions): Finding[] {
  try {
    const {settings} = resolveConfig(loaded.config, {router, named: loaded.named}, 'ask');
    return [{what: 'ask model', status: 'ok', detail: settings.ask.model}];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{what: 'ask model', status: 'failed', detail: error.message}];
  }
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

function modelFindings({settings, warnings}: ResolvedConfig): Finding[] {
  const seats = settings.panel.map(({id, veto}) => (veto ? `${id} (veto)` : id));
  return [
    {what: 'decision model', status: 'ok', detail: settings.agent.decisionModel},
    {what: 'exploration model', status: 'ok', detail: settings.agent.explorationModel},
    {what: 'panel', status: 'ok', detail: `${seats.join(', ')}; rule ${settings.quorum.rule}`},
    ...warnings.map((detail): Finding => ({what: 'models', status: 'warning', detail})),
  ];
}

async function checkProviders(
  {loaded, env, online}: DoctorOptions,
  models: readonly string[],
): Promise<Finding[]> {
  const providers = [...resolveProviders(toProviders(loaded.config)).values()];
  return Promise.all(
    providers.map((provider) => {
      const used = models.filter((model) => model.startsWith(`${provider.name}/`));
      const key = env[provider.apiKeyEnv]?.trim() ?? '';
      return checkProvider(provider, {key, online, used});
    }),
  );
}

/** The report as lines of text: a mark, what was looked at, what was found. */
export function doctorLines({findings, exitCode}: DoctorReport): string[] {
  const width = Math.max(...findings.map(({what}) => what.length));
  const marks = {ok: 'ok     ', warning: 'warning', failed: 'FAILED '};
  return [
    ...findings.map(
      ({what, status, detail}) => `${marks[status]}  ${what.padEnd(width)}  ${detail}`,
    ),
    '',
    exitCode === 0 ? 'A run can start.' : 'A run cannot start: see what has FAILED.',
  ];
}
