/** The text of each setting, by its key. */

import {settingsReference} from './reference.ts';

export const descriptions: Readonly<Record<string, string>> = Object.fromEntries(
  settingsReference()
    .filter(({text}) => text !== '')
    .map(({key, text}) => [key, text]),
);
