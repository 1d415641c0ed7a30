import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {lengthen, shorten} from '../../../actors/journal/dictionary.ts';

const modelCall = {
  type: 'settled',
  key: 'i/interaction/form/execution/task:t0/turns/model#2',
  request: 'dzuyxiiv60',
  outcome: {
    kind: 'ok',
    text: '',
    usage: {inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0},
    calls: [{id: 'c0', name: 'tick', args: {turn: 1}}],
  },
  ms: 0,
  digest: 'h5vqg64wxl',
  ran: 331,
};

describe('the body of an entry as it is stored on disk', () => {
  test('takes less than half its length for common content', () => {
    const body = JSON.stringify(modelCall);
    expect(shorten(body).length).toBeLessThan(body.length / 2);
    expect(lengthen(shorten(body))).toBe(body);
  });

  test('is restored exactly, for any content', () => {
    const piece = fc.constantFrom(
      ...Array.from({length: 32}, (_, code) => String.fromCodePoint(code)),
      ...(JSON.stringify(modelCall).match(/.{1,7}/g) ?? []),
    );
    const text = fc.array(fc.oneof(piece, fc.string({unit: 'binary'}))).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.dictionary(text, text), (body) => {
        const written = JSON.stringify(body);
        expect(lengthen(shorten(written))).toBe(written);
      }),
    );
  });
});
