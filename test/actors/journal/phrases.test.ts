import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {lengthen, shorten} from '../../../actors/journal/phrases.ts';

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

describe('the body of an entry as it lies on the disk', () => {
  test('is less than half as long where it says what nearly all say', () => {
    const body = JSON.stringify(modelCall);
    expect(shorten(body).length).toBeLessThan(body.length / 2);
    expect(lengthen(shorten(body))).toBe(body);
  });

  test('comes back as it was, whatever it holds', () => {
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

  test('is read as earlier versions wrote it', () => {
    const body = JSON.stringify({...modelCall, key: 'i/hear#1'});
    expect(lengthen(body.replace('{"type":"settled","key":"i/', 's'))).toBe(body);
    expect(lengthen(body)).toBe(body);
  });
});
