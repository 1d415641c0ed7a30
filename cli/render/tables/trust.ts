/** The things that a folder wants to load, in full: a person decides on them. */

import {keyText} from '../../../actors/config/schema.ts';
import {t} from '../../../machines/message.ts';
import type {LayerEntry} from '../../config/layer.ts';
import type {NamedServer, NamedServers} from '../../config/mcp-servers.ts';
import {type Reader, say} from '../../language.ts';
import {escapedLines} from '../text.ts';
import {toml} from './settings.ts';

export interface TrustView {
  readonly folder: string;
  readonly hash: string;
  readonly trusted: boolean;
  /** The settings of its file that need trust, tools among them. */
  readonly wanted: readonly LayerEntry[];
  /** Absent: it has no `.mcp.json`. */
  readonly servers?: NamedServers;
}

/** Lines for a terminal; nothing is cut. */
export function trustLines(view: TrustView, reader: Reader): readonly string[] {
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
export function trustJson({folder, hash, trusted, wanted, servers}: TrustView): object {
  const settings = wanted.map(({path, value, source}) => ({key: keyText(path), value, source}));
  return {folder, hash, trusted, settings, ...(servers ? {servers} : {})};
}
