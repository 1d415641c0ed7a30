/** Decides which addresses are on the public internet. */

import {BlockList, isIPv4} from 'node:net';

/** Not public, according to the IANA registry of special-purpose addresses; 168.63.129.16 is a cloud's own server. */
const closed: readonly (readonly [address: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Not public inside 2000::/3, the only public range: protocol assignments with Teredo, documentation. */
const closed6: readonly (readonly [address: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
];

const denied = new BlockList();
const reachable6 = new BlockList();

for (const [address, prefix] of closed) {
  denied.addSubnet(address, prefix, 'ipv4');
  denied.addSubnet(`::ffff:${address}`, 96 + prefix, 'ipv6');
  denied.addSubnet(`64:ff9b::${address}`, 96 + prefix, 'ipv6');
  denied.addSubnet(toSixToFour(address), 16 + prefix, 'ipv6');
}
for (const [address, prefix] of closed6) denied.addSubnet(address, prefix, 'ipv6');
reachable6.addSubnet('2000::', 3, 'ipv6');
reachable6.addSubnet('::ffff:0:0', 96, 'ipv6');
reachable6.addSubnet('64:ff9b::', 96, 'ipv6');

/**
 * False for private, loopback, link-local, shared, multicast, reserved and unspecified addresses, also inside an IPv6
 * one (mapped, NAT64, 6to4), and for a text that is not an address.
 */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !denied.check(address, 'ipv4');
  return reachable6.check(address, 'ipv6') && !denied.check(address, 'ipv6');
}

function toSixToFour(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`;
}
