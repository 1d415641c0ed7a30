/** Why there is no connection: what to tell of it, and whether a pause may mend it. */

import {causeCode, codeOf, fieldsOf, findCause, lastMessage} from './causes.ts';

const untrusted = /^(?:CERT_|DEPTH_|SELF_|UNABLE_TO_|ERR_TLS_CERT_)/;
const withoutTls = 'ERR_SSL_WRONG_VERSION_NUMBER';
const withoutTunnel = 'ERR_PROXY_TUNNEL';

export function unreachedText(error: unknown): string {
  const code = causeCode(error);
  if (code === withoutTunnel) {
    return `the proxy does not lead to the provider; check HTTPS_PROXY (${lastMessage(error)})`;
  }
  return `${meaningOf(code)} (${code ?? lastMessage(error)})`;
}

function meaningOf(code = ''): string {
  if (untrusted.test(code)) {
    return 'the server’s certificate is not trusted; check base_url, or name the file with the certificate of your own authority in NODE_EXTRA_CA_CERTS';
  }
  if (code === withoutTls) {
    return 'the server speaks no TLS; check whether base_url is to begin with http:';
  }
  return 'the provider can’t be reached; check its address and the network';
}

/** Asked again, it would be the same. */
export function isLasting(error: unknown): boolean {
  const code = causeCode(error) ?? '';
  return untrusted.test(code) || code === withoutTls || isRefusedByProxy(error);
}

/** By its 5xx a proxy says that it has not reached the provider. */
function isRefusedByProxy(error: unknown): boolean {
  const {statusCode} = fieldsOf(findCause(error, (cause) => codeOf(cause) === withoutTunnel));
  return typeof statusCode === 'number' && statusCode < 500;
}
