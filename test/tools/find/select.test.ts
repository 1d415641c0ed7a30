/** Which definitions a request contains: within a budget, the same ones each time. */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';

import {sumOfTokens, tokensOf} from '../../../tools/find/definition.ts';
import {firstWithin, latestWithin, selectTools} from '../../../tools/find/select.ts';
import {definition, namesOf} from './definitions.ts';

describe('a budget for definitions', () => {
  const core = [definition('read'), definition('write')];
  const spawning = ['ask', 'agent'].map((name) => definition(`spawn_${name}`, 'spawning', 200));
  const server = ['a', 'b', 'c'].map((name) => definition(`s__${name}`, 'server', 300));
  const all = [...core, ...server, ...spawning];

  test('that all are within defers nothing', () => {
    expect(selectTools(all, 1_500, 100)).toEqual({kept: all, deferred: [], listTokens: 0});
  });

  test('defers the largest group as a whole, and further groups only as long as it must', () => {
    const some = selectTools(all, 1_400, 100);
    expect(namesOf(some.deferred)).toEqual(['s__a', 's__b', 's__c']);
    expect(namesOf(some.kept)).toEqual(['read', 'write', 'spawn_ask', 'spawn_agent']);
    const both = selectTools(all, 900, 100);
    expect(both.kept).toEqual(core);
    expect(both.deferred).toEqual([...server, ...spawning]);
  });

  test('defers what is seldom used in any case, and further groups only as long as it must', () => {
    const seldom = spawning.map((tool) => Object.assign({}, tool, {isSeldomUsed: true as const}));
    const {kept, deferred} = selectTools([...core, ...server, ...seldom], 1_000_000, 100);
    expect(deferred).toEqual(seldom);
    expect(kept).toEqual([...core, ...server]);
    expect(selectTools([...core, ...server, ...seldom], 1_400, 100).kept).toEqual(core);
  });

  test('keeps what has no group, even if it alone exceeds the budget', () => {
    expect(selectTools(all, 10, 100).kept).toEqual(core);
    expect(selectTools(core, 10, 100)).toMatchObject({kept: core, deferred: []});
  });

  test('leaves its rest to the list of names, within bounds', () => {
    expect(selectTools(all, 900, 100).listTokens).toBe(600);
    expect(selectTools(all, 300, 100).listTokens).toBe(300);
    const huge = Array.from({length: 90}, (_, index) => definition(`h${index}`, 'huge', 1_000));
    expect(selectTools([...core, ...huge], 50_000, 100).listTokens).toBe(1_000);
  });

  test('defers tools that are too many for a provider, however small they are', () => {
    const many = Array.from({length: 120}, (_, index) => definition(`m${index}`, 'many', 10));
    const {kept, deferred} = selectTools([...core, ...many], 1_000_000, 100);
    expect(kept).toEqual(core);
    expect(deferred).toHaveLength(120);
  });

  test('that is absent defers nothing, however many tools there are', () => {
    const many = Array.from({length: 120}, (_, index) => definition(`m${index}`, 'many', 10));
    expect(selectTools(many, undefined, 100).kept).toEqual(many);
  });

  test('selects the same tools in any order, and keeps within the budget what can be deferred', () => {
    const tool = fc.record({
      group: fc.constantFrom(undefined, 'a', 'b', 'c'),
      tokens: fc.integer({min: 3, max: 400}),
    });
    fc.assert(
      fc.property(
        fc.array(tool, {maxLength: 12}),
        fc.integer({min: 1, max: 3_000}),
        (given, max) => {
          const tools = given.map(({group, tokens}, index) =>
            definition(`t${index}`, group, tokens),
          );
          const {kept, deferred} = selectTools(tools, max, 50);
          expect(new Set([...kept, ...deferred])).toEqual(new Set(tools));
          const isForced = kept.every(({group}) => group === undefined);
          expect(isForced || sumOfTokens(kept) <= max).toBe(true);
          const reversed = selectTools(tools.toReversed(), max, 50);
          expect(new Set(reversed.kept)).toEqual(new Set(kept));
        },
      ),
    );
  });
});

test('the tokens of a definition are those of its name, its description and its schema', () => {
  const schema = {properties: {place: {type: 'string', description: 'w'.repeat(400)}}};
  const plain = {name: 'tool', description: 'Says where.', schema: {}};
  expect(tokensOf({...plain, schema}) - tokensOf(plain)).toBeGreaterThanOrEqual(100);
  expect(tokensOf({...plain, description: 'W'.repeat(400)})).toBeGreaterThanOrEqual(100);
});

test('of tools that were brought in, the latest stay, and the very latest in any case', () => {
  const tools = ['a', 'b', 'c'].map((name) => definition(name, 'g', 100));
  expect(namesOf(latestWithin(tools, 1_000))).toEqual(['a', 'b', 'c']);
  expect(namesOf(latestWithin(tools, 250))).toEqual(['b', 'c']);
  expect(namesOf(latestWithin(tools, 10))).toEqual(['c']);
  expect(namesOf(firstWithin(tools, 250))).toEqual(['a', 'b']);
  expect(firstWithin([], 250)).toEqual([]);
});
