/**
 * Detects secrets: variables by their names and values, and texts by their shapes. Shared by redaction, traces of bugs and
 * policies.
 */

/** Words that mark a secret anywhere in a name. */
const secretWord =
  /API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|CONNECTION_?STRING/i;
/** Words that mark one only at the end, and in capitals: `SSH_KEY`, `GITHUB_PAT`, `DB_PASS`, `SENTRY_DSN`, `DATABASE_URL`. */
const secretEnding =
  /(?:^|_|[A-Z])KEY$|(?:^|_)(?:PAT|DSN)$|_(?:PASS|PWD|AUTH)$|(?:^|_)DATABASE_UR[IL]$/;
/** Endings of names for the location of a secret, or for a number of tokens. */
const place = /(?:FILE|PATH|DIR|FOLDER|SOCK|TOKENS)$/i;
/** `postgres://user:password@host`. */
const keyedAddress = /^[a-z][\w+.-]*:\/\/[^\s:@/]*:([^\s@/]+)@/i;

/** Shorter values occur by chance. */
const minSecretLength = 8;

/** True if a variable's name mentions a secret. */
export function namesSecret(name: string): boolean {
  return secretWord.test(name) || secretEnding.test(name);
}

/** True if the variable itself holds a secret: `API_TOKEN`, but not `API_TOKEN_FILE`, which holds a path. */
export function namesSecretValue(name: string): boolean {
  return namesSecret(name) && !place.test(name);
}

/** The secrets among variables: values by their names, and addresses that hold a password, with it. Longest first. */
export function secretsIn(
  env: Readonly<Record<string, string | undefined>>,
  isNamed: (name: string) => boolean = () => false,
): string[] {
  const secrets = Object.entries(env).flatMap(([name, value = '']) => {
    const [, password] = keyedAddress.exec(value) ?? [];
    if (password !== undefined) return [value, password];
    return isNamed(name) || namesSecretValue(name) ? [value] : [];
  });
  return [...new Set(secrets)]
    .filter((value) => value.length >= minSecretLength)
    .toSorted((a, b) => b.length - a.length);
}

/**
 * Texts that are always secrets. The group `hidden` is the secret part of an address. Every repetition is bounded, because
 * the texts are untrusted.
 */
const shapes: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z]{1,20} ){0,4}PRIVATE KEY-----(?:[\s\S]{0,10000}?-----END (?:[A-Z]{1,20} ){0,4}PRIVATE KEY-----|[\s\w+/=\\]{0,10000})/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bsk-(?:[A-Za-z]{1,20}-){0,4}[A-Za-z0-9_-]{20,400}/,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{30,400}\b|\bgithub_pat_\w{20,400}/,
  /\bglpat-[\w-]{20,400}/,
  /\bxox[abeprs]-[\w-]{10,400}/,
  /\bAIza[\w-]{35}/,
  /\b(?:sk|rk)_live_[A-Za-z0-9]{16,400}/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}/,
  /\b[Aa](?:uthorization|UTHORIZATION): ?(?:[Bb]asic|[Bb]earer|[Tt]oken|BASIC|BEARER) (?<hidden>[\w+/=.~-]{8,400})/,
  /\b\w{1,40}:\/\/[^\s:@/]{1,200}:(?<hidden>[^\s:@/]{8,200})@[\w.-]{1,200}/,
];
/** `AWS_SECRET_ACCESS_KEY=…`, as files of settings have it. */
const setting = /(?<![\w$])(?<name>[A-Z][A-Z0-9_]{2,80})=["']?(?<hidden>[^\s"'`$<{(]{16,400})/;
/** Hosts whose passwords are known to everybody who reads the project. */
const ownHost = /@(?:localhost|127\.|[\w-]+(?![\w.-]))/;
const everywhere = [...shapes, setting].map(({source}) => new RegExp(source, 'g'));

/** Replaces a secret. */
export const mask = '[redacted]';

/** The first part of a text that looks like a secret. */
export function secretIn(text: string): string | undefined {
  return shapes.map((shape) => shape.exec(text)?.[0]).find((found) => found !== undefined);
}

/** All secrets of known shapes in a text. */
export function tokensIn(text: string): string[] {
  return shapes
    .flatMap(({source}) => Array.from(text.matchAll(new RegExp(source, 'g'))))
    .map(([found, ...more]) => groupsIn(more)['hidden'] ?? found);
}

/** The text with masked secrets, which are detected by their shape or by the name of a setting. */
export function withoutSecrets(text: string): string {
  return everywhere.reduce(
    (rest, shape) => rest.replace(shape, (found, ...more) => maskedIn(found, groupsIn(more))),
    text,
  );
}

type Groups = Readonly<Record<string, string | undefined>>;

function groupsIn(args: readonly unknown[]): Groups {
  const last = args.at(-1);
  return typeof last === 'object' && last !== null ? {...last} : {};
}

function maskedIn(found: string, {hidden, name}: Groups): string {
  if (hidden === undefined) return mask;
  const isSecret =
    name === undefined
      ? !ownHost.test(found)
      : namesSecret(name) && !place.test(name) && /\d/.test(hidden) && /[a-z]/i.test(hidden);
  return isSecret ? found.replace(hidden, mask) : found;
}
