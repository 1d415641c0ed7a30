/** How grave a remark is. */

export const severities = ['critical', 'major', 'minor'] as const;

export type Severity = (typeof severities)[number];
