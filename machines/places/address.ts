/** Addresses of other computers in texts: their hosts, and the rest that they contain. */

export interface Address {
  /** In lower case, without a final dot and a leading `www.`. */
  readonly host: string;
  /** All that follows the scheme, without the host: user names, port, path, query. A fragment is not sent. */
  readonly rest: string;
}

/**
 * `https://host:1/a?b`, `host/a`, `host:1`, `user@host:path`, `[::1]:1`. Undefined: programs may disagree about the
 * host.
 */
export function parseAddress(text: string): Address | undefined {
  const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(text)?.[0] ?? '';
  const whole = text.slice(scheme.length);
  const body = /^https?:/i.test(scheme) ? whole.replace(/#.*$/s, '') : whole;
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\s\\\u0000-\u001f\u007f]/.test(body)) return undefined;
  const authority = body.replace(/[/?#].*$/s, '');
  const at = authority.lastIndexOf('@') + 1;
  const host = /^\[[^\]]*\]|^[^:]+/.exec(authority.slice(at))?.[0];
  if (host === undefined) return undefined;
  const user = authority.slice(0, at).replace(/^git@$/, '');
  return {host: plainHost(host), rest: user + body.slice(at + host.length)};
}

function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');
}

/** Suffix of an address with a computed part: no text vouches for it. */
export const computedMark = ' (computed)';

export function isThisMachine({host}: Address): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/.test(host);
}

const withScheme = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'`<>「」]+/gi;
const withUser = /(?<![\w/.-])[\w.-]+@[\w-]+(?:\.[\w-]+)+:[^\s"'`<>「」]+/g;
const bare =
  /(?<![\w@/.-])(?:(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:\/[^\s"'`<>「」]*)?(?![\w@-])/gi;

/** Endings of files that are top-level domains, too. */
const fileEnding =
  /\.(?:md|rs|py|sh|ts|js|mjs|cjs|tsx|jsx|json|toml|ya?ml|txt|html?|css|go|cc?|h|cpp|java|kt|rb|pl|php|sql|xml|lock|cfg|ini|csv|log|zip|env|so|ps)$/i;

/** Addresses with a scheme or a user; with `hasBare` also bare hosts that do not look like file names. */
export function addressesIn(text: string, {hasBare = false} = {}): readonly Address[] {
  const found = [...text.matchAll(withScheme), ...text.matchAll(withUser)].map(([whole]) => whole);
  const hosts = hasBare ? [...text.matchAll(bare)].map(([whole]) => whole) : [];
  const named = hosts.filter((host) => !fileEnding.test(host.replace(/[:/].*$/s, '')));
  return [...found, ...named].flatMap((each) => {
    const address = parseAddress(each.replace(/[.,:;!?)\]}]+$/, ''));
    return address ? [address] : [];
  });
}

export function namesHost(known: readonly Address[], {host}: Address): boolean {
  return known.some((other) => other.host === host);
}
