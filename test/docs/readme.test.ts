import {expect, test} from 'vitest';

import {grammar, questions, repertoire} from '../../actors/model/offline/repertoire.ts';
import {policyRules} from '../../actors/policies/index.ts';
import {commands} from '../../cli/commands/index.ts';
import {readDocument, sectionOf} from '../support/documents.ts';
import {withSettings} from './settings.ts';

const commandLine = readDocument('cli/README.md');
const offline = readDocument('actors/model/offline/README.md');
const settings = readDocument('actors/config/README.md');
const rules = readDocument('actors/policies/README.md');

test.each(policyRules)(
  'the page of the policies has what $policy/$id refuses',
  ({policy, id, refuses}) => {
    const row = rules.split('\n').find((line) => line.includes(`\`${id}\``));
    expect(row).toMatch(new RegExp(`^\\| ${policy} `));
    expect(row?.replaceAll(/\s+/g, ' ')).toContain(
      refuses.replaceAll('|', '\\|').replaceAll(/\s+/g, ' '),
    );
  },
);

test.each(repertoire)(
  'the page of the offline model has what it does for $skill',
  ({does, phrases}) => {
    const row = offline.split('\n').find((line) => line.includes(`| ${does} `));
    expect(row).toContain(phrases.map((phrase) => `“${phrase}”`).join(' · '));
  },
);

test.each([
  ...grammar.scopes.map((words) => `\`${words}\``),
  ...grammar.parts.map((words) => `“${words}”`),
])('the page of the offline model names %s', (words) => {
  expect(offline.replaceAll(/\s+/g, ' ')).toContain(words);
});

test.each(questions)(
  'the page of the offline model has what it does with “$phrase”',
  (question) => {
    const row = offline.split('\n').find((line) => line.startsWith(`| ${question.phrase} `));
    expect(row).toContain(question.does);
  },
);

test('the page of the configuration has every setting as the schema has it', () => {
  expect(settings).toBe(withSettings(settings));
});

test('the page of the command line names every event and command that there is', () => {
  const section = sectionOf(commandLine, '## Output for programs');
  const told = new Set(section.match(/(?<=`)[a-z]+\.[a-z]+(?=`)/g));
  const source = readDocument('machines/facts/progress.ts');
  const types = source.match(/(?<=readonly type: ')[a-z]+\.[a-z]+(?=')/g);
  expect([...told].toSorted()).toEqual([...new Set(types)].toSorted());
  for (const name of Object.keys(commands)) {
    expect(commandLine).toMatch(new RegExp(`quorate (?:\\w+\`, \`)?${name}|, \`${name}\``));
  }
});
