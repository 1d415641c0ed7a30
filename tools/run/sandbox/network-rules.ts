/** `[sandbox] network`: which hosts commands may reach, by name and port. */

import {isIP} from 'node:net';

import {isPublic} from '../../web/address.ts';

export interface Destination {
  /** A name or an address, without brackets, in lower case. */
  readonly host: string;
  readonly port: number;
}

const maxPort = 65_535;

const form =
  /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)):(?<port>\d{1,5})$/i;

/** `example.com:443`, `*.example.com:443` for the names below, `127.0.0.1:5432`, `[::1]:8080`. Undefined for anything else. */
export function parseDestination(text: string): Destination | undefined {
  const groups = form.exec(text)?.groups;
  if (!groups) return undefined;
  const {v6, name = ''} = groups;
  const port = Number(groups['port']);
  if (port < 1 || port > maxPort || (v6 !== undefined && isIP(v6) !== 6)) return undefined;
  return {host: (v6 ?? name).toLowerCase(), port};
}

/** Whether a command may ask for the host, by the name that it asks for. */
export function isNamed({host, port}: Destination, rules: readonly Destination[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return rules.some((rule) => {
    if (rule.port !== port) return false;
    return rule.host.startsWith('*.') ? name.endsWith(rule.host.slice(1)) : rule.host === name;
  });
}

/**
 * Whether the host may be reached where its name led to: on the public internet, or at an address that is named itself. A
 * name says nothing of where it leads, but for `localhost`.
 */
export function isReachable(
  address: string,
  asked: Destination,
  rules: readonly Destination[],
): boolean {
  if (isPublic(address) || isNamed({host: address, port: asked.port}, rules)) return true;
  return asked.host === 'localhost' && /^(?:127\.|::1$)/.test(address);
}
