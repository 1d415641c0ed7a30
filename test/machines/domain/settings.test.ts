/** What a change of settings leaves of those before, and whose work goes on with another model. */

import {expect, test} from 'vitest';

import {changeSettings, replacedModels} from '../../../machines/domain/settings.ts';
import {smallSettings} from '../events/settings.ts';

const settings = smallSettings('interactive', []);

const interview = {model: 'test/led', reviewer: 'test/judged', maxLoops: 10, maxFollowUps: 3};

test('a change of who leads an interview leaves the rest of it as it was', () => {
  const before = {...settings, interview};
  const after = changeSettings(before, {interview: {model: 'test/other'}});
  expect(after).toEqual({...settings, interview: {...interview, model: 'test/other'}});
  expect(replacedModels(before, after)).toEqual({'test/led': 'test/other'});
});

test('a run of an earlier version, which knows no interview, is left without one', () => {
  expect(changeSettings(settings, {interview: {model: 'test/other'}})).toEqual(settings);
});
