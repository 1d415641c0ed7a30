/** The table as a whole: what every entry keeps to. */

import {expect, test} from 'vitest';

import type {Program} from '../../../../tools/commands/program.ts';
import {kinds, programs} from '../../../../tools/commands/programs/index.ts';
import {isRole} from '../../../../tools/commands/role.ts';

type Entry = Omit<Program, 'name'>;

const entries = Object.values(kinds).flat();

function withSubcommands(entry: Entry): readonly Entry[] {
  return [entry, ...Object.values(entry.subcommands ?? {}).flatMap(withSubcommands)];
}

function rolesNamed({options = '', operands = '', does = '', when = {}}: Entry): readonly string[] {
  const changed = Object.values(when);
  const ofOptions = options.split(' ').flatMap((option) =>
    option
      .split('=')
      .slice(1)
      .flatMap((text) => text.split(',')),
  );
  const ofOperands = [operands, ...changed.map((change) => change.operands ?? '')].flatMap((text) =>
    text.split(' '),
  );
  const ofDoes = [does, ...changed.map((change) => change.does ?? '')]
    .flatMap((text) => text.split(' '))
    .map((text) => text.split('=')[0] ?? '');
  return [...ofOptions, ...ofOperands, ...ofDoes]
    .map((role) => role.replaceAll(/[?*+]/g, ''))
    .filter((role) => role !== '');
}

test('every program stands in the table once', () => {
  const names = entries.flatMap(({name}) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(programs.size).toBe(names.length);
});

test.each(entries.map((entry) => [[entry.name].flat()[0], entry] as const))(
  '%s names roles, options and what changes them as the reader knows them',
  (_, program) => {
    for (const entry of withSubcommands(program)) {
      const unknown = rolesNamed(entry).filter((role) => role !== 'from' && !isRole(role));
      expect(unknown).toEqual([]);
      const names = (entry.options ?? '')
        .split(' ')
        .flatMap((option) => (option.split('=')[0] ?? '').split('|'));
      expect(names.filter((name) => !/^(|\*|-NUM|-[^-].*|--.+)$/.test(name))).toEqual([]);
      const changing = Object.keys(entry.when ?? {})
        .flatMap((key) => key.split(' '))
        .filter((name) => name !== '');
      expect(changing.filter((name) => !names.includes(name))).toEqual([]);
    }
  },
);
