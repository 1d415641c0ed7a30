/** The Markdown of an answer within a result. */

import {stripVTControlCharacters} from 'node:util';

import {expect, test} from 'vitest';

import {resultLines} from '../../../cli/render/result/result.ts';
import {plainStyle, styleFor} from '../../../cli/render/style.ts';
import {createProse} from '../../../cli/screen/markdown.ts';
import {baseResult} from '../fake-run.ts';
import {createTestTerminal} from '../gate/person.ts';

const answer = 'It **works**:\n\n- one\n- two\n\n# Changes\n\nnone';

test('the answer of a task is rendered below its objective, and a heading of it is not one of ours', () => {
  const {output} = createTestTerminal();
  const style = styleFor(output, {env: {FORCE_COLOR: '1'}});
  const prose = createProse(style, (code) => code.split('\n'));
  const result = {...baseResult, status: 'completed', summary: 'Make it work', answer} as const;
  const lines = resultLines(result, {style, width: 60, isBrief: true, prose});
  const rows = lines.map(stripVTControlCharacters);
  expect(rows.slice(0, 8)).toEqual([
    'completed: Make it work',
    'It works:',
    '',
    '- one',
    '- two',
    '',
    '| Changes',
    '',
  ]);
  const plain = resultLines(result, {style: plainStyle, width: 60, isBrief: true});
  expect(plain.slice(1, 2)).toEqual(['It **works**:']);
});
