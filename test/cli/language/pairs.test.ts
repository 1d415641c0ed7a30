/** Every text for people exists in both languages, with the same values in it. */

import {describe, expect, test} from 'vitest';
import {z} from 'zod';

import {chatTexts} from '../../../cli/chat/texts.ts';
import {doctorTexts} from '../../../cli/doctor/texts.ts';
import {gateTexts} from '../../../cli/gate/texts.ts';
import type {Reader} from '../../../cli/language.ts';
import {progressTexts} from '../../../cli/render/live/texts.ts';
import {machineTexts} from '../../../cli/render/tables/machine-texts.ts';
import {retentionTexts} from '../../../cli/render/tables/retention-texts.ts';
import {tableTexts} from '../../../cli/render/tables/texts.ts';
import {toolTexts} from '../../../cli/render/tools/tool-texts.ts';
import {trustTexts} from '../../../cli/render/trust/trust-texts.ts';

const leafSchema = z.union([z.string(), z.custom<Message>((value) => typeof value === 'function')]);

describe.each<[name: string, texts: (reader: Reader) => object]>([
  ['progress', progressTexts],
  ['gate', gateTexts],
  ['chat', chatTexts],
  ['tables', tableTexts],
  ['machines', machineTexts],
  ['retention', retentionTexts],
  ['tools', toolTexts],
  ['trust', trustTexts],
  ['doctor', doctorTexts],
])('the messages of %s', (_, texts) => {
  const [english, japanese] = [leavesOf(texts({})), leavesOf(texts({language: 'ja'}))];

  test('exist in both languages, and none is empty', () => {
    expect([...japanese.keys()].filter((name) => !name.startsWith('words.'))).toEqual(
      [...english.keys()].filter((name) => !name.startsWith('words.')),
    );
    const empty = [...japanese].filter(([, leaf]) => leaf === '');
    expect(empty.map(([name]) => name)).toEqual(
      [...english].filter(([, leaf]) => leaf === '').map(([name]) => name),
    );
  });

  test('have the same values', () => {
    for (const [name, message] of english) {
      const other = japanese.get(name);
      if (typeof message !== 'function' || typeof other !== 'function') continue;
      const values = Array.from({length: message.length}, (_value, index) => `‹${index}›`);
      const [own, others] = [message, other].map((each) => String(each(...values)));
      expect({name, held: values.filter((value) => others?.includes(value))}).toEqual({
        name,
        held: values.filter((value) => own?.includes(value)),
      });
    }
  });
});

type Message = (...values: readonly string[]) => unknown;

/** Each text with its path. */
function leavesOf(texts: object, path = ''): ReadonlyMap<string, string | Message> {
  return new Map(
    Object.entries(texts).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value === 'object' && value !== null) {
        return Array.from(leavesOf(value, `${path}${name}.`));
      }
      return [[`${path}${name}`, leafSchema.parse(value)] as const];
    }),
  );
}
