/** The hosts that commands may reach, according to the named destinations. */

import {isPublic} from '../../web/address.ts';
import type {Destination} from './destination.ts';

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
