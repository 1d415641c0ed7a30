/** What an error says of itself, and of those that caused it. */

export function codeOf(cause: unknown): string {
  const {code} = fieldsOf(cause);
  return cause instanceof Error && typeof code === 'string' ? code : '';
}

/** The system's or the HTTP client's code, such as ECONNREFUSED. Providers' codes are in small letters. */
export function causeCode(error: unknown): string | undefined {
  const found = findCause(error, (cause) =>
    /^(?:E[A-Z]|CERT_|DEPTH_|SELF_|UNABLE_|ERR_)/.test(codeOf(cause)),
  );
  return found === undefined ? undefined : codeOf(found);
}

/** The first of an error and its causes that fits. */
export function findCause(error: unknown, fits: (cause: unknown) => boolean): unknown {
  let cause = error;
  for (let depth = 0; depth < 8 && cause !== undefined && cause !== null; depth++) {
    if (fits(cause)) return cause;
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return undefined;
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? {...value} : {};
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Of the innermost cause. */
export function lastMessage(error: unknown): string {
  let last = '';
  findCause(error, (cause) => {
    last = messageOf(cause) || last;
    return false;
  });
  return oneLine(last);
}

export function oneLine(text: string): string {
  const clean = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean;
}
