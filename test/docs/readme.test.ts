import {readFileSync} from 'node:fs';

import {expect, test} from 'vitest';

import {grammar, questions, repertoire} from '../../actors/model/offline/repertoire.ts';
import {policyRules} from '../../actors/policies/index.ts';
import {commands} from '../../cli/commands/index.ts';
import {withSettings} from './settings.ts';

const readme = readFileSync('README.md', 'utf8');

const rules = readFileSync('actors/policies/README.md', 'utf8');

test.each(policyRules)(
  'beside the policies stands what $policy/$id refuses',
  ({policy, id, refuses}) => {
    const row = rules.split('\n').find((line) => line.includes(`\`${id}\``));
    expect(row).toMatch(new RegExp(`^\\| ${policy} `));
    expect(row?.replaceAll(/\s+/g, ' ')).toContain(
      refuses.replaceAll('|', '\\|').replaceAll(/\s+/g, ' '),
    );
  },
);

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
    readme.indexOf('## Your data'),
  );
  expect(section.replaceAll(/\s+/g, ' ')).toContain(words);
});

test.each(questions)('README says what the offline model does with “$phrase”', (question) => {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${question.phrase} `));
  expect(row).toContain(question.does);
});

test('README has every setting as the schema has it', () => {
  expect(readme).toBe(withSettings(readme));
});

test('README names every event and command that there is', async () => {
  const section = readme.slice(
    readme.indexOf('## Output for programs'),
    readme.indexOf('## The agent'),
  );
  const told = new Set(section.match(/(?<=`)[a-z]+\.[a-z]+(?=`)/g));
  const source = readFileSync('machines/facts/progress.ts', 'utf8');
  const types = source.match(/(?<=readonly type: ')[a-z]+\.[a-z]+(?=')/g);
  expect([...told].toSorted()).toEqual([...new Set(types)].toSorted());
  for (const name of Object.keys(commands)) {
    expect(readme).toMatch(new RegExp(`quorate (?:\\w+\`, \`)?${name}|, \`${name}\``));
  }
});
