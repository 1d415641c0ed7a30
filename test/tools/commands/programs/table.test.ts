/** The table as a whole: every file of it is understood. */

import {expect, test} from 'vitest';

import type {Program} from '../../../../tools/commands/program.ts';
import {refinements, topics} from '../../../../tools/commands/refinements/index.ts';
import {programTexts} from '../../../../tools/commands/table/program-texts.ts';
import {programs} from '../../../../tools/commands/table/programs.ts';

const texts = programTexts();
const names = [...programs.keys()];

/** Throws for an entry with a fault. */
function parseAll({subcommands = {}}: Omit<Program, 'name'>): void {
  for (const entry of Object.values(subcommands)) parseAll(entry);
}

test.each(names)('%s is understood, with all its subcommands', (name) => {
  const program = programs.get(name);
  expect([program?.name].flat()).toContain(name);
  if (program) parseAll(program);
});

test('every group is included somewhere', () => {
  const written = Object.values(texts).join('\n');
  const groups = [...written.matchAll(/^group (\S+)$/gm)].map(([, name = '']) => name);
  const included = new Set([...written.matchAll(/^\s+include (\S+)$/gm)].map(([, name]) => name));
  expect(groups.length).toBeGreaterThan(20);
  expect(groups.filter((name) => !included.has(name))).toEqual([]);
});

test('every refinement is used, and has a name of its own', () => {
  const lines = Object.values(texts)
    .join('\n')
    .matchAll(/^\s+refine (.+)$/gm);
  const used = new Set([...lines].flatMap(([, line = '']) => line.split(' ')));
  expect(Object.keys(refinements).filter((name) => !used.has(name))).toEqual([]);
  expect(Object.keys(refinements)).toHaveLength(topics.flatMap(Object.keys).length);
});

test('a program is found by its other names, and by no others', () => {
  expect(programs.get('pip3')).toBe(programs.get('pip'));
  expect(programs.has('pip3')).toBe(true);
  expect(programs.get('constructor')).toBeUndefined();
  expect(programs.has('constructor')).toBe(false);
});
