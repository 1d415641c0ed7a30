/** What looks like a secret, wherever it stands. */

const secretPatterns = [
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bsk-(?:[A-Za-z]+-)*[A-Za-z0-9_-]{20,}/,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{30,}\b|\bgithub_pat_\w{20,}/,
  /\bglpat-[\w-]{20,}/,
  /\bxox[abeprs]-[\w-]{10,}/,
  /\bAIza[\w-]{35}/,
  /\b(?:sk|rk)_live_[A-Za-z0-9]{16,}/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  /\b\w+:\/\/[^\s:@/]+:[^\s:@/]{8,}@[\w.-]+/,
];

/** The first part of a text that looks like a secret. */
export function secretIn(text: string): string | undefined {
  return secretPatterns
    .map((pattern) => pattern.exec(text)?.[0])
    .find((found) => found !== undefined);
}
