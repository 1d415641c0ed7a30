/** `quorate trust`: shows what this folder wants to load, and trusts exactly that. */

import {resolve} from 'node:path';

import type {AppError} from '../../machines/domain/app-error.ts';
import {commandText} from '../../machines/domain/program/program.ts';
import type {FolderContent} from '../config/folder-trust.ts';
import type {Command, Parsed} from '../line/command.ts';
import {localError, usageError} from '../line/usage-error.ts';
import {oneLine, safeJson} from '../render/text.ts';
import type {TrustView} from '../render/trust/trust.ts';
import {isInteractive, type Output, type Terminal, write} from '../terminal.ts';

export const trust: Command = {
  summary: {
    en: 'show what this folder wants to load (loosening settings, tools, MCP servers), and trust it',
    ja: 'このフォルダが読み込みたいもの（緩める設定、道具、MCP サーバー）を表示し、信頼する',
  },
  detail: {
    en: `quorate.toml and .mcp.json come with somebody's code. Until you trust them, quorate.toml may only tighten settings; its other
settings and its tools are ignored, and no MCP server of the folder is started.

quorate trust shows the settings that loosen something, the tools and the servers with their commands, and the SHA-256 of both
files, and asks. The trust holds for this folder with exactly these files: one changed byte, an added or a removed file ends it.
Nothing is started. Without a terminal, --hash HASH trusts the folder if its files have this SHA-256, with all 64 digits.

Exit 0: trusted, or shown by --show. 1: the answer is no. 2: there is nothing to trust, another hash, or no terminal to ask.`,
    ja: `quorate.toml と .mcp.json は他人のコードと一緒に届きます。信頼するまで、quorate.toml で有効なのは厳しくする設定だけです。
ほかの設定と道具は無視し、フォルダの MCP サーバーは起動しません。

quorate trust は、緩める設定、コマンドを含む道具とサーバー、両方のファイルの SHA-256 を表示して尋ねます。信頼は、このフォルダの
今のファイルだけに有効です。1 バイトの変更や、ファイルの追加と削除で終わります。何も起動しません。端末がないときは、
--hash HASH で、ファイルの SHA-256（64 桁すべて）が一致する場合だけ信頼します。

終了コード 0: 信頼した、または --show で表示した。1: 答えが「いいえ」。2: 信頼するものがない、ハッシュが違う、尋ねる端末がない。`,
  },
  options: [
    {name: 'show', text: {en: 'only show', ja: '表示だけする'}},
    {
      name: 'hash',
      takes: 'HASH',
      text: {
        en: 'trust without a question if the files have this SHA-256',
        ja: 'ファイルの SHA-256 が一致すれば、尋ねずに信頼する',
      },
    },
  ],
  obeys: ['output'],
  examples: ['quorate trust --show', 'quorate -C project trust --show --output json'],
  run: async (parsed, terminal) => await trustFolder(parsed, terminal),
};

/** Resolves with the exit code. Rejects with AppError `usage`, `not_found`, `config` or `io`. */
export async function trustFolder(parsed: Parsed, terminal: Terminal): Promise<number> {
  const {flags, cwd = '.'} = parsed;
  const hash = wantedHash(parsed);
  const {readFolder, requireContent} = await import('../config/folder-trust.ts');
  const content = await readFolder(resolve(cwd));
  requireContent(content);
  const view = await viewOf(content, terminal);
  if (flags['show']) return await show(view, terminal.stdout, parsed, terminal);
  if (hash !== undefined && hash !== content.hash) throw otherHash(content, hash);
  if (hash !== undefined || view.trusted) return await accept(content, view, parsed, terminal);
  if (!isInteractive(terminal)) return await refuse(view, parsed, terminal);
  await show(view, terminal.stderr, {output: 'text'}, terminal);
  const {trustTexts} = await import('../render/trust/trust-texts.ts');
  const {confirm} = await import('../terminal/confirm.ts');
  const texts = trustTexts(terminal);
  if (await confirm(texts.question, terminal)) {
    return await accept(content, view, parsed, terminal);
  }
  await write(terminal.stderr, `${texts.declined}\n`);
  return 1;
}

function wantedHash({flags}: Parsed): string | undefined {
  const hash = flags['hash']?.at(-1)?.toLowerCase();
  if (hash === undefined) return undefined;
  if (flags['show']) throw eitherOr;
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  throw usageError({
    en: `--hash takes all 64 hexadecimal digits of a SHA-256, not "${oneLine(hash, 80)}"; quorate trust --show prints them`,
    ja: `--hash の値は SHA-256 の 16 進 64 桁すべてです（"${oneLine(hash, 80)}" は使えません）。quorate trust --show で表示されます`,
  });
}

const eitherOr = usageError({
  en: '--show only shows: leave out --show or --hash',
  ja: '--show は表示だけです。--show か --hash のどちらかを除いてください',
});

function otherHash({folder, hash}: FolderContent, wanted: string): AppError {
  const [place, given] = [oneLine(folder, 1000), oneLine(wanted)];
  return localError('config', {
    en: `the files of ${place} have the SHA-256 ${hash}, not ${given}: nothing was trusted; see what it wants: quorate trust --show`,
    ja: `${place} のファイルの SHA-256 は ${hash} で、${given} ではありません。何も信頼しませんでした。内容を確かめるには: quorate trust --show`,
  });
}

async function viewOf(content: FolderContent, {env}: Terminal): Promise<TrustView> {
  const {loadConfig} = await import('../config/load.ts');
  const {isTrusted} = await import('../config/folder-trust.ts');
  const {serversIn} = await import('../config/mcp-servers.ts');
  const {folder, hash, mcp} = content;
  const {wanted} = await loadConfig({cwd: folder, env, content});
  const trusted = await isTrusted(content, env);
  return {folder, hash, trusted, wanted, ...(mcp ? {servers: serversIn(mcp.text)} : {})};
}

async function show(
  view: TrustView,
  output: Output,
  {output: format}: Pick<Parsed, 'output'>,
  terminal: Terminal,
): Promise<number> {
  const {trustJson, trustLines} = await import('../render/trust/trust.ts');
  const text =
    format === 'text'
      ? trustLines(view, terminal).join('\n')
      : safeJson(trustJson(view), format === 'json' ? 2 : undefined);
  await write(output, `${text}\n`);
  return 0;
}

async function accept(
  content: FolderContent,
  view: TrustView,
  parsed: Parsed,
  terminal: Terminal,
): Promise<number> {
  const {trustContent} = await import('../config/folder-trust.ts');
  await trustContent(content, terminal.env);
  const {stdout} = terminal;
  if (parsed.output !== 'text') {
    return await show({...view, trusted: true}, stdout, parsed, terminal);
  }
  const {trustTexts} = await import('../render/trust/trust-texts.ts');
  await write(stdout, `${trustTexts(terminal).accepted(oneLine(view.folder, 1000), view.hash)}\n`);
  return 0;
}

async function refuse(view: TrustView, parsed: Parsed, terminal: Terminal): Promise<number> {
  await show(view, terminal.stdout, parsed, terminal);
  const {trustTexts} = await import('../render/trust/trust-texts.ts');
  const place = parsed.cwd === undefined ? [] : ['-C', parsed.cwd];
  const line = commandText(['quorate', ...place, 'trust', '--hash', view.hash]);
  await write(
    terminal.stderr,
    `quorate: ${oneLine(trustTexts(terminal).withoutTerminal(line), 2000)}\n`,
  );
  return 2;
}
