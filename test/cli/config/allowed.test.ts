/** Permanent permissions of a person, in their own file. */

import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import * as fc from 'fast-check';
import {afterEach, beforeEach, expect, test} from 'vitest';

import {toAllowRules} from '../../../actors/config/rules.ts';
import {forgetRules, keepRule} from '../../../cli/config/allowed.ts';
import {isDeep} from '../../support/depth.ts';
import {createConfigFolders, type ConfigFolders} from './workspace.ts';

let folders: ConfigFolders;
let file: string;
beforeEach(() => {
  folders = createConfigFolders();
  file = join(folders.root, 'xdg', 'quorate', 'allowed.toml');
});
afterEach(() => folders.remove());

const deploy = {folder: '/w', command: 'npm run deploy', match: 'prefix'} as const;
const script = {
  folder: '/w',
  command: 'sh "a b".sh\\',
  match: 'exact',
  basedOn: 'a'.repeat(64),
} as const;

test('rules are added to the file of the user, readable by the user only, and apply to the next run', async () => {
  keepRule(deploy, folders.env);
  keepRule(script, folders.env);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const loaded = await folders.load();
  expect(toAllowRules(loaded.config)).toEqual([deploy, script]);
  const shown = loaded.explain().find(({key}) => key === 'allow');
  expect(shown).toMatchObject({value: [{command: 'npm run deploy'}, {}], source: `${file}:1:3`});
});

test('any command is read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({minLength: 1, unit: 'binary'}), async (command) => {
      writeFileSync(file, '');
      keepRule({folder: '/w', command, match: 'exact'}, folders.env);
      const [rule] = toAllowRules((await folders.load()).config);
      expect(rule?.command).toBe(command);
    }),
    {numRuns: isDeep ? 200 : 40},
  );
});

test('a revoked rule leads to a question again, for that folder and that command only', async () => {
  const elsewhere = {...deploy, folder: '/other'};
  const exact = {folder: '/w', command: 'npm run deploy', match: 'exact'} as const;
  for (const rule of [deploy, script, exact, elsewhere]) keepRule(rule, folders.env);
  expect(await forgetRules(deploy, folders.env)).toEqual([deploy, exact]);
  expect(toAllowRules((await folders.load()).config)).toEqual([script, elsewhere]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(forgetRules(deploy, folders.env)).rejects.toThrow(
    '"npm run deploy" is not allowed for good in /w; it is allowed in /other: name that folder with -C',
  );
  await expect(forgetRules({folder: '/w', command: 'sh'}, folders.env)).rejects.toThrow(
    String.raw`"sh" is not allowed for good in /w; there is "sh \"a b\".sh\\"`,
  );
  await forgetRules(script, folders.env);
  await expect(forgetRules(script, folders.env)).rejects.toThrow('nothing is allowed there');
});

test('rules of the configuration file come before them', async () => {
  folders.writeUser('[[allow]]\nfolder = "/a"\ncommand = "make x"\n');
  keepRule(deploy, folders.env);
  const {config} = await folders.load();
  expect(toAllowRules(config)).toMatchObject([{command: 'make x', match: 'exact'}, deploy]);
});

test('a project can allow nothing, until it is trusted', async () => {
  folders.writeProject('[[allow]]\nfolder = "/w"\ncommand = "rm -rf src"\n');
  const {config, warnings} = await folders.load();
  expect(config.allow).toEqual([]);
  expect(warnings[0]?.en).toContain('allow is ignored');
});

test('a file with anything else is refused with its place', async () => {
  writeFileSync(file, '[agent]\nhil_mode = "auto_approve"\n');
  expect(await folders.refusal()).toBe(
    `${file}:2:1: this file accepts only [[allow]]; put other settings into config.toml`,
  );
});

test('an invalid rule is refused with its place', async () => {
  keepRule(deploy, folders.env);
  writeFileSync(file, `${readFileSync(file, 'utf8')}[[allow]]\nfolder = "w"\ncommand = "x"\n`);
  expect(await folders.refusal()).toContain('is not an absolute path');
});
