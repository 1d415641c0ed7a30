/** Debates to explore: opponents that stop or never do, proponents and moderators that fail or are late. */

import {debateMachine} from '../../../machines/forms/debate/debate.ts';
import {crash, type Logged, type OpenRequest} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {outputOf, requestsOf, settlementsOf, unless, valueIn, listIn} from '../laws-record.ts';
import {type Answers, answering} from './answers.ts';
import {calling, failing} from './outcomes.ts';

const input = {
  ground: {question: 'Move it?', attachments: [], background: []},
  rules: {
    proponent: {id: 'ann', model: 'test/ann'},
    opponent: {id: 'bob', model: 'test/bob'},
    maxRounds: 2,
    intensity: 'mild',
  },
  moderator: {id: 'moderator', model: 'test/chair'},
  deadlineMs: 1_000,
  maxOutputTokens: 100,
};

/** The ids of the open objections in a prompt. */
function openIds({request}: OpenRequest): string[] {
  const text = JSON.stringify(request);
  return [...text.matchAll(/> (O\d+) \((?:critical|major|minor), (?:open|stands)\)/g)].map(
    ([, id = '']) => id,
  );
}

export const attack = (...severities: readonly string[]) =>
  calling('raise_objections', {
    objections: severities.map((severity) => ({severity, objection: 'it fails'})),
  });
const defend = (open: OpenRequest) =>
  calling('answer_objections', {answers: openIds(open).map((id) => ({id, answer: 'no'}))});
const rule = (open: OpenRequest, ruling: string) =>
  calling('rule_on_objections', {
    rulings: openIds(open).map((id) => ({id, ruling, reason: 'so'})),
  });

const position = calling('take_position', {position: 'Yes.', arguments: ['why not']});

const sound: Answers = {
  'take-position': [position],
  'raise-objections': [attack('major')],
  'answer-objections': (_, open) => [defend(open)],
  'rule-on-objections': (_, open) => [rule(open, 'stands')],
};

interface Debated {
  readonly name: string;
  readonly answers: Answers;
  readonly isTimed?: true;
  readonly given?: string;
}

const scenarios: readonly Debated[] = [
  {
    name: 'whose opponent may stop, and whose moderator may rule for either',
    answers: {
      'raise-objections': [attack(), attack('minor'), attack('critical')],
      'rule-on-objections': (_, open) => [rule(open, 'resolved'), rule(open, 'stands')],
    },
  },
  {name: 'whose opponent never stops', answers: {}},
  {
    name: 'whose voices may fail',
    answers: {
      'take-position': [position, failing('refused'), crash],
      'raise-objections': [attack('major'), failing('refused')],
      'answer-objections': (_, open) => [defend(open), failing('refused')],
      'rule-on-objections': (_, open) => [rule(open, 'resolved'), failing('refused')],
    },
  },
  {name: 'that is held on a proposal, in time or not', answers: {}, given: 'a plan', isTimed: true},
];

export const debates: readonly LawfulScenario[] = scenarios.map((debated) => lawfulDebate(debated));

export function lawfulDebate(
  {name, answers, isTimed, given}: Debated,
  maxRounds = input.rules.maxRounds,
): LawfulScenario {
  const rules = {...input.rules, maxRounds};
  /** The calls of all rounds and of the opening. */
  const mostCalls = 1 + 3 * maxRounds;
  return {
    name,
    scenario: {
      machine: debateMachine,
      input: {...input, rules, ...(given === undefined ? {} : {given})},
      outcomes: answering({...sound, ...answers}),
      mayFire: () => isTimed === true,
    },
    law: {
      'no debate makes more calls than its rounds allow': ({log}) => {
        const calls = requestsOf(log, 'callModel').length;
        return unless(calls <= mostCalls, `${calls} calls`);
      },
      'it settles exactly when no grave objection is open': (played) => {
        const output = outputOf(played);
        const outcome = valueIn(output, 'outcome');
        const grave = listIn(output, 'objections').filter(
          (each) =>
            valueIn(each, 'severity') !== 'minor' &&
            !['resolved', 'withdrawn'].includes(String(valueIn(each, 'ruling'))),
        );
        return unless(
          output === undefined ||
            outcome === 'failed' ||
            (outcome === 'settled') === (grave.length === 0),
          `${String(outcome)} with ${grave.length} open`,
        );
      },
      'an objection is resolved by the moderator alone': (played) => {
        const resolved = listIn(outputOf(played), 'objections').filter(
          (each) => valueIn(each, 'ruling') === 'resolved',
        );
        return unless(resolved.length === 0 || hasRuled(played.log), 'nobody ruled');
      },
      'a given position never changes': (played) => {
        const held = valueIn(outputOf(played), 'position');
        return unless(given === undefined || held === undefined || held === given, String(held));
      },
    },
  };
}

function hasRuled(log: readonly Logged[]): boolean {
  return settlementsOf(log, 'callModel').some(({outcome}) =>
    JSON.stringify(outcome).includes('"ruling":"resolved"'),
  );
}
