/**
 * A machine that refuses user namespaces, on which bubblewrap is installed and can't work: Landlock confines. Without koffi, nothing
 * does. Both are said. The machine is a real one: this process runs in a bubblewrap that refuses further namespaces.
 */

import {execFileSync} from 'node:child_process';
import {existsSync, realpathSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {describe, expect, test} from 'vitest';

import type {PreviewOutcome, ToolOutcome} from '../../../machines/domain/tool.ts';
import type {Probe} from '../../../tools/run/sandbox.ts';
import {createPlace, type Place, secretText, textOf} from '../place.ts';
import {canConfine, hasLandlock} from './confined.ts';

interface Tried {
  readonly probe: Probe;
  readonly outcomes: readonly {readonly preview: PreviewOutcome; readonly outcome: ToolOutcome}[];
}

const script = join(import.meta.dirname, 'grade-child.ts');
/** `…/koffi/index.js`, or a file below it. */
const koffi = /^.*\/koffi(?=\/)/.exec(
  realpathSync(fileURLToPath(import.meta.resolve('koffi'))),
)?.[0];

/** `hidden`: a folder that is empty on that machine. */
function tryOn({workspace}: Place, hidden: string | undefined, ...commands: string[]): Tried {
  const refusing = ['--unshare-user', '--disable-userns', '--cap-drop', 'ALL'];
  const files = ['--dev-bind', '/', '/', ...(hidden === undefined ? [] : ['--tmpfs', hidden])];
  const program = [process.execPath, '--no-warnings', script, workspace, ...commands];
  const output = execFileSync('bwrap', [...refusing, ...files, ...program], {
    encoding: 'utf8',
    cwd: dirname(script),
  });
  return JSON.parse(output);
}

function connect(port: number): string {
  return `${process.execPath} -e 'require("net").connect(${port}).on("error", e => console.log(e.code))'`;
}

describe.runIf(canConfine && hasLandlock)('where user namespaces are refused', () => {
  test('no program makes one', () => {
    const {outcomes} = tryOn(createPlace(), koffi, 'unshare -Ur true || echo refused');
    expect(outcomes.map(({outcome}) => textOf(outcome))).toEqual([
      expect.stringMatching(/refused\n$/),
    ]);
  });

  test('Landlock confines a command, and its preview and record say so', () => {
    const place = createPlace();
    const {probe, outcomes} = tryOn(
      place,
      undefined,
      `cat ${place.outside}/secret.txt; echo x >${place.outside}/planted; echo in >made`,
      connect(9),
    );
    expect(probe).toEqual({confined: true, by: 'landlock', network: []});
    expect(outcomes).toMatchObject([
      {
        preview: {
          confinement: 'landlock',
          preview: expect.stringContaining('confined by landlock, no network'),
        },
        outcome: {kind: 'succeeded', confinement: 'landlock'},
      },
      {outcome: {text: 'EACCES\n', confinement: 'landlock'}},
    ]);
    expect(JSON.stringify(outcomes)).not.toContain(secretText.trim());
    expect(place.text('made')).toBe('in\n');
  });

  test('without koffi nothing does: the reason names both, and the preview and the record say unconfined', () => {
    const place = createPlace();
    const made = join(dirname(place.outside), 'made');
    const {probe, outcomes} = tryOn(place, koffi, `echo out >${made}`);
    expect(probe).toEqual({
      confined: false,
      why: expect.stringMatching(
        /^bubblewrap does not work here \(.*namespace.*\); the package koffi, which Landlock needs, is not installed$/,
      ),
    });
    expect(outcomes).toMatchObject([
      {
        preview: {confinement: 'none', preview: expect.stringContaining('\nunconfined: ')},
        outcome: {kind: 'succeeded', confinement: 'none'},
      },
    ]);
    expect(existsSync(made)).toBe(true);
  });
});
