/** Which hosts commands may reach, by the destinations that are named. */

import {isPublic} from '../../web/address.ts';
import type {Destination} from './destination.ts';

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
