/**
 * `quorate config`: every setting and its source; with --trust, trusts the project file as it is now; with --forget, removes
 * permanent permissions.
 */

import {realpath} from 'node:fs/promises';
import {join, resolve} from 'node:path';

import {allowedText} from '../../machines/domain/allow-rule.ts';
import {projectFileName} from '../config/paths.ts';
import type {Command} from '../line/command.ts';
import {styleFor} from '../render/style.ts';
import type {ShownSetting} from '../render/tables/settings.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {tryToWrite, write, type Terminal} from '../terminal.ts';

export const config: Command = {
  summary:
    'show every setting and where it comes from; --trust: trust ./quorate.toml; --forget: take back /always',
  detail: `Prints every setting as TOML: what it means, its value, where it comes from, and the models in effect where those
that are named lack a key. Later ones win:

  1. defaults
  2. the user file      $XDG_CONFIG_HOME/quorate/config.toml (~/.config/quorate/config.toml)
  3. the project file   quorate.toml in the working folder
  4. the environment    QUORATE_SECTION_KEY, such as QUORATE_AGENT_HIL_MODE=auto_reject; lists with commas
  5. flags

A project file comes with somebody's code, so until you trust its content it may only tighten: lower limits, a stricter
rule, more reviews. Whatever loosens is ignored with a warning. quorate config --trust trusts ./quorate.toml exactly as
it is now; a change of the file ends the trust.

What /always has allowed for good stands in $XDG_CONFIG_HOME/quorate/allowed.toml. quorate config --forget COMMAND takes it
back for the working folder, by the command or the first words of it that were allowed. Runs under way keep it.`,
  obeys: ['output', 'models', 'rule', 'panel', 'phases', 'plans', 'tasks', 'limits'],
  options: [
    {name: 'trust', text: 'trust ./quorate.toml as it is now'},
    {name: 'forget', takes: 'COMMAND', text: 'ask about this command again in the working folder'},
  ],
  examples: ['quorate config --forget "npm run deploy"'],
  run: async ({flags, cwd, output, overrides}, terminal) => {
    const {stdout, stderr, env} = terminal;
    const folder = resolve(cwd ?? '.');
    if (flags['trust']) return await trust(folder, terminal);
    const forgotten = flags['forget']?.at(-1);
    if (forgotten !== undefined) return await forget(forgotten, folder, terminal);
    const {loadConfig} = await import('../config/load.ts');
    const loaded = await loadConfig({cwd: folder, env, overrides});
    const warnings = loaded.warnings.map((line) => `warning: ${oneLine(line, 1000)}\n`);
    await tryToWrite(stderr, warnings.join(''));
    const {modelsInEffect, routerOf} = await import('../config/in-effect.ts');
    const {models, problems} = modelsInEffect(loaded, routerOf(loaded, env));
    const settings = loaded.explain().map((row): ShownSetting => {
      const inEffect = models[row.key];
      return inEffect === undefined ? row : Object.assign({inEffect}, row);
    });
    if (output === 'text') {
      const {settingsText} = await import('../render/tables/settings.ts');
      await write(stdout, settingsText(settings, styleFor(stdout, env)));
    } else await write(stdout, `${safeJson(settings, output === 'json' ? 2 : undefined)}\n`);
    await tryToWrite(stderr, problems.map((line) => `warning: ${oneLine(line, 1000)}\n`).join(''));
    return 0;
  },
};

async function trust(folder: string, {stdout, env}: Terminal): Promise<number> {
  const {trustProject} = await import('../config/trust.ts');
  const {path, sha256} = await trustProject(join(folder, projectFileName), env);
  await write(stdout, `${oneLine(path, 1000)} is trusted as it is now (sha256 ${sha256})\n`);
  return 0;
}

async function forget(command: string, cwd: string, {stdout, env}: Terminal): Promise<number> {
  const {forgetRules} = await import('../config/allowed.ts');
  const folder = await realpath(cwd);
  const rules = await forgetRules({folder, command: command.trim().replace(/ …$/, '')}, env);
  const lines = rules.map((rule) => `no longer allowed in ${folder}: ${allowedText(rule)}`);
  await write(stdout, lines.map((line) => `${oneLine(line, 1000)}\n`).join(''));
  return 0;
}
