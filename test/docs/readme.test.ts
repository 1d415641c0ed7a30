/** The documentation agrees with the code. */

import {expect, test} from 'vitest';

import {grammar, questions, repertoire} from '../../actors/model/offline/repertoire.ts';
import {diffRules, policyRules} from '../../actors/policies/index.ts';
import {commands} from '../../cli/commands/index.ts';
import {readDocument, sectionOf} from '../support/documents.ts';
import {generatedPages, withLists} from './generated.ts';

const commandLine = readDocument('cli/README.md');
const offline = readDocument('actors/model/offline/README.md');
const rules = readDocument('actors/policies/rules.md');

test.each(generatedPages)('the lists of %s match the code', (path) => {
  const page = readDocument(path);
  expect(withLists(path, page)).toBe(page);
});

test.each(policyRules)(
  'the list of rules has what $policy/$id refuses',
  ({policy, id, refuses}) => {
    const plans = sectionOf(rules, '## Plans, calls and results');
    const [, list = ''] = plans.split(`**policy/${policy}**`);
    expect(list.split('**policy/')[0]?.split('\n')).toContain(`- \`${id}\`: ${refuses}`);
  },
);

test.each(diffRules)('the list of rules has the rule $policy/$id for diffs', (rule) => {
  const diffs = sectionOf(rules, '## Diffs').split('\n');
  expect(diffs).toContain(`- \`${rule.id}\`: (${rule.severity}) ${rule.refuses}`);
});

test.each(repertoire)(
  'the page of the offline model has what it does for $skill',
  ({does, phrases}) => {
    const [, row] = offline.split(`**: ${does}\n`);
    expect(row?.split('\n')[0]).toContain(phrases.map((phrase) => `“${phrase}”`).join(' · '));
  },
);

test.each([
  ...grammar.scopes.map((words) => `\`${words}\``),
  ...grammar.parts.map((words) => `“${words}”`),
])('the page of the offline model names %s', (words) => {
  expect(offline).toContain(words);
});

test.each(questions)(
  'the page of the offline model has what it does with “$phrase”',
  (question) => {
    expect(offline.split('\n')).toContain(`- “${question.phrase}”: ${question.does}`);
  },
);

test('the page of the command line names every event and command', () => {
  const section = sectionOf(commandLine, '## Output for programs');
  const named = new Set(section.match(/(?<=`)[a-z]+\.[a-z]+(?=`)/g));
  const source = readDocument('machines/facts/progress.ts');
  const types = source.match(/(?<=readonly type: ')[a-z]+\.[a-z]+(?=')/g);
  expect([...named].toSorted()).toEqual([...new Set(types)].toSorted());
  for (const name of Object.keys(commands)) {
    expect(commandLine).toMatch(new RegExp(`quorate (?:\\w+\`, \`)?${name}|, \`${name}\``));
  }
});
