/** `quorate diagram`: its output for machines of Quorate and of a user. */

import {mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {toCode} from '../../../diagrams/code/code.ts';
import {toMermaid} from '../../../diagrams/mermaid.ts';
import {machines, quorumMachine} from '../../../machines/index.ts';
import {type Ran, runLine} from '../../support/command-line.ts';
import {unsafeCharacters} from '../unsafe-characters.ts';

const folder = mkdtempSync(join(tmpdir(), 'diagram-'));
const diagrams = join(import.meta.dirname, '../../../diagrams');

beforeAll(() => {
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'two.ts'),
    `import {createMachine} from 'xstate';
    const chart = {initial: 'off', states: {off: {on: {press: 'on'}}, on: {}}} as const;
    export const lamp = createMachine({id: 'lamp', ...chart});
    export const odd = createMachine({id: '\\u001b[31m\\u202e\\u0085"', ...chart});`,
  );
});

afterAll(() => rmSync(folder, {recursive: true}));

async function run(...args: readonly string[]): Promise<Ran> {
  return await runLine(['-C', folder, 'diagram', ...args], {HOME: folder});
}

function shipped(file: string): string {
  return readFileSync(join(diagrams, file), 'utf8');
}

describe('without a machine', () => {
  test('all machines of Quorate are listed', async () => {
    const {out, code} = await run();
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(machines.map(({id}) => id));
    expect(out).toMatch(/^lock +4 +13$/m);
  });

  test('the list is data for programs', async () => {
    const {out} = await run('--output', 'json');
    const list: unknown = JSON.parse(out);
    expect(list).toContainEqual({name: 'quorum', states: 12, transitions: 23});
  });

  test('a format is refused', async () => {
    expect(await run('--format', 'svg')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--format needs a machine'),
    });
  });
});

describe('a machine of Quorate', () => {
  test('is drawn in each format', async () => {
    expect((await run('quorum')).out).toBe(toMermaid(quorumMachine));
    expect((await run('quorum', '--format', 'svg')).out).toBe(shipped('svg/quorum.svg'));
    expect((await run('quorum', '--format', 'xstate')).out).toBe(toCode(quorumMachine));
    for (const words of [
      ['--format', 'json'],
      ['--output', 'json'],
    ]) {
      const {out} = await run('quorum', ...words);
      const drawn: unknown = JSON.parse(out);
      expect(drawn).toEqual({
        config: expect.objectContaining({id: 'quorum', initial: 'opened'}),
        positions: JSON.parse(shipped('positions/quorum.json')),
      });
    }
  });

  test('that does not exist is reported with the nearest one', async () => {
    const {code, err} = await run('quorun');
    expect([code, err]).toEqual([2, expect.stringContaining('did you mean "quorum"?')]);
  });

  test('is not drawn in an unknown format', async () => {
    const {code, err} = await run('quorum', '--format', 'pdf');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('unknown format "pdf"; the formats are mermaid, svg, json, xstate'),
    ]);
  });
});

describe('a machine in a file', () => {
  test('is laid out and drawn', async () => {
    const {out, code} = await run('two.ts:lamp', '--format', 'svg');
    expect(code).toBe(0);
    expect(out).toMatch(/^<svg [^]*<title>lamp<\/title>[^]*>press<\/text>[^]*<\/svg>\n$/);
  });

  test('is chosen if there are several', async () => {
    const {code, err} = await run('two.ts');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('two.ts exports several machines: choose two.ts:lamp or two.ts:odd'),
    ]);
  });

  test.each(['mermaid', 'svg', 'json', 'xstate'])(
    'reaches the terminal as %s without control characters',
    async (format) => {
      const {out, code} = await run('two.ts:odd', '--format', format);
      expect(code).toBe(0);
      expect(unsafeCharacters(out)).toEqual([]);
    },
  );
});
