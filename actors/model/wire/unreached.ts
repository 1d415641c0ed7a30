/** The reason for a missing connection: the message, and whether a later call may succeed. */

import {codeOf, fieldsOf, messageOf, oneLine, systemCode} from './causes.ts';

const untrusted = /^(?:CERT_|DEPTH_|SELF_|UNABLE_TO_|ERR_TLS_CERT_)/;
const withoutTls = 'ERR_SSL_WRONG_VERSION_NUMBER';
const withoutTunnel = 'ERR_PROXY_TUNNEL';

/** The server at an address. */
export interface Address {
  readonly baseUrl: string;
  /** It is on this machine. */
  readonly isLocal?: boolean | undefined;
}

export function unreachedText(error: unknown, address: Address): string {
  const code = systemCode(error);
  if (code === withoutTunnel) {
    return `the proxy does not reach the provider; check HTTPS_PROXY (${oneLine(messageOf(error))})`;
  }
  const text = `${meaningOf(code)} (${code ?? oneLine(messageOf(error))})`;
  return isAboutTls(code) ? text : text + proxyText(address);
}

export interface ProxySetting {
  /** The variable that names it. */
  readonly name: string;
  /** Without user and password. */
  readonly origin: string;
  readonly isUsed: boolean;
}

/** The proxy that the environment names for addresses of this protocol. Node uses it only with NODE_USE_ENV_PROXY or --use-env-proxy. */
export function findProxy(protocol: 'http:' | 'https:'): ProxySetting | undefined {
  const scheme = protocol.slice(0, -1);
  const {globalAgent} = process.getBuiltinModule(
    protocol === 'https:' ? 'node:https' : 'node:http',
  );
  const {proxyEnv: used} = fieldsOf(fieldsOf(globalAgent)['options']);
  const variables = fieldsOf(used ?? process.env);
  const name = [`${scheme}_proxy`, `${scheme}_proxy`.toUpperCase()].find((each) => variables[each]);
  if (name === undefined) return undefined;
  const {protocol: by, host} = URL.parse(String(variables[name])) ?? {protocol: '', host: ''};
  return {name, origin: host ? `${by}//${host}` : 'not an address', isUsed: used !== undefined};
}

/** Begins with `; `, or is empty. */
export function proxyText({baseUrl, isLocal}: Address): string {
  const proxy = findProxy(baseUrl.startsWith('https:') ? 'https:' : 'http:');
  if (!proxy) return '';
  const {name, origin, isUsed} = proxy;
  if (isUsed) return `; ${name} is in use: ${origin} must run, or NO_PROXY exclude the address`;
  return isLocal ? '' : `; ${name} is set but not used: set NODE_USE_ENV_PROXY=1 to use it`;
}

function isAboutTls(code = ''): boolean {
  return untrusted.test(code) || code === withoutTls;
}

function meaningOf(code = ''): string {
  if (untrusted.test(code)) {
    return 'the server’s certificate is not trusted; check base_url, or name the file with the certificate of your own authority in NODE_EXTRA_CA_CERTS';
  }
  if (code === withoutTls) {
    return 'the server does not use TLS; check whether base_url should begin with http:';
  }
  return 'the provider can’t be reached; check its address and the network';
}

/** True if another call would fail in the same way. */
export function isLasting(error: unknown): boolean {
  const code = systemCode(error) ?? '';
  return isAboutTls(code) || isRefusedByProxy(error);
}

/** A proxy that answers 5xx has not reached the provider. */
function isRefusedByProxy(error: unknown): boolean {
  const {statusCode} = fieldsOf(error);
  return codeOf(error) === withoutTunnel && typeof statusCode === 'number' && statusCode < 500;
}
