/** The official conformance suite of MCP, by `npx` in an exact version, and the scenarios that do not apply. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {execa} from 'execa';

export const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

export const revisions = ['2025-11-25', '2026-07-28'] as const;

export type Revision = (typeof revisions)[number];

/** Scenarios that must fail, by the reason: one that passes is an error, too. */
export type Baseline = Readonly<Record<string, readonly string[]>>;

export interface Outcome {
  readonly exitCode: number | undefined;
  /** The last lines. */
  readonly summary: string;
}

/** Runs `npx conformance` in a folder of its own; never rejects for a failed scenario. */
export async function runConformance(
  role: 'client' | 'server',
  args: readonly string[],
  baseline: Baseline = {},
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-conformance-'));
  try {
    const file = join(folder, 'baseline.yml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({[role]: Object.values(baseline).flat()}));
    const {exitCode, stdout, stderr} = await execa(
      'npx',
      ['--prefer-offline', '-y', suite, role, ...args, '--expected-failures', file],
      {cwd: folder, stdin: 'ignore', reject: false},
    );
    return {exitCode, summary: `${stdout.slice(-6_000)}\n${stderr.slice(-2_000)}`};
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
