/** Checks configuration, providers and the machine. Never shows a key. */

import {resolve} from 'node:path';

import type {Config} from '../../actors/config/schema.ts';
import {toolboxFor, toolingOf} from '../../actors/performers/tooling.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import {createSandbox} from '../../tools/run/sandbox.ts';
import {routerOf} from '../config/in-effect.ts';
import type {ConfigFile, LoadedConfig} from '../config/load.ts';
import {type Reader, say} from '../language.ts';
import {padTo, proseRows, widthOfText, wrapWords} from '../render/text.ts';
import type {Environment} from '../terminal.ts';
import {checkModels} from './models.ts';
import {
  checkDataFolder,
  checkGit,
  checkJournal,
  checkLimits,
  checkNode,
  checkProxy,
  checkRuns,
  checkSandbox,
  checkSqlite,
  checkTemporaryFolder,
} from './system.ts';

const marks = {ok: t`ok`, warning: t`warning`, failed: t`FAILED`, skipped: t`-`};

export interface DoctorOptions extends Reader {
  /** An AppError when the configuration is invalid; everything else is checked all the same. */
  readonly loaded: LoadedConfig | AppError;
  readonly env: Environment;
  readonly cwd: string;
  /** Also ask vendors, not only the user's own servers. */
  readonly online: boolean;
  /** Also list the open runs that this version can't resume. */
  readonly withRuns?: boolean;
  /** Time-out of a model's answer; absent: 30 s. */
  readonly waitMs?: number;
}

export interface DoctorReport {
  readonly findings: readonly Finding[];
  /** 0 if a run could start, else 2. */
  readonly exitCode: 0 | 2;
}

/** The findings are in the language of the options. Never rejects for its findings. */
export async function doctor(options: DoctorOptions): Promise<DoctorReport> {
  const {loaded, env, cwd, withRuns = false} = options;
  const sandboxing = loaded instanceof AppError ? {mode: 'auto' as const} : loaded.config.sandbox;
  const [sandbox, limits, git, data, journal, configured] = await Promise.all([
    checkSandbox(sandboxing, cwd, options),
    checkLimits(loaded instanceof AppError ? undefined : loaded.config.commands, options),
    checkGit(cwd, options),
    checkDataFolder(env, options),
    checkJournal(env, options),
    checkConfigured(options),
  ]);
  const system = [checkNode(process.versions.node, options), checkSqlite(options)];
  const proxy = checkProxy(options) ?? [];
  const temporary = checkTemporaryFolder(options);
  const runs = withRuns && journal.status === 'ok' ? await checkRuns(env, options) : [];
  const findings = [
    system,
    data,
    temporary,
    journal,
    git,
    sandbox,
    limits,
    proxy,
    configured,
    runs,
  ].flat();
  return {findings, exitCode: findings.some(({status}) => status === 'failed') ? 2 : 0};
}

async function checkConfigured(options: DoctorOptions): Promise<Finding[]> {
  const {loaded, env, cwd, waitMs = 30_000} = options;
  if (loaded instanceof AppError) {
    return [{what: say(t`configuration`, options), status: 'failed', detail: loaded.message}];
  }
  const router = routerOf(loaded, env);
  const [models, tools] = await Promise.all([
    checkModels({...options, loaded, router, waitMs}),
    checkTools(loaded.config, cwd, options),
  ]);
  return [...fileFindings(loaded, options), ...models, ...tools];
}

function fileFindings({files, warnings}: LoadedConfig, reader: Reader): Finding[] {
  return [
    {what: say(t`user file`, reader), status: 'ok', detail: describe(files.user, reader)},
    {what: say(t`project file`, reader), status: 'ok', detail: describe(files.project, reader)},
    ...warnings.map((warning): Finding => {
      return {what: say(t`configuration`, reader), status: 'warning', detail: say(warning, reader)};
    }),
  ];
}

function describe({found, path, trusted}: ConfigFile, reader: Reader): string {
  if (!found) return say(t`none (${path})`, reader);
  return trusted ? path : say(t`${path}, not trusted: may only tighten`, reader);
}

/** With fewer columns for it, a detail is below its head. */
const leastDetail = 24;

/** The report as escaped lines of at most `width` columns: a mark, the checked part, the finding. */
export function doctorLines(
  {findings, exitCode}: DoctorReport,
  width = Number.POSITIVE_INFINITY,
  reader: Reader = {},
): string[] {
  const columns = {
    mark: widest(Object.values(marks).map((mark) => say(mark, reader))),
    what: widest(findings.map(({what}) => what)),
  };
  const rows = findings.flatMap(({what, status, detail}) => {
    const mark = `${padTo(say(marks[status], reader), columns.mark)}  `;
    return findingLines([mark, padTo(what, columns.what)], detail, width);
  });
  return [
    ...rows,
    '',
    ...wrapWords(
      exitCode === 0
        ? say(t`A run can start. Try: quorate ask "What is this project about?"`, reader)
        : say(t`A run cannot start: see what has FAILED.`, reader),
      width,
    ),
  ];
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(widthOfText));
}

function findingLines(
  [mark, what]: readonly [mark: string, what: string],
  detail: string,
  width: number,
): string[] {
  const head = `${mark}${what}  `;
  const isBelow = width - widthOfText(head) < leastDetail;
  const indent = ' '.repeat(widthOfText(isBelow ? mark : head));
  const [first = '', ...rest] = proseRows(detail, width, indent);
  return isBelow ? [head.trimEnd(), first, ...rest] : [head + first.slice(indent.length), ...rest];
}

// Checks the data sources of tools: documents, a database, the web.

/** A database that can't be opened keeps every run from starting: it is a tool of all of them. */
async function checkTools(config: Config, cwd: string, reader: Reader): Promise<Finding[]> {
  const {search, database, web} = config;
  const findings: Finding[] = [
    {
      what: say(t`documents`, reader),
      status: 'ok',
      detail: say(t`quorate ask searches ${search.paths.join(', ')}`, reader),
    },
    ...(web.enabled
      ? [{what: say(t`web`, reader), status: 'ok', detail: webText(web, reader)} as const]
      : []),
    ...(database.path === ''
      ? []
      : [{what: say(t`database`, reader), status: 'ok', detail: database.path} as const]),
  ];
  try {
    const tooling = toolingOf(config, resolve(cwd, config.agent.working_dir));
    await toolboxFor(tooling, {sandbox: createSandbox(config.sandbox), extra: []}).ready();
    return findings;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{what: say(t`tools`, reader), status: 'failed', detail: error.message}];
  }
}

function webText({allow_private: isPrivate}: Config['web'], reader: Reader): string {
  return isPrivate
    ? say(t`web_fetch, private addresses too`, reader)
    : say(t`web_fetch, public addresses only`, reader);
}

// One line of the doctor's report.

/** `failed` keeps a run from starting; `warning` only limits it; `skipped` was not checked. */
export interface Finding {
  readonly what: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly detail: string;
}
