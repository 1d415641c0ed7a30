/** A change of settings: the settings that it keeps, and the models that it replaces. */

import {expect, test} from 'vitest';

import {changeSettings, replacedModels} from '../../../machines/domain/settings.ts';
import {smallSettings} from '../events/settings.ts';

const settings = smallSettings('interactive', []);

const interview = {model: 'test/led', reviewer: 'test/judged', maxLoops: 10, maxFollowUps: 3};

test('a change of the interview model keeps the other interview settings', () => {
  const before = {...settings, interview};
  const after = changeSettings(before, {interview: {model: 'test/other'}});
  expect(after).toEqual({...settings, interview: {...interview, model: 'test/other'}});
  expect(replacedModels(before, after)).toEqual({'test/led': 'test/other'});
});

test('a run of an earlier version without interview settings stays without them', () => {
  expect(changeSettings(settings, {interview: {model: 'test/other'}})).toEqual(settings);
});
