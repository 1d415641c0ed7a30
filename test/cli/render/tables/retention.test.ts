/** Pruned runs as lines. */

import {describe, expect, test} from 'vitest';

import {pruneLines} from '../../../../cli/render/tables/retention.ts';
import {widthOfText} from '../../../../cli/render/text.ts';

const request = 'Create a file とても長い名前のファイル.txt with the content "hi"';
const run = {
  id: 'c5w6vpau861n',
  form: 'agent',
  request,
  status: 'completed',
  updatedAt: 0,
  bytes: 9,
};

describe.each(['en', 'ja'] as const)('in %s', (language) => {
  test.each([40, 80])('no line is wider than %d columns', (width) => {
    const report = {removed: [run], kept: [{...run, why: 'inDoubt' as const}], others: 1};
    const lines = pruneLines(report, {language, width, isDry: false});
    expect(lines.filter((line) => widthOfText(line) > width)).toEqual([]);
    expect(lines.filter((line) => line.includes(run.id))).toHaveLength(2);
  });
});
