/** The severity of a comment or an objection. */

export const severities = ['critical', 'major', 'minor'] as const;

export type Severity = (typeof severities)[number];
