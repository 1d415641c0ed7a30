/** `quorate config`: every setting and where it comes from; with --trust, trusts the project file as it is now. */

import {join, resolve} from 'node:path';

import type {Command} from '../command.ts';
import {projectFileName} from '../config/paths.ts';
import {styleFor} from '../lines/style.ts';
import {tableLines} from '../lines/table.ts';
import {oneLine, safeJson} from '../lines/text.ts';
import {tryToWrite, widthOf, write, type Terminal} from '../terminal.ts';

export const config: Command = {
  summary: 'show every setting and where it comes from; --trust: trust ./quorate.toml as it is',
  detail: `Prints every setting and where it comes from. Later ones win:

  1. defaults
  2. the user file      $XDG_CONFIG_HOME/quorate/config.toml (~/.config/quorate/config.toml)
  3. the project file   quorate.toml in the working folder
  4. the environment    QUORATE_SECTION_KEY, such as QUORATE_AGENT_HIL_MODE=auto_reject; lists with commas
  5. flags

A project file comes with somebody's code, so until you trust its content it may only tighten: lower limits, a stricter
rule, more reviews. Whatever loosens is ignored with a warning. quorate config --trust trusts ./quorate.toml exactly as
it is now; a change of the file ends the trust.`,
  obeys: ['output', 'models', 'panel', 'phases', 'limits'],
  options: [{name: 'trust', text: 'trust ./quorate.toml as it is now'}],
  run: async ({flags, cwd, output, overrides}, terminal) => {
    const {stdout, stderr, env} = terminal;
    const folder = resolve(cwd ?? '.');
    if (flags['trust']) return await trust(folder, terminal);
    const {loadConfig} = await import('../config/load.ts');
    const loaded = await loadConfig({cwd: folder, env, overrides});
    const warnings = loaded.warnings.map((line) => `warning: ${oneLine(line, 1000)}\n`);
    await tryToWrite(stderr, warnings.join(''));
    const settings = loaded.explain();
    if (output !== 'text') {
      await write(stdout, `${safeJson(settings, output === 'json' ? 2 : undefined)}\n`);
      return 0;
    }
    const rows = settings.map(({key, value, source}) => [key, JSON.stringify(value), source]);
    const width = stdout.isTTY ? widthOf(stdout) : undefined;
    const lines = tableLines(['KEY', 'VALUE', 'SOURCE'], rows, styleFor(stdout, env), width);
    await write(stdout, `${lines.join('\n')}\n`);
    return 0;
  },
};

async function trust(folder: string, {stdout, env}: Terminal): Promise<number> {
  const {trustProject} = await import('../config/trust.ts');
  const {path, sha256} = await trustProject(join(folder, projectFileName), env);
  await write(stdout, `${oneLine(path, 1000)} is trusted as it is now (sha256 ${sha256})\n`);
  return 0;
}
