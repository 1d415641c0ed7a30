/** The commands of an interview. */

import {expect, it} from 'vitest';

import {readSpoken, type Spoken} from '../../../cli/interview/commands.ts';

it.each<[string, Spoken]>([
  ['Ann Smith', {kind: 'say', text: 'Ann Smith'}],
  ['  two\nlines ', {kind: 'say', text: 'two\nlines'}],
  ['/skip', {kind: 'say', text: 'skip'}],
  ['/why', {kind: 'say', text: 'why?'}],
  ['/pause', {kind: 'say', text: 'pause'}],
  ['/restart', {kind: 'say', text: 'start over'}],
  ['/back', {kind: 'back', name: ''}],
  ['/back  Full name', {kind: 'back', name: 'Full name'}],
  ['/review お名前', {kind: 'review', name: 'お名前'}],
  ['/submit', {kind: 'submit'}],
  ['/quit', {kind: 'quit'}],
  ['/help', {kind: 'help'}],
  ['//usr/bin', {kind: 'say', text: '/usr/bin'}],
  ['/skpi', {kind: 'unknown', word: 'skpi', near: 'skip'}],
  ['/usr/bin is where', {kind: 'unknown', word: 'usr/bin', near: undefined}],
  ['/', {kind: 'unknown', word: '', near: undefined}],
  [' \n', {kind: 'nothing'}],
])('%j is %j', (line, spoken) => {
  expect(readSpoken(line)).toEqual(spoken);
});
