/** Inputs of an agent's phases and of the forms that only a root runs; ensembles of planners to explore. */

import type {FileDiff} from '../../../machines/domain/patch.ts';
import type {Seat} from '../../../machines/domain/review.ts';
import {ensembleMachine} from '../../../machines/forms/agent/planning/ensemble.ts';
import type {Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {settlementsOf, unless, valueIn, kindOf, listIn, outputOf} from '../laws-record.ts';
import {planOf} from './execution.ts';
import {answering, type Answers, calling, failing, saying} from './outcomes.ts';
import {policySeat, runCommand, smallSettings, workWith} from './settings.ts';

const settings = smallSettings('interactive', [policySeat]);

export const gatheringInput = workWith(settings);

export const planningInput = {
  work: workWith(settings),
  brief: {request: 'do it', background: [], rounds: [], runs: [], maxResults: 9000},
  model: 'test/decider',
  ground: {settled: [], open: []},
};

/** Of an evaluation and of a closing: one task without a result. */
export const evaluationInput = {
  work: workWith(settings),
  pendingMessages: [],
  runs: [{plan: planOf('plan', [{id: 'a', description: 'write x'}]), results: []}],
};

export const checkInput = {
  purpose: 'ask',
  question: 'what is it?',
  answer: 'The port is 8080. All tests pass.',
  workspace: '/w',
  evidence: [],
  sources: [],
  model: 'test/model',
  maxOutputTokens: 1000,
} as const;

export const commandInput = {
  request: 'npm test',
  workspace: '/w',
  settings: {...settings, tools: [runCommand]},
};

/** A new file with lines of 100 characters. */
export function newFile(path: string, lines: number): FileDiff {
  const text = `+${'x'.repeat(100)}`;
  const hunk = {oldStart: 0, newStart: 1, lines: Array.from({length: lines}, () => text)};
  return {path, did: 'added', hunks: [hunk]};
}

/** Files each of which is one part of the review. */
export function largeFiles(count: number): FileDiff[] {
  return Array.from({length: count}, (_, index) => newFile(`f${index + 1}.ts`, 250));
}

export function reviewInput(diff: readonly FileDiff[], panel: readonly Seat[]) {
  const own = {...settings, panel};
  return {request: 'look at it', workspace: '/w', settings: own, diff};
}

export function planBy(model: string) {
  const tasks = [{id: 'a', description: 'look', context_mode: 'full' as const}];
  return {objective: `the plan of ${model}`, reasoning: '', tasks};
}

export function drafting(model: string) {
  return calling('create_plan', planBy(model));
}

export function scoringWith(score: number) {
  return calling('score_plan', {score, reasons: [`worth ${score}`]});
}

/** `test/chair` moderates the debate on the chosen plan. */
export function ensembleInput(planners: readonly string[], strategy: 'quorum' | 'debate') {
  const {agent, debate, discuss, ...rest} = settings;
  const work = workWith({
    ...rest,
    agent: {...agent, strategy},
    debate: {...debate, maxRounds: 1},
    discuss: {...discuss, moderator: {id: 'moderator', model: 'test/chair'}},
  });
  return {planners, planning: {...planningInput, work}};
}

/** The chosen plan was drafted by a planner, or by the model that plans alone. No planner scores its own plan. */
function ensembleFaults(played: Played): string[] {
  const {log} = played;
  const own = settlementsOf(log, 'callModel').filter(
    ({request, path}) =>
      request.purpose === 'score-plan' &&
      decodeURIComponent(path).endsWith(`on ${request.model}/call`),
  );
  const drafted = settlementsOf(log, 'callModel')
    .filter(({request, outcome}) => request.purpose === 'plan' && kindOf(outcome) === 'ok')
    .flatMap(({outcome}) => listIn(outcome, 'calls').map((call) => valueIn(call, 'args')));
  const output = outputOf(played);
  const objective = valueIn(output, 'plan', 'objective');
  const isKnown =
    played.status() !== 'done' ||
    valueIn(output, 'kind') === 'failed' ||
    drafted.some((draft) => valueIn(draft, 'objective') === objective);
  return [
    ...unless(own.length === 0, 'a planner scores its own plan'),
    ...unless(isKnown, 'the chosen plan was never drafted'),
  ];
}

const scenarios: readonly {
  readonly name: string;
  readonly planners: readonly string[];
  readonly answers: Answers;
  readonly isTimed?: boolean;
  readonly strategy?: 'quorum' | 'debate';
}[] = [
  {
    name: 'whose drafts may fail or be late',
    planners: ['test/a', 'test/b'],
    isTimed: true,
    answers: {
      plan: (_, {request}) =>
        'model' in request && request.model === 'test/decider'
          ? [drafting('test/decider'), failing('refused')]
          : [drafting('model' in request ? request.model : ''), failing('auth'), saying('no')],
      checkCalls: [{problems: []}],
      'score-plan': [scoringWith(8)],
      awaitResume: [{resumed: true}],
    },
  },
  {
    name: 'whose scores may be low, or none',
    planners: ['test/a', 'test/b'],
    answers: {
      plan: (_, {request}) => [drafting('model' in request ? request.model : '')],
      checkCalls: [{problems: []}],
      'score-plan': [scoringWith(9), scoringWith(2), failing('auth')],
    },
  },
  {
    name: 'whose plan is debated',
    planners: ['test/a', 'test/b'],
    strategy: 'debate',
    answers: {
      plan: (_, {request}) => [drafting('model' in request ? request.model : '')],
      checkCalls: [{problems: []}],
      'score-plan': [scoringWith(9)],
      'raise-objections': [
        calling('raise_objections', {objections: []}),
        calling('raise_objections', {objections: [{severity: 'major', objection: 'no'}]}),
      ],
      'answer-objections': [
        calling('answer_objections', {answers: [{id: 'O1', answer: 'yes'}]}),
        failing('refused'),
      ],
      'rule-on-objections': [
        calling('rule_on_objections', {rulings: [{id: 'O1', ruling: 'stands', reason: 'so'}]}),
      ],
    },
  },
];

export const ensembles: readonly LawfulScenario[] = scenarios.map(
  ({name, planners, answers, isTimed = false, strategy = 'quorum'}) => ({
    name,
    scenario: {
      machine: ensembleMachine,
      input: ensembleInput(planners, strategy),
      outcomes: answering(answers),
      mayFire: (timer) => isTimed && timer.includes('ensemble'),
    },
    law: ensembleFaults,
  }),
);
