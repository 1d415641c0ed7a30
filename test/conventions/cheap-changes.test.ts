/** A rule of the quorum is written in one file, and a key of the configuration is one row; other files rarely name them. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {parseSync, Visitor} from 'rolldown/utils';
import {describe, expect, test} from 'vitest';

import {knownKeys} from '../../actors/config/keys.ts';
import {ruleForms} from '../../machines/panel/rule.ts';

const root = join(import.meta.dirname, '../..');

interface Source {
  readonly file: string;
  readonly text: string;
}

function sourcesIn(...rooms: readonly string[]): readonly Source[] {
  return globSync(rooms, {cwd: root})
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .map((file) => ({file, text: readFileSync(join(root, file), 'utf8')}));
}

describe('a rule of the quorum', () => {
  const home = 'machines/panel/rule.ts';
  // Prompts are English text, so that these words have their usual meaning.
  const sources = sourcesIn('{machines,actors,tools,cli,diagrams}/**').filter(
    ({file}) => file !== home && !/prompts?\.ts$/.test(file),
  );
  const rules = ruleForms.map(({spelling}) => spelling.replace(/\W.*/, ''));
  const names = rules.filter((name) => name.length > 1);

  test('is known by its name', () => {
    expect(names).toEqual(['majority', 'unanimous', 'at_least']);
  });

  test.each(names)('%s is named in at most one file besides its own', (name) => {
    const word = new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`);
    const naming = sources.filter(
      ({file, text}) =>
        text.includes(name) && stringsIn(file, text).some((string) => word.test(string)),
    );
    expect(naming.map(({file}) => file).slice(1)).toEqual([]);
  });
});

describe('a key of the configuration', () => {
  /** The code that handles all keys, besides their rows: reading, checking, changing and showing them. */
  const handling = sourcesIn('actors/config/*', 'cli/config/*');

  /** Keys from which other keys are resolved, and the files that do so today. No list may grow; a new key needs none. */
  const resolved: Readonly<Record<string, number>> = {
    'agent.consensus_level': 3,
    'agent.phase_scope': 4,
    'agent.strategy': 3,
    'agent.exploration_model': 4,
    'agent.decision_model': 7,
    'agent.review_models': 8,
    'quorum.rule': 4,
    'quorum.min_participation': 2,
    'quorum.weights': 3,
    'quorum.veto': 2,
    'quorum.screen': 1,
    'limits.max_cost_usd': 1,
    'ask.model': 5,
    'discuss.participants': 3,
    'discuss.moderator': 2,
    'debate.models': 1,
    'interview.model': 4,
    'interview.reviewer': 2,
    'commands.env': 1,
  };

  test.each(knownKeys.filter((key) => key.includes('.')))('%s is named in its row', (key) => {
    const naming = handling.filter(({text}) => isNamedIn(text, key)).map(({file}) => file);
    expect(naming.slice(resolved[key] ?? 0)).toEqual([]);
  });

  test('each key in the list still needs its exception', () => {
    const needed = new Set(
      knownKeys.filter((key) => handling.some(({text}) => isNamedIn(text, key))),
    );
    expect(Object.keys(resolved).filter((key) => !needed.has(key))).toEqual([]);
  });
});

/**
 * True when code or a string, not a comment, has the key: `agent.hil_mode`, or `hil_mode` alone, which has no other meaning.
 */
function isNamedIn(text: string, key: string): boolean {
  const [, name = ''] = key.split('.');
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  return (
    code.includes(key) || (name.includes('_') && new RegExp(String.raw`\b${name}\b`).test(code))
  );
}

/** Throws for a file that cannot be parsed. */
function stringsIn(file: string, text: string): readonly string[] {
  const {program, errors} = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({message}) => message).join()}`);
  const strings: string[] = [];
  new Visitor({
    Literal: ({value}) => {
      if (typeof value === 'string') strings.push(value);
    },
    TemplateElement: ({value}) => {
      strings.push(value.raw);
    },
  }).visit(program);
  return strings;
}
