/** XState's development build warns on the console of charts that are wrong. */

import {afterAll, afterEach, expect, vi} from 'vitest';

/** Fails each test of the file in which XState warned, except for expected warnings. */
export function failOnWarnings(isExpected: (text: string) => boolean = () => false): void {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  afterEach(() => {
    const texts = warn.mock.calls.map(([text]) => String(text));
    warn.mockClear();
    expect(texts.filter((text) => !isExpected(text))).toEqual([]);
  });
  afterAll(() => warn.mockRestore());
}
