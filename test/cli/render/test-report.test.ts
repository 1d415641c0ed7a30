/** How tests ended, from the output of their runners. */

import {expect, test} from 'vitest';

import {readTestReport, type TestReport} from '../../../cli/render/test-report.ts';

const outputs: Readonly<Record<string, readonly [output: string, report: TestReport]>> = {
  'node:test in TAP': [
    `TAP version 13
# Subtest: the total counts quantities
not ok 1 - the total counts quantities
  ---
  duration_ms: 1.2
  ...
# Subtest: an empty cart
ok 2 - an empty cart
1..2
# tests 2
# pass 1
# fail 1
`,
    {passed: 1, failed: 1, failing: ['the total counts quantities']},
  ],
  'TAP without sums': [
    'ok 1 - a\nnot ok 2 - b\nnot ok 3 - c # TODO later\n1..3\n',
    {passed: 1, failed: 1, failing: ['b']},
  ],
  'node:test for people': [
    `✔ an empty cart costs nothing (1.04ms)
✖ the total counts every piece (0.23ms)
ℹ tests 2
ℹ pass 1
ℹ fail 1

✖ failing tests:

test at test/cart.test.js:5:1
✖ the total counts every piece (0.23ms)
`,
    {passed: 1, failed: 1, failing: ['the total counts every piece']},
  ],
  pytest: [
    `F.                                                 [100%]
=========================== short test summary info ============================
FAILED tests/test_cart.py::test_total - assert 1 == 2
========================= 1 failed, 1 passed in 0.05s ==========================
`,
    {passed: 1, failed: 1, failing: ['tests/test_cart.py::test_total']},
  ],
  'pytest -q': ['...\n3 passed, 1 warning in 0.12s\n', {passed: 3, failed: 0, failing: []}],
  'pytest that fails alone': [
    'FAILED a.py::b\n1 failed in 0.01s\n',
    {passed: 0, failed: 1, failing: ['a.py::b']},
  ],
  Jest: [
    `FAIL ./cart.test.js
  ● total › counts quantities

    expect(received).toBe(expected)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 skipped, 2 passed, 4 total
`,
    {passed: 2, failed: 1, failing: ['total › counts quantities']},
  ],
  Vitest: [
    `\u001B[31m FAIL \u001B[39m cart.test.ts > total > counts quantities
AssertionError: expected 1 to be 2

 Test Files  1 failed (1)
      Tests  1 failed | 2 passed (3)
`,
    {passed: 2, failed: 1, failing: ['cart.test.ts > total > counts quantities']},
  ],
  'Vitest that passes': ['      Tests  12 passed (12)\n', {passed: 12, failed: 0, failing: []}],
  'go test': [
    '--- FAIL: TestTotal (0.00s)\n    cart_test.go:5: 1 != 2\nFAIL\nFAIL\tcart\t0.002s\n',
    {failed: 1, failing: ['TestTotal']},
  ],
  'go test -v': [
    '--- PASS: TestEmpty (0.00s)\n--- FAIL: TestTotal (0.00s)\nFAIL\n',
    {passed: 1, failed: 1, failing: ['TestTotal']},
  ],
  'cargo test': [
    `test cart::empty ... ok
test cart::total ... FAILED

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
test result: ok. 2 passed; 0 failed; 0 ignored
`,
    {passed: 3, failed: 1, failing: ['cart::total']},
  ],
};

test.each(Object.entries(outputs))('%s', (_, [output, report]) => {
  expect(readTestReport(output)).toEqual(report);
});

test.each(['', 'ok', '3 passed the exam', 'FAIL', 'Tests: none', 'passing 3 in 4s'])(
  'the output "%s" is of no runner',
  (output) => {
    expect(readTestReport(output)).toBeUndefined();
  },
);
