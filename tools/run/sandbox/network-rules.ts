/** `[sandbox] network`: hosts that commands may reach, by name and port. */

import {isPublic} from '../../web/address.ts';

export interface Destination {
  /** A name or an address, without brackets, in lower case. */
  readonly host: string;
  readonly port: number;
}

const maxPort = 65_535;

const form =
  /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)):(?<port>\d{1,5})$/i;

/** `example.com:443`, `*.example.com:443` for all subdomains, `127.0.0.1:5432`, `[::1]:8080`. Undefined for anything else. */
export function parseDestination(text: string): Destination | undefined {
  const groups = form.exec(text)?.groups;
  if (!groups) return undefined;
  const {v6, name = ''} = groups;
  const port = Number(groups['port']);
  if (port < 1 || port > maxPort || (v6 !== undefined && !URL.canParse(`http://[${v6}]`)))
    return undefined;
  return {host: (v6 ?? name).toLowerCase(), port};
}

/** A command may request the host by this name. */
export function isNamed({host, port}: Destination, rules: readonly Destination[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return rules.some((rule) => {
    if (rule.port !== port) return false;
    return rule.host.startsWith('*.') ? name.endsWith(rule.host.slice(1)) : rule.host === name;
  });
}

/**
 * The host may be reached at the address to which its name resolved: on the public internet, or at an address that is named itself. A
 * rule for a name does not allow private addresses, except for `localhost`.
 */
export function isReachable(
  address: string,
  asked: Destination,
  rules: readonly Destination[],
): boolean {
  if (isPublic(address) || isNamed({host: address, port: asked.port}, rules)) return true;
  return asked.host === 'localhost' && /^(?:127\.|::1$)/.test(address);
}
