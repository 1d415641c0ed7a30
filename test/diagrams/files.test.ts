import {globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {expect, onTestFinished, test} from 'vitest';
import {createMachine} from 'xstate';

import {toSvg} from '../../diagrams/drawing/svg.ts';
import {diagramFiles, sketchFile, writeFiles} from '../../diagrams/files.ts';
import type {ChartPositions} from '../../diagrams/layout/positions.ts';
import {agentMachine, machines} from '../../machines/index.ts';

const folder = join(import.meta.dirname, '../../diagrams');

const lamp = createMachine({
  id: 'lamp',
  initial: 'off',
  states: {off: {on: {'lamp.switched': 'on'}}, on: {on: {'lamp.switched': 'off'}}},
});

test('a machine has its chart as positions, and as a picture of the positions', async () => {
  const files = await diagramFiles(lamp);
  const positions: ChartPositions = JSON.parse(files['positions/lamp.json'] ?? '');
  expect(files).toEqual({
    'positions/lamp.json': expect.any(String),
    'svg/lamp.svg': toSvg(positions),
  });
});

test('writing removes the diagrams of removed machines, and no other file', () => {
  const made = mkdtempSync(join(tmpdir(), 'diagrams-'));
  onTestFinished(() => rmSync(made, {recursive: true}));
  mkdirSync(join(made, 'svg'));
  for (const file of ['gone.svg', 'svg/gone.svg', 'keep.ts']) writeFileSync(join(made, file), '');
  writeFiles(made, {'lamp.svg': 'text', 'positions/lamp.json': '{}'}, ['*.svg', 'svg/*.svg']);
  const left = globSync('**/*.*', {cwd: made}).toSorted();
  expect(left).toEqual(['keep.ts', 'lamp.svg', 'positions/lamp.json']);
  expect(readFileSync(join(made, 'lamp.svg'), 'utf8')).toBe('text');
});

test('positions and pictures match the current machines', async () => {
  const found = globSync(['positions/*', 'svg/*'], {cwd: folder}).toSorted();
  const wanted = machines.flatMap(({id}) => [`positions/${id}.json`, `svg/${id}.svg`]);
  expect(found).toEqual(wanted.toSorted());
  for (const machine of machines) {
    for (const [file, text] of Object.entries(await diagramFiles(machine))) {
      expect(readFileSync(join(folder, file), 'utf8'), `run "npm run diagrams": ${file}`).toBe(
        text,
      );
    }
  }
});

test('the picture of the agent in README is drawn from its chart', async () => {
  for (const [file, text] of Object.entries(await sketchFile(agentMachine))) {
    expect(readFileSync(join(folder, file), 'utf8'), 'run "npm run diagrams"').toBe(text);
    expect(readFileSync('README.md', 'utf8')).toContain(`diagrams/${file}`);
  }
});
