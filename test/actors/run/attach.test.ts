import {expect, test} from 'vitest';

import {fitAttachments} from '../../../actors/run/attach.ts';

test('attachments share one limit; a cut is reported, and a cut file does not count as read', () => {
  const whole = {name: 'a', text: 'x'.repeat(60), file: 'a'};
  const long = {name: 'b', text: 'y'.repeat(100), file: 'b'};
  const {attachments, warnings} = fitAttachments([whole, long], 100);
  expect(attachments).toEqual([
    whole,
    {name: 'b', text: `${'y'.repeat(9)}\n[… 86 characters cut …]\n${'y'.repeat(5)}`},
  ]);
  expect(warnings).toEqual([
    'b has 100 bytes and was cut in the middle: context.max_attached_bytes = 100 is the limit for all attachments together',
  ]);
});
