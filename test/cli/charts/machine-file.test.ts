/** Machines are found by the name of a file, of an export, or of a machine of Quorate. */

import {mkdtempSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {beforeAll, expect, test} from 'vitest';

import {findExport, findMachine, findMachines} from '../../../cli/charts/machine-file.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'charts-'));
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
  const two = `import {createMachine} from 'xstate';
    export const lamp = createMachine({id: 'lamp'});
    export const door = createMachine({id: 'door'});
    export const samples: readonly string[] = ['a'];`;
  writeFileSync(join(folder, 'two.ts'), two);
  writeFileSync(join(folder, 'a:b.ts'), two);
  writeFileSync(join(folder, 'none.ts'), 'export const size = 3;');
  writeFileSync(join(folder, 'broken.ts'), 'export const = 3;');
});

test('a file stands for all its machines, an export for one', async () => {
  const all = await findMachines('two.ts', folder);
  expect(all.map(({source}) => source?.name)).toEqual(['door', 'lamp']);
  expect((await findMachine('two.ts:lamp', folder)).machine.id).toBe('lamp');
  expect((await findMachine('a:b.ts:lamp', folder)).machine.id).toBe('lamp');
  expect((await findMachine('quorum')).machine.id).toBe('quorum');
  expect(await findExport('two.ts', 'samples', folder)).toEqual(['a']);
});

test.each([
  ['two.ts', 'two.ts exports several machines: choose two.ts:door or two.ts:lamp'],
  [
    'two.ts:lam',
    'two.ts does not export the machine lam; did you mean "lamp"?; its machines: door, lamp',
  ],
  [
    'none.ts',
    'none.ts exports no XState machine, but size; a machine is made by createMachine of xstate 5',
  ],
  ['gone.ts', 'the file gone.ts does not exist'],
  [
    'machines/tree/lock.ts',
    'the file machines/tree/lock.ts does not exist; a machine of Quorate is named without a file; did you mean "lock"?',
  ],
  ['tree/lock', 'is neither a file nor a machine of Quorate; did you mean "lock"?'],
  ['gone.ts:lamp', 'the file gone.ts does not exist'],
  [
    'quorums',
    '"quorums" is neither a file nor a machine of Quorate; did you mean "quorum"?; quorate diagram lists the machines',
  ],
])('%s is refused', async (word, message) => {
  await expect(findMachine(word, folder)).rejects.toThrow(message);
});

test('a module that cannot be imported is named with the reason', async () => {
  await expect(findMachine('broken.ts', folder)).rejects.toThrow(/broken\.ts cannot be imported: /);
});
