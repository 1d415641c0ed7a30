/** Warnings before a run whose commands are not confined. */

import {expect, test} from 'vitest';

import type {ConfigInput} from '../../actors/index.ts';
import {follow, ofType, setStage} from '../support/stage.ts';

/** Warnings of a run whose one task does nothing. */
async function warningsOf(sandbox: ConfigInput['sandbox']): Promise<readonly string[]> {
  const {start} = setStage({config: {agent: {review_models: ['t/a']}, sandbox}});
  const {events} = await follow(start('Look around'));
  const warnings = ofType(events, 'warning').map(({message}) => message);
  return warnings.filter((message) => message.startsWith('sandbox: '));
}

/** No machine has this image. */
const broken = {container: 'podman', image: 'localhost/quorate-has-no-such-image'} as const;

test('a warning names a sandbox that does not work, and says that commands run unconfined', async () => {
  expect(await warningsOf({mode: 'auto', ...broken})).toEqual([
    expect.stringMatching(/^sandbox: .*, so approved commands run unconfined; see quorate doctor$/),
  ]);
});

test('with a required sandbox, the warning says that commands are refused', async () => {
  expect(await warningsOf({mode: 'required', ...broken})).toEqual([
    expect.stringMatching(/^sandbox: required, but .*: commands are refused; see quorate doctor$/),
  ]);
});

test('a sandbox that is switched off causes no warning', async () => {
  expect(await warningsOf({mode: 'off'})).toEqual([]);
});
