/** `quorate doctor`: what is configured, reachable and missing. */

import {resolve} from 'node:path';

import {toPrices, toProviders} from '../../actors/config/providers.ts';
import {createOfflineModel} from '../../actors/model/offline/offline.ts';
import {createRouter} from '../../actors/model/router.ts';
import {loadConfig} from '../config/load.ts';
import {doctor as examine, doctorLines} from '../doctor.ts';
import {escapedLines, safeJson} from '../lines/text.ts';
import {write, type Terminal} from '../terminal.ts';
import type {CommandOf} from './command.ts';

export async function doctor(
  {cwd: folder = '.', online, output, overrides}: CommandOf<'doctor'>,
  {stdout, env}: Terminal,
): Promise<number> {
  const cwd = resolve(folder);
  const loaded = await loadConfig({cwd, env, overrides});
  const router = createRouter({
    providers: toProviders(loaded.config),
    prices: toPrices(loaded.config),
    extra: [createOfflineModel()],
    env,
  });
  const report = await examine({loaded, router, env, cwd, online});
  const text =
    output === 'text'
      ? doctorLines(report).flatMap(escapedLines).join('\n')
      : safeJson(report, output === 'json' ? 2 : undefined);
  await write(stdout, `${text}\n`);
  return report.exitCode;
}
