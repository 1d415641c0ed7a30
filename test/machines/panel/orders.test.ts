/** The theorem of diagrams/quorum.md over the chart: ballots in every order, live and in a replay of the journal. */

import * as fc from 'fast-check';
import {expect, test} from 'vitest';

import {ActorTree} from '../../../actors/engine/actor-tree.ts';
import {bodyOf, type Incoming} from '../../../actors/engine/incoming.ts';
import {replay} from '../../../actors/engine/replay.ts';
import type {Entry} from '../../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../../actors/journal/memory.ts';
import {asJson} from '../../../machines/domain/json.ts';
import {quorumMachine} from '../../../machines/panel/quorum.ts';
import {decide, type CountedSeat, tryParseRule} from '../../../machines/panel/rule.ts';
import {ports} from '../../../machines/port-natures.ts';
import {isDeep} from '../../support/depth.ts';
import {failing, voting} from '../events/outcomes.ts';
import {proposal} from '../events/quorum.ts';
import {modelSeat} from '../events/settings.ts';
import {valueIn} from '../laws-record.ts';

const ballots = ['approve', 'reject', 'abstain'] as const;

interface Member {
  readonly weight: number;
  readonly veto: boolean;
  readonly ballot: (typeof ballots)[number];
  /** One that is late says nothing before the deadline; one that is down is asked again when the run is resumed. */
  readonly comes: 'at once' | 'late' | 'down';
}

interface Panel {
  readonly members: readonly Member[];
  readonly rule: string;
  readonly minParticipation: number;
}

function quorumInput({members, rule, minParticipation}: Panel) {
  const settings = {rule, screen: [], minParticipation, deadlineMs: 1_000, feedbackGraceMs: 100};
  return asJson({
    round: 1,
    proposal,
    seats: members.map(({weight, veto}, index) => ({...modelSeat(nameOf(index)), weight, veto})),
    settings,
    maxOutputTokens: 100,
    background: [],
    history: [],
  });
}

function nameOf(index: number): string {
  return `seat-${index}`;
}

/** More timers than the charts of one round set. */
const maxTimers = 9;

interface Decided {
  readonly round: unknown;
  readonly entries: readonly Entry[];
}

/** Runs a quorum to its end as an engine does. The seats answer in `order`. */
function decideInOrder(panel: Panel, order: readonly number[]): Decided {
  const tree = new ActorTree({logic: quorumMachine, ports, onReport: () => {}});
  const {log} = createMemoryJournal();
  const members = order.flatMap((index) => {
    const member = panel.members[index];
    return member ? [{...member, path: `/seat:${nameOf(index)}/`}] : [];
  });
  let at = 0;
  const take = (incoming: Incoming): void => {
    at += 1;
    const digest = tree.trail.fold();
    log.append([{interaction: 'run', bodies: [{...bodyOf(incoming), digest}], at}]);
    tree.deliver(incoming, at);
  };
  const settle = (path: string, outcome: object): void => {
    const effect = tree.effects.open.find(({key}) => key.includes(path));
    if (effect) take({kind: 'settled', effect, outcome: asJson(outcome), ms: 1});
  };
  take({kind: 'opened', input: quorumInput(panel), version: 'test'});
  for (const {path, comes, ballot} of members) {
    if (comes !== 'late') settle(path, comes === 'down' ? failing('auth') : voting(ballot));
  }
  for (let timer = 1; timer <= maxTimers && !tree.end; timer += 1) take({kind: 'fired', timer});
  settle('/resume', {resumed: true});
  for (const {path, ballot} of members) settle(path, voting(ballot));
  return {round: valueIn(tree.end, 'output'), entries: log.read('run')};
}

async function replayed(entries: readonly Entry[]): Promise<unknown> {
  const tree = new ActorTree({logic: quorumMachine, ports, onReport: () => {}});
  await replay({tree}, entries);
  return valueIn(tree.end, 'output');
}

/** The verdict by arithmetic, with the ballots of all seats that are not late. */
function fullDecision({members, rule, minParticipation}: Panel): unknown {
  const seats = members.map(({weight, veto, ballot, comes}): CountedSeat => {
    return {seat: '', weight, veto, vote: comes === 'late' ? 'abstain' : ballot};
  });
  const parsed = tryParseRule(rule);
  return parsed && decide(parsed, seats, minParticipation);
}

/** Every order in which different ballots may arrive. Equal seats with the same ballot are interchangeable. */
function ordersOf(members: readonly Member[]): readonly number[][] {
  const orders = permutations([...members.keys()]);
  const arrivals = orders.map((order) =>
    order.map((index) => fates.indexOf(members[index] ?? late)),
  );
  return [...new Map(orders.map((order, n) => [arrivals[n]?.join(), order])).values()];
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item].concat(rest)),
  );
}

const late: Member = {weight: 1, veto: false, ballot: 'abstain', comes: 'late'};
const fates: readonly Member[] = [
  ...ballots.map((ballot) => ({weight: 1, veto: false, ballot, comes: 'at once'}) as const),
  late,
];

/** Every panel of three equal seats. The order of the seats makes no difference, because they answer in every order. */
const trios = fates.flatMap((first, a) =>
  fates.slice(a).flatMap((second, b) => fates.slice(a + b).map((third) => [first, second, third])),
);

test.each(['majority', 'unanimous', 'at_least:2'])(
  'three ballots give the same verdict by %s in every order, and the same record on replay',
  async (rule) => {
    expect(trios).toHaveLength(20);
    for (const members of trios) {
      const panel = {members, rule, minParticipation: 1};
      const whole = new Set<string>();
      for (const order of ordersOf(members)) {
        const {round, entries} = decideInOrder(panel, order);
        expect(valueIn(round, 'verdict')).toBe(fullDecision(panel));
        expect(await replayed(entries)).toEqual(round);
        if (valueIn(round, 'early') === false)
          whole.add(JSON.stringify({...Object(round), timestamp: 0}));
      }
      expect(whole.size).toBeLessThanOrEqual(1);
    }
  },
);

const anyMember: fc.Arbitrary<Member> = fc.record({
  weight: fc.integer({min: 1, max: 3}),
  veto: fc.integer({min: 0, max: 9}).map((n) => n === 0),
  ballot: fc.constantFrom('approve', ...ballots),
  comes: fc.constantFrom('at once', 'at once', 'at once', 'late', 'down'),
});

const anyPanel: fc.Arbitrary<Panel> = fc.record({
  members: fc.array(anyMember, {minLength: 1, maxLength: 50}),
  rule: fc.constantFrom('majority', 'unanimous', 'at_least:3', '40%', '75%'),
  minParticipation: fc.nat(5),
});

const anyArrival = anyPanel.chain((panel) => {
  const indices = [...panel.members.keys()];
  return fc.record({
    panel: fc.constant(panel),
    order: fc.shuffledSubarray(indices, {minLength: indices.length}),
  });
});

test('up to fifty seats with any weights and vetoes, some late, some down at first, reach the verdict of all their ballots', async () => {
  await fc.assert(
    fc.asyncProperty(anyArrival, async ({panel, order}) => {
      const {round, entries} = decideInOrder(panel, order);
      expect(valueIn(round, 'verdict')).toBe(fullDecision(panel));
      expect(await replayed(entries)).toEqual(round);
    }),
    {numRuns: isDeep ? 60 : 12},
  );
});
