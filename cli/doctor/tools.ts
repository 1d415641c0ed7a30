/** `quorate doctor tools`: every tool of this folder, and its MCP servers with their state. */

import {resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import type {Parsed} from '../line/command.ts';
import {meant, usageError} from '../line/usage-error.ts';
import {jsonText, oneLine} from '../render/text.ts';
import {type Terminal, widthOf, write} from '../terminal.ts';
import type {SurveyedServer, ToolSurvey} from '../tools/survey.ts';

/** Resolves with the exit code. Rejects with AppError `usage` for an unknown server, and with `config`. */
export async function reportTools(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {
    flags,
    cwd = '.',
    overrides,
    operands: [, ...named],
  } = parsed;
  const {loadConfig} = await import('../config/load.ts');
  const {surveyTools} = await import('../tools/survey.ts');
  const folder = resolve(cwd);
  const {env} = terminal;
  const loaded = await loadConfig({cwd: folder, env, overrides});
  const trust = flags['trust']?.at(-1);
  const starts = flags['start'] !== undefined;
  const survey = await surveyTools({loaded, folder, env, starts, trust});
  const [server] = [trust, ...named].flatMap((name) => name ?? []).map(inSurvey(survey));
  if (server && trust !== undefined) requireTrusted(server);
  await print(survey, {server, isTrusting: trust !== undefined}, parsed, terminal);
  return 0;
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

async function print(
  survey: ToolSurvey,
  {server, isTrusting}: {readonly server: SurveyedServer | undefined; readonly isTrusting: boolean},
  {output}: Parsed,
  terminal: Terminal,
): Promise<void> {
  const {stdout} = terminal;
  if (output !== 'text') {
    await write(stdout, `${jsonText(survey, output)}\n`);
    return;
  }
  const {styleFor} = await import('../render/style.ts');
  const {serverDetailLines, toolsLines} = await import('../render/tables/tools.ts');
  const view = {
    style: styleFor(stdout, terminal),
    ...(stdout.isTTY ? {width: widthOf(stdout)} : {}),
  };
  const own = survey.tools.filter((tool) => server !== undefined && tool.server === server.name);
  const changes = (survey.trusted ?? []).join(', ');
  const lines = server ? serverDetailLines(server, own, view) : toolsLines(survey, view);
  const head =
    server && isTrusting
      ? [
          oneLine(
            say(
              t`${server.name} is trusted with its tools as they are now${changes === '' ? '' : `: ${changes}`}`,
              terminal,
            ),
            2_000,
          ),
          '',
        ]
      : [];
  await write(stdout, `${[...head, ...lines].join('\n')}\n`);
}
