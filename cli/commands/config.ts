/** `quorate config`: every setting and where it comes from; with --trust, trusts the project file as it is now. */

import {join, resolve} from 'node:path';

import {loadConfig} from '../config/load.ts';
import {projectFileName} from '../config/paths.ts';
import {trustProject} from '../config/trust.ts';
import {styleFor} from '../lines/style.ts';
import {tableLines} from '../lines/table.ts';
import {oneLine, safeJson} from '../lines/text.ts';
import {widthOf, write, type Terminal} from '../terminal.ts';
import type {CommandOf} from './command.ts';

export async function config(
  {trust, cwd, output, overrides}: CommandOf<'config'>,
  {stdout, stderr, env}: Terminal,
): Promise<number> {
  const folder = resolve(cwd ?? '.');
  if (trust) {
    const {path, sha256} = await trustProject(join(folder, projectFileName), env);
    await write(stdout, `${oneLine(path, 1000)} is trusted as it is now (sha256 ${sha256})\n`);
    return 0;
  }
  const loaded = await loadConfig({cwd: folder, env, overrides});
  const warnings = loaded.warnings.map((line) => `warning: ${oneLine(line, 1000)}\n`);
  await write(stderr, warnings.join(''));
  const settings = loaded.explain();
  if (output === 'text') {
    const rows = settings.map(({key, value, source}) => [key, JSON.stringify(value), source]);
    const width = stdout.isTTY ? widthOf(stdout) : undefined;
    const lines = tableLines(['KEY', 'VALUE', 'SOURCE'], rows, styleFor(stdout, env), width);
    await write(stdout, `${lines.join('\n')}\n`);
  } else {
    await write(stdout, `${safeJson(settings, output === 'json' ? 2 : undefined)}\n`);
  }
  return 0;
}
