/** The things that a folder wants to load, in full: a person decides on them. */

import {keyText} from '../../../actors/config/keys.ts';
import type {LayerEntry} from '../../config/layer.ts';
import type {NamedServer, NamedServers} from '../../config/mcp-servers.ts';
import type {Reader} from '../../language.ts';
import {toml} from '../tables/settings.ts';
import {escapedLines} from '../text.ts';
import {trustTexts} from './trust-texts.ts';

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
  const texts = trustTexts(reader);
  const [tools, settings] = [true, false].map((isTool) =>
    view.wanted.filter(({path}) => (path[0] === 'tools') === isTool),
  );
  const parts = [
    ...part(texts.settings, (settings ?? []).map(entryLine)),
    ...part(texts.tools, (tools ?? []).map(entryLine)),
    ...part(texts.servers, serverLines(view.servers, reader)),
  ];
  const lines = [
    texts.wants(view.folder),
    ...(parts.length === 0 ? [`  ${texts.nothing}`] : parts),
    texts.hash(view.hash),
    view.trusted ? texts.trusted : texts.untrusted,
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
  if (!servers.ok) return [trustTexts(reader).unreadable(servers.problem)];
  return servers.servers.map((server) => serverLine(server, reader));
}

function serverLine({name, argv, env, more}: NamedServer, reader: Reader): string {
  const facts = [
    ...(argv ? [toml(argv)] : []),
    ...Object.entries(more).map(([key, value]) => `${keyText([key])} = ${toml(value)}`),
    ...(env.length === 0
      ? []
      : [trustTexts(reader).variables(env.map((key) => keyText([key])).join(', '))]),
  ];
  return `${keyText([name])}: ${facts.join('; ')}`;
}

/** The same for programs. */
export function trustJson({folder, hash, trusted, wanted, servers}: TrustView): object {
  const settings = wanted.map(({path, value, source}) => ({key: keyText(path), value, source}));
  return {folder, hash, trusted, settings, ...(servers ? {servers} : {})};
}
