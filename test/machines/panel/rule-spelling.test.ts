/** A quorum rule is spelled, explained and calculated in one file. */

import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {approvalsNeeded, decide, ruleForms, tryParseRule} from '../../../machines/panel/rule.ts';

const root = join(import.meta.dirname, '../../..');

/** Every source of the product, without the example command lines, which spell one of the rules. */
const sources = ['machines', 'actors', 'tools', 'cli', 'diagrams'].flatMap((layer) =>
  readdirSync(join(root, layer), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(layer, name))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return {path, text: text.replaceAll(/quorate [^']*--rule \S+/g, '')};
    }),
);

test.each(['at_least', 'unanimous', 'N%'])('"%s" is written in rule.ts alone', (spelling) => {
  const places = sources.filter(({text}) => text.includes(spelling)).map(({path}) => path);
  expect(places).toEqual(['machines/panel/rule.ts']);
});

test.each(ruleForms)('help for $spelling names a rule that can be typed', ({spelling}) => {
  expect(tryParseRule(spelling.replace('N', '2'))).toBeDefined();
});

test.each(['majority', 'unanimous', 'at_least:2', '60%', '100%'])(
  'seats of one weight decide by %s with the approvals that it takes',
  (text) => {
    const rule = tryParseRule(text);
    if (!rule) throw new Error(`${text} is not a rule`);
    for (const size of [2, 3, 4, 5, 7]) {
      const needed = approvalsNeeded(rule, size);
      const verdicts = Array.from({length: size + 1}, (_, approvals) =>
        decide(
          rule,
          Array.from({length: size}, (__, index) => ({
            seat: `${index}`,
            weight: 1,
            veto: false,
            vote: index < approvals ? 'approve' : 'abstain',
          })),
          0,
        ),
      );
      expect(verdicts.indexOf('approved')).toBe(needed);
    }
  },
);
