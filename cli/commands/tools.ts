/** `quorate tools`: every tool of this folder, and its MCP servers with their state. */

import {resolve} from 'node:path';

import type {AppError} from '../../machines/domain/app-error.ts';
import type {Command, Parsed} from '../line/command.ts';
import {localError, meant, usageError} from '../line/usage-error.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {type Terminal, widthOf, write} from '../terminal.ts';
import type {SurveyedServer, ToolSurvey} from '../tools/survey.ts';

export const tools: Command = {
  operands: {
    usage: '[SERVER]',
    what: {en: 'the name of an MCP server', ja: 'MCP サーバーの名前'},
    least: 0,
    most: 1,
  },
  summary: {
    en: 'list every tool with its effects, and the MCP servers with their state',
    ja: 'すべての道具とその影響、MCP サーバーとその状態を一覧する',
  },
  detail: {
    en: `Lists the tools that a run in this folder is offered: built in, of quorate.toml, and of MCP servers, with their risk and their
effects. Servers are those of the user's configuration ([mcp.NAME]) and, in a trusted folder, of .mcp.json. With the name of
a server, shows the texts of its tools.

The tools of a server are pinned as a set when it is first started. If a tool is added, removed or changed later, none of them is
offered until you have read them and trust them again with --trust. Nothing is started without --start or --trust: what a run would
be offered is known from the pins.`,
    ja: `このフォルダの実行で使える道具を、危険度と影響とともに一覧します。組み込みの道具、quorate.toml の道具、MCP サーバーの道具です。
サーバーは、利用者の設定（[mcp.NAME]）と、信頼したフォルダの .mcp.json のものです。サーバーの名前を添えると、その道具の説明を
表示します。

サーバーの道具は、最初の起動のときに一組として記録します。後で道具が増えたり、減ったり、変わったりすると、読んで --trust で
信頼し直すまで、どの道具も使いません。--start と --trust がなければ何も起動しません。使える道具は記録から分かります。`,
  },
  options: [
    {
      name: 'start',
      text: {
        en: 'start all servers, and compare their tools with the pins',
        ja: 'すべてのサーバーを起動し、道具を記録と比べる',
      },
    },
    {
      name: 'trust',
      takes: 'SERVER',
      text: {
        en: 'start this server, and trust it with its tools as they are now',
        ja: 'このサーバーを起動し、今の道具とともに信頼する',
      },
    },
  ],
  obeys: ['output'],
  examples: ['quorate tools', 'quorate tools --start', 'quorate tools --output json'],
  run: async (parsed, terminal) => {
    const {flags, cwd = '.', overrides, operands} = parsed;
    const {loadConfig} = await import('../config/load.ts');
    const {surveyTools} = await import('../tools/survey.ts');
    const folder = resolve(cwd);
    const {env} = terminal;
    const loaded = await loadConfig({cwd: folder, env, overrides});
    const trust = flags['trust']?.at(-1);
    const starts = flags['start'] !== undefined;
    const survey = await surveyTools({loaded, folder, env, starts, trust});
    const [server] = [trust, ...operands].flatMap((name) => name ?? []).map(inSurvey(survey));
    if (server && trust !== undefined) requireTrusted(server);
    await print(survey, {server, isTrusting: trust !== undefined}, parsed, terminal);
    return 0;
  },
};

/** Throws AppError `usage` for a server that does not exist. */
function inSurvey({servers}: ToolSurvey): (name: string) => SurveyedServer {
  return (name) => {
    const server = servers.find((each) => each.name === name);
    if (server) return server;
    const names = servers.map((each) => each.name);
    const hint = meant(name, names);
    const shown = oneLine(name, 100);
    throw usageError({
      en: `there is no MCP server "${shown}"${hint.en}`,
      ja: `"${shown}" という MCP サーバーはありません${hint.ja}`,
    });
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
  return localError('config', {
    en: `nothing was trusted: the server ${name} could not be started: ${why}`,
    ja: `何も信頼しませんでした。サーバー ${name} を起動できません: ${why}`,
  });
}

async function print(
  survey: ToolSurvey,
  {server, isTrusting}: {readonly server: SurveyedServer | undefined; readonly isTrusting: boolean},
  {output}: Parsed,
  terminal: Terminal,
): Promise<void> {
  const {stdout} = terminal;
  if (output !== 'text') {
    await write(stdout, `${safeJson(survey, output === 'json' ? 2 : undefined)}\n`);
    return;
  }
  const {styleFor} = await import('../render/style.ts');
  const {serverDetailLines, toolsLines} = await import('../render/tools/tools-tables.ts');
  const {toolTexts} = await import('../render/tools/tool-texts.ts');
  const view = {
    style: styleFor(stdout, terminal),
    ...(stdout.isTTY ? {width: widthOf(stdout)} : {}),
  };
  const own = survey.tools.filter((tool) => server !== undefined && tool.server === server.name);
  const changes = (survey.trusted ?? []).join(', ');
  const lines = server ? serverDetailLines(server, own, view) : toolsLines(survey, view);
  const head =
    server && isTrusting
      ? [oneLine(toolTexts(terminal).trusted(server.name, changes), 2_000), '']
      : [];
  await write(stdout, `${[...head, ...lines].join('\n')}\n`);
}
