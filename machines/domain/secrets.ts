/** Which variables hold secrets, by their names and values: one answer for redaction, traces of bugs and policies. */

/** Words that name a secret wherever they stand in a name. */
const telling =
  /API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|CONNECTION_?STRING/i;
/** Words that do so only at the end, and in capitals: `SSH_KEY`, `GITHUB_PAT`, `DB_PASS`, `SENTRY_DSN`, `DATABASE_URL`. */
const tellingAtEnd =
  /(?:^|_|[A-Z])KEY$|(?:^|_)(?:PAT|DSN)$|_(?:PASS|PWD|AUTH)$|(?:^|_)DATABASE_UR[IL]$/;
/** Names of what tells where a secret lies, or how many there may be. */
const place = /(?:FILE|PATH|DIR|FOLDER|SOCK|TOKENS)$/i;
/** `postgres://user:password@host`. */
const keyedAddress = /^[a-z][\w+.-]*:\/\/[^\s:@/]*:([^\s@/]+)@/i;

/** Shorter values occur by chance. */
const minSecretLength = 8;

/** Whether a variable's name says that it has to do with a secret. */
export function namesSecret(name: string): boolean {
  return telling.test(name) || tellingAtEnd.test(name);
}

/** The secrets among variables: values by their names, and addresses that hold a password, with it. Longest first. */
export function secretsIn(
  env: Readonly<Record<string, string | undefined>>,
  isNamed: (name: string) => boolean = () => false,
): string[] {
  const secrets = Object.entries(env).flatMap(([name, value = '']) => {
    const [, password] = keyedAddress.exec(value) ?? [];
    if (password !== undefined) return [value, password];
    return isNamed(name) || (namesSecret(name) && !place.test(name)) ? [value] : [];
  });
  return [...new Set(secrets)]
    .filter((value) => value.length >= minSecretLength)
    .toSorted((a, b) => b.length - a.length);
}
