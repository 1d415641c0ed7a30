/** Reads the code, the fields and the message of an error of any origin. */

export function codeOf(error: unknown): string {
  const {code} = fieldsOf(error);
  return error instanceof Error && typeof code === 'string' ? code : '';
}

/** The code of the system or the HTTP client, such as ECONNREFUSED. The codes of providers are lower-case. */
export function systemCode(error: unknown): string | undefined {
  const code = codeOf(error);
  return /^(?:E[A-Z]|CERT_|DEPTH_|SELF_|UNABLE_|ERR_)/.test(code) ? code : undefined;
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? {...value} : {};
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function oneLine(text: string): string {
  const clean = text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean;
}
