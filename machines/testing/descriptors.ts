/** Event descriptors: the keys of `on`, with the wildcards of XState. */

/** True if a descriptor selects an event type: the same name, `*`, or `a.*` for `a`, `a.b`, `a.b.c` … */
export function selects(descriptor: string, event: string): boolean {
  if (descriptor === '*' || descriptor === event) return true;
  if (!descriptor.endsWith('.*')) return false;
  return `${event}.`.startsWith(descriptor.slice(0, -1));
}
