/** `quorate config --trust`: shows what this folder wants to load, and trusts exactly that. */

import {resolve} from 'node:path';

import {keyText} from '../../actors/config/schema.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {commandText} from '../../machines/domain/program.ts';
import {t} from '../../machines/message.ts';
import {type Reader, say} from '../language.ts';
import type {Parsed} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import {printReport, type Report} from '../render/report.ts';
import {escapedLines, oneLine} from '../render/text.ts';
import {isInteractive, type Terminal, write} from '../terminal.ts';
import {toml} from './explain.ts';
import type {LayerEntry} from './file.ts';
import type {FolderContent, NamedServer, NamedServers} from './folder-trust.ts';

interface Trusting extends Parsed {
  readonly options: {readonly show: boolean; readonly hash: string | undefined};
}

/** Resolves with the exit code. Rejects with AppError `usage`, `not_found`, `config` or `io`. */
export async function trustFolder(parsed: Trusting, terminal: Terminal): Promise<number> {
  const {options, cwd = '.'} = parsed;
  const hash = wantedHash(options);
  const {readFolder, requireContent} = await import('./folder-trust.ts');
  const content = await readFolder(resolve(cwd));
  requireContent(content);
  const view = await viewOf(content, terminal);
  if (options.show) return await show(view, parsed, terminal);
  if (hash !== undefined && hash !== content.hash) throw otherHash(content, hash);
  if (hash !== undefined || view.trusted) return await accept(content, view, parsed, terminal);
  if (!isInteractive(terminal)) return await refuse(view, parsed, terminal);
  await show(view, {output: 'text'}, {...terminal, stdout: terminal.stderr});
  const {confirm} = await import('../terminal/surface.ts');
  if (await confirm(t`Trust exactly this from now on?`, terminal)) {
    return await accept(content, view, parsed, terminal);
  }
  await write(terminal.stderr, `${say(t`nothing was trusted`, terminal)}\n`);
  return 1;
}

function wantedHash(options: Trusting['options']): string | undefined {
  const hash = options.hash?.toLowerCase();
  if (hash === undefined) return undefined;
  if (options.show) throw eitherOr;
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  throw usageError(
    t`--hash takes all 64 hexadecimal digits of a SHA-256, not "${oneLine(hash, 80)}"; quorate config --trust --show prints them`,
  );
}

const eitherOr = usageError(t`--show only shows: leave out --show or --hash`);

function otherHash({folder, hash}: FolderContent, wanted: string): AppError {
  const [place, given] = [oneLine(folder, 1000), oneLine(wanted)];
  return new AppError(
    'config',
    t`the files of ${place} have the SHA-256 ${hash}, not ${given}: nothing was trusted; see what it wants: quorate config --trust --show`,
  );
}

async function viewOf(content: FolderContent, {env}: Terminal): Promise<TrustView> {
  const {loadConfig} = await import('./load.ts');
  const {isTrusted} = await import('./folder-trust.ts');
  const {serversIn} = await import('./folder-trust.ts');
  const {folder, hash, mcp} = content;
  const {wanted} = await loadConfig({cwd: folder, env, content});
  const trusted = await isTrusted(content, env);
  return {folder, hash, trusted, wanted, ...(mcp ? {servers: serversIn(mcp.text)} : {})};
}

async function show(
  view: TrustView,
  parsed: Pick<Parsed, 'output'>,
  terminal: Terminal,
): Promise<number> {
  const lines: Report['lines'] = ({style}) => trustLines(view, style);
  await printReport({data: trustJson(view), lines}, parsed, terminal);
  return 0;
}

async function accept(
  content: FolderContent,
  view: TrustView,
  parsed: Parsed,
  terminal: Terminal,
): Promise<number> {
  const {trustContent} = await import('./folder-trust.ts');
  await trustContent(content, terminal.env);
  const {stdout} = terminal;
  if (parsed.output !== 'text') {
    return await show({...view, trusted: true}, parsed, terminal);
  }
  await write(
    stdout,
    `${say(t`${oneLine(view.folder, 1000)} is trusted as it is now (sha256 ${view.hash}); a change of quorate.toml or .mcp.json ends that`, terminal)}\n`,
  );
  return 0;
}

async function refuse(view: TrustView, parsed: Parsed, terminal: Terminal): Promise<number> {
  await show(view, parsed, terminal);
  const place = parsed.cwd === undefined ? [] : ['-C', parsed.cwd];
  const line = commandText(['quorate', ...place, 'config', '--trust', '--hash', view.hash]);
  await write(
    terminal.stderr,
    `quorate: ${oneLine(say(t`without a terminal, nothing is trusted; to trust exactly this: ${line}`, terminal), 2000)}\n`,
  );
  return 2;
}

// The things that a folder wants to load, in full: a person decides on them.

interface TrustView {
  readonly folder: string;
  readonly hash: string;
  readonly trusted: boolean;
  /** The settings of its file that need trust, tools among them. */
  readonly wanted: readonly LayerEntry[];
  /** Absent: it has no `.mcp.json`. */
  readonly servers?: NamedServers;
}

/** Lines for a terminal; nothing is cut. */
function trustLines(view: TrustView, reader: Reader): readonly string[] {
  const [tools, settings] = [true, false].map((isTool) =>
    view.wanted.filter(({path}) => (path[0] === 'tools') === isTool),
  );
  const parts = [
    ...part(
      say(t`settings that loosen something, of quorate.toml`, reader),
      (settings ?? []).map(entryLine),
    ),
    ...part(say(t`tools, of quorate.toml`, reader), (tools ?? []).map(entryLine)),
    ...part(say(t`MCP servers, of .mcp.json`, reader), serverLines(view.servers, reader)),
  ];
  const lines = [
    say(t`${view.folder} wants to load:`, reader),
    ...(parts.length === 0 ? [`  ${say(t`nothing: its settings only tighten`, reader)}`] : parts),
    say(t`SHA-256 of quorate.toml and .mcp.json: ${view.hash}`, reader),
    view.trusted
      ? say(t`It is trusted as it is now.`, reader)
      : say(t`It is not trusted: none of this is loaded or started.`, reader),
  ];
  return lines.map((line) => escapedLines(line).join(' '));
}

function part(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)];
}

function entryLine({path, value, source}: LayerEntry): string {
  return `${keyText(path)} = ${toml(value)}  # ${source}`;
}

function serverLines(servers: NamedServers | undefined, reader: Reader): readonly string[] {
  if (!servers) return [];
  if (!servers.ok) return [say(t`not a list of servers: ${servers.problem}`, reader)];
  return servers.servers.map((server) => serverLine(server, reader));
}

function serverLine({name, argv, env, more}: NamedServer, reader: Reader): string {
  const facts = [
    ...(argv ? [toml(argv)] : []),
    ...Object.entries(more).map(([key, value]) => `${keyText([key])} = ${toml(value)}`),
    ...(env.length === 0
      ? []
      : [say(t`gets the variables ${env.map((key) => keyText([key])).join(', ')}`, reader)]),
  ];
  return `${keyText([name])}: ${facts.join('; ')}`;
}

/** The same for programs. */
function trustJson({folder, hash, trusted, wanted, servers}: TrustView): object {
  const settings = wanted.map(({path, value, source}) => ({key: keyText(path), value, source}));
  return {folder, hash, trusted, settings, ...(servers ? {servers} : {})};
}
