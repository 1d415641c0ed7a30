import {readFileSync} from 'node:fs';

import {expect, test} from 'vitest';

import {grammar, questions, repertoire} from '../../actors/model/offline/repertoire.ts';
import {policyRules} from '../../actors/policies/index.ts';
import {withPicture} from '../../diagrams/write.ts';
import {agentMachine} from '../../machines/forms/agent/agent.ts';

const readme = readFileSync('README.md', 'utf8');

test.each(policyRules)('README says what $policy/$id refuses', ({policy, id, refuses}) => {
  const row = readme.split('\n').find((line) => line.includes(`\`${id}\``));
  expect(row).toMatch(new RegExp(`^\\| ${policy} `));
  expect(row?.replaceAll(/\s+/g, ' ')).toContain(
    refuses.replaceAll('|', '\\|').replaceAll(/\s+/g, ' '),
  );
});

test.each(repertoire)('README says what the offline model does for $skill', ({does, phrases}) => {
  const row = readme.split('\n').find((line) => line.includes(`| ${does} `));
  expect(row).toContain(phrases.map((phrase) => `“${phrase}”`).join(' · '));
});

test.each([
  ...grammar.scopes.map((words) => `\`${words}\``),
  ...grammar.parts.map((words) => `“${words}”`),
])('README names %s', (words) => {
  const section = readme.slice(
    readme.indexOf('## The offline model'),
    readme.indexOf('## As a library'),
  );
  expect(section.replaceAll(/\s+/g, ' ')).toContain(words);
});

test.each(questions)('README says what the offline model does with “$phrase”', (question) => {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${question.phrase} `));
  expect(row).toContain(question.does);
});

test('the picture of the agent is drawn from its chart', () => {
  expect(readme).toBe(withPicture(readme, agentMachine));
});
