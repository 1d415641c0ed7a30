/** The commands of a workflow. */

import {expect, test} from 'vitest';

import {commandsOfWorkflow} from '../../../cli/init/workflow.ts';

test('one-line and block commands are read in order, each once', () => {
  const text = `on: push
jobs:
  a:
    steps:
      - uses: actions/checkout@v4
      - run: "npm ci"
      - name: all
        run: |-
          # a comment
          npm run build

          npm test
        env:
          X: 1
      - run: >
          npm test
  b:
    steps:
      - run: npm ci
      - run: make`;
  expect(commandsOfWorkflow(text)).toEqual(['npm ci', 'npm run build', 'npm test', 'make']);
  expect(commandsOfWorkflow('')).toEqual([]);
  expect(commandsOfWorkflow('run: |')).toEqual([]);
});
