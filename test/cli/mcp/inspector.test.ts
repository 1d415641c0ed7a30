/** The inspector of the protocol's makers as a second, independent client. Needs a package registry: only in a deep search. */

import {execa} from 'execa';
import {beforeAll, describe, expect, it} from 'vitest';

import {launcherProgram} from '../../support/built.ts';
import {isDeep} from '../../support/depth.ts';
import {createLauncher, environmentIn} from '../../support/launch.ts';
import {fetchMs, fetchPackages} from '../../support/published.ts';

const inspector = '@modelcontextprotocol/inspector@2.12.0';

describe.runIf(isDeep)('the inspector', () => {
  beforeAll(async () => await fetchPackages(inspector), fetchMs);

  it('lists the tools of quorate mcp, and calls one', async () => {
    const launcher = createLauncher();
    try {
      const program = [process.execPath, await launcherProgram(), 'mcp'];
      const inspect = async (...args: readonly string[]): Promise<unknown> => {
        const {HOME: _, ...env} = environmentIn(launcher.folder, {});
        const {stdout} = await execa(
          'npx',
          ['--prefer-offline', '-y', inspector, '--cli', ...program, ...args],
          {
            cwd: launcher.folder,
            env,
            stdin: 'ignore',
          },
        );
        return JSON.parse(stdout);
      };
      expect(await inspect('--method', 'tools/list')).toMatchObject({
        tools: [{name: 'review_diff'}, {name: 'plan'}, {name: 'ask'}, {}, {name: 'recount'}],
      });
      const call = ['--method', 'tools/call', '--tool-name', 'ask'];
      expect(await inspect(...call, '--tool-arg', 'question=What is 6*7?')).toMatchObject({
        structuredContent: {status: 'completed', answer: '6*7 = 42'},
      });
    } finally {
      launcher.remove();
    }
  });
});
