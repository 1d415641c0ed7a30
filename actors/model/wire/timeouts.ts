/** Messages of model calls that exceeded a time limit: their kind is `network`, as of other transient faults. */

/** `settings`: the configuration table of the provider. */
export const timeoutMessages = {
  total: (ms: number, settings: string) => `no full reply within ${ms} ms (${settings}.timeout_ms)`,
  first: (ms: number, settings: string) => `no answer within ${ms} ms (${settings}.first_byte_ms)`,
  idle: (ms: number) => `the reply made no progress for ${ms} ms`,
};

const pattern =
  /\b(?:no full reply within|no answer within|the reply made no progress for) \d+ ms\b/;

export function isTimeoutMessage(message: string): boolean {
  return pattern.test(message);
}
