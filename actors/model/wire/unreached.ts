/** The reason for a missing connection: the message, and whether a later call may succeed. */

import {codeOf, fieldsOf, messageOf, oneLine, systemCode} from './causes.ts';

const untrusted = /^(?:CERT_|DEPTH_|SELF_|UNABLE_TO_|ERR_TLS_CERT_)/;
const withoutTls = 'ERR_SSL_WRONG_VERSION_NUMBER';
const withoutTunnel = 'ERR_PROXY_TUNNEL';

export function unreachedText(error: unknown): string {
  const code = systemCode(error);
  if (code === withoutTunnel) {
    return `the proxy does not reach the provider; check HTTPS_PROXY (${oneLine(messageOf(error))})`;
  }
  return `${meaningOf(code)} (${code ?? oneLine(messageOf(error))})`;
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
  return untrusted.test(code) || code === withoutTls || isRefusedByProxy(error);
}

/** A proxy that answers 5xx has not reached the provider. */
function isRefusedByProxy(error: unknown): boolean {
  const {statusCode} = fieldsOf(error);
  return codeOf(error) === withoutTunnel && typeof statusCode === 'number' && statusCode < 500;
}
