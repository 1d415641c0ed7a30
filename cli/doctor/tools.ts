/** `quorate doctor tools`: every tool of this folder, and its MCP servers with their state. */

import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import type {LoadedConfig} from '../config/load.ts';
import {type Reader, say} from '../language.ts';
import {meant, usageError} from '../line/usage-error.ts';
import type {Report} from '../render/report.ts';
import {oneLine} from '../render/text.ts';
import type {Terminal} from '../terminal.ts';
import type {SurveyedServer, ToolSurvey} from '../tools/survey.ts';

interface ToolsWanted {
  readonly loaded: LoadedConfig;
  /** Absolute. */
  readonly folder: string;
  /** The server whose texts are shown. */
  readonly named: string | undefined;
  /** `trust`: the server to trust. */
  readonly options: {readonly start: boolean; readonly trust: string | undefined};
  readonly terminal: Terminal;
}

/** Rejects with AppError `usage` for an unknown server, and with `config`. */
export async function toolsReport({
  loaded,
  folder,
  named,
  options: {start: starts, trust},
  terminal,
}: ToolsWanted): Promise<Report> {
  const {surveyTools} = await import('../tools/survey.ts');
  const {serverDetailLines, toolsLines} = await import('../render/tables/tools.ts');
  const survey = await surveyTools({loaded, folder, env: terminal.env, starts, trust});
  const [server] = [trust, named].flatMap((name) => name ?? []).map(inSurvey(survey));
  if (server && trust !== undefined) requireTrusted(server);
  const own = survey.tools.filter((tool) => server !== undefined && tool.server === server.name);
  const head = server && trust !== undefined ? [trustedLine(server, survey, terminal), ''] : [];
  return {
    data: survey,
    lines: (view) => [
      ...head,
      ...(server ? serverDetailLines(server, own, view) : toolsLines(survey, view)),
    ],
  };
}

function trustedLine({name}: SurveyedServer, {trusted = []}: ToolSurvey, reader: Reader): string {
  const changes = trusted.join(', ');
  const text = t`${name} is trusted with its tools as they are now${changes === '' ? '' : `: ${changes}`}`;
  return oneLine(say(text, reader), 2_000);
}

/** Throws AppError `usage` for a server that does not exist. */
function inSurvey({servers}: ToolSurvey): (name: string) => SurveyedServer {
  return (name) => {
    const server = servers.find((each) => each.name === name);
    if (server) return server;
    const names = servers.map((each) => each.name);
    const hint = meant(name, names);
    const shown = oneLine(name, 100);
    throw usageError(t`there is no MCP server "${shown}"${hint}`);
  };
}

function requireTrusted({name, state, detail}: SurveyedServer): void {
  if (state === 'offered') return;
  throw notTrusted(
    oneLine(name, 100),
    state === 'untrustedFolder' ? 'its folder is not trusted; quorate config --trust' : detail,
  );
}

function notTrusted(name: string, why: string): AppError {
  return new AppError(
    'config',
    t`nothing was trusted: the server ${name} could not be started: ${why}`,
  );
}
