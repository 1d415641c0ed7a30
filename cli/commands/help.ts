/** `quorate help [TOPIC]` and `--version`. */

import {helpText} from '../help.ts';
import {write, type Terminal} from '../terminal.ts';
import {version} from '../version.ts';
import type {CommandOf} from './command.ts';

export async function help({topic}: CommandOf<'help'>, {stdout}: Terminal): Promise<number> {
  await write(stdout, helpText(topic) ?? helpText() ?? '');
  return 0;
}

export async function showVersion(
  _command: CommandOf<'version'>,
  {stdout}: Terminal,
): Promise<number> {
  await write(stdout, `${version()}\n`);
  return 0;
}
