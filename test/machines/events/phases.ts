/** Phases of an agent to explore: gathering, planning by one model or several, evaluation, the check of claims and closing. */

import type {TaskResult} from '../../../machines/domain/result.ts';
import {closingMachine} from '../../../machines/forms/agent/closing/closing.ts';
import {evaluationMachine} from '../../../machines/forms/agent/evaluation/evaluation.ts';
import {failedResult} from '../../../machines/forms/agent/execution/task-result.ts';
import {gatheringMachine} from '../../../machines/forms/agent/gathering/gathering.ts';
import {ensembleMachine} from '../../../machines/forms/agent/planning/ensemble.ts';
import {planningMachine} from '../../../machines/forms/agent/planning/planning.ts';
import {claimCheckMachine} from '../../../machines/forms/claim-check.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {gatheringFaults, planningLaws, evaluationLaws} from '../laws-phases.ts';
import {
  settlementsOf,
  unless,
  valueIn,
  kindOf,
  listIn,
  outputOf,
  requestsOf,
} from '../laws-record.ts';
import {answering, type Answers} from './answers.ts';
import {planOf} from './execution.ts';
import {broke, calling, failing, ran, saying, ruling} from './outcomes.ts';
import {policySeat, smallSettings} from './settings.ts';

const settings = smallSettings('interactive', [policySeat]);

const input = {
  request: 'do it',
  workspace: '/w',
  model: settings.agent.explorationModel,
  tools: settings.tools,
  panel: panelRules(settings),
  maxTurns: settings.agent.maxToolTurns,
  maxRetries: settings.agent.maxToolRetries,
  maxSurveyBytes: 1_000,
  maxBytes: 4_000,
};

export const gatherings: readonly LawfulScenario[] = [
  {
    name: 'whose explorer may try anything',
    scenario: {
      machine: gatheringMachine,
      input,
      outcomes: answering({
        surveyWorkspace: [{text: 'a survey', read: ['README.md']}, crash],
        explore: (before) => [
          saying('it is small'),
          calling('read_file', {path: 'x'}),
          calling('write_file', {path: 'x'}),
          failing('refused'),
          ...(before === 0 ? [failing('auth'), failing('overloaded'), crash] : []),
        ],
        runTool: [ran, broke],
      }),
    },
    law: gatheringFaults,
  },
  {
    name: 'of a workspace that may be small',
    scenario: {
      machine: gatheringMachine,
      input: {...input, mode: 'auto'},
      outcomes: answering({
        surveyWorkspace: [
          {text: 'a survey', read: ['README.md'], files: 9, sources: []},
          {text: 'a survey', read: ['README.md'], files: 10, sources: []},
        ],
        explore: [saying('it is small')],
      }),
    },
    law: (played) => [...gatheringFaults(played), ...smallFaults(played)],
  },
];

/** A small workspace needs no model. */
function smallFaults(played: Played): string[] {
  if (played.status() !== 'done') return [];
  const survey = settlementsOf(played.log, 'surveyWorkspace').at(-1)?.outcome;
  const isAsked = settlementsOf(played.log, 'callModel').length > 0;
  const isSmall = valueIn(survey, 'files') === 9;
  return unless(isAsked !== isSmall, 'a model explores a small workspace, or none a large one');
}

const {tools, maxOutputTokens} = smallSettings('interactive', [policySeat]);

/** The input of a planning, except the brief. */
export const planningGround = {
  model: 'test/decider',
  tools,
  ground: {settled: [], open: []},
  maxOutputTokens,
};

const plan = {
  objective: 'plan',
  reasoning: '',
  tasks: [
    {id: 'a', description: 'read', tool: 'read_file', args: {path: 'x'}},
    {id: 'b', description: 'write', tool: 'write_file', depends_on: ['a']},
  ],
};
const sound = calling('create_plan', plan);
const calls = [{task: 'a', tool: 'read_file', args: {path: 'x'}}];
const brief = {
  request: 'do it',
  background: [],
  rounds: [],
  runs: [],
  maxResults: 9000,
};
const checkCalls = [{problems: []}, {problems: ['task a: no path']}, crash];
const circular = calling('create_plan', {
  objective: 'plan',
  reasoning: '',
  tasks: [{id: 'a', description: 'read', depends_on: ['a']}],
});

export const plannings: readonly LawfulScenario[] = [
  {
    name: 'whose drafts may be anything',
    scenario: {
      machine: planningMachine,
      input: {...planningGround, brief},
      outcomes: answering({
        plan: (before) =>
          before === 0
            ? [sound, circular, saying('I will not.'), failing('auth'), failing('network'), crash]
            : [sound, circular, failing('truncated'), failing('billing')],
        checkCalls,
        awaitResume: [{resumed: true}, crash],
      }),
    },
    law: planningLaws(sound, calls),
  },
  {
    name: 'with a plan that a person gave',
    scenario: {
      machine: planningMachine,
      input: {...planningGround, brief, given: plan},
      outcomes: answering({checkCalls}),
    },
    law: planningLaws(sound, calls, 1),
  },
];

const ensembleBrief = {request: 'do it', background: [], rounds: [], runs: [], maxResults: 9000};

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

export function ensembleInput(planners: readonly string[], more: object = {}) {
  const planning = {...planningGround, brief: ensembleBrief};
  return {planners, planning, deadlineMs: 1_000, minScore: 6, ...more};
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
  readonly more?: object;
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
    more: {
      debate: {
        rules: {maxRounds: 1, intensity: 'mild'},
        moderator: {id: 'moderator', model: 'test/chair'},
        deadlineMs: 1_000,
      },
    },
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
  ({name, planners, answers, isTimed = false, more}) => ({
    name,
    scenario: {
      machine: ensembleMachine,
      input: ensembleInput(planners, more),
      outcomes: answering(answers),
      mayFire: (timer) => isTimed && timer.includes('ensemble'),
    },
    law: ensembleFaults,
  }),
);

const evaluationPlan = planOf('plan', [
  {id: 'a', description: 'read'},
  {id: 'b', description: 'write'},
]);

const done: readonly TaskResult[] = evaluationPlan.tasks.map(({id, description}) => ({
  id,
  description,
  status: 'succeeded',
  output: 'done',
  evidence: [{tool: 'write_file', did: 'wrote', target: 'x', ok: true}],
  written: ['x'],
}));

const failed = evaluationPlan.tasks.map((task) =>
  failedResult(task, {code: 'exit', message: 'it failed'}),
);

const cases: readonly (readonly [name: string, results: readonly TaskResult[]])[] = [
  ['of tasks that succeeded', done],
  ['of tasks that made no call', done.map((one) => Object.assign({}, one, {evidence: []}))],
  ['of tasks of which one failed', [...done.slice(0, 1), ...failed.slice(1)]],
  ['of tasks of which one was not reached', done.slice(0, 1)],
  [
    'of tasks whose worker makes a claim',
    done.map((one) => Object.assign({}, one, {output: 'Wrote x.md.'})),
  ],
];

const verdicts = [
  calling('evaluate_result', {successful: true, problems: []}),
  calling('evaluate_result', {successful: true, problems: [{problem: 'no tests', task_id: 'a'}]}),
  calling('evaluate_result', {successful: false, problems: [], feedback: 'more'}),
  calling('evaluate_result', {successful: false, problems: [], cancel_reason: 'hopeless'}),
  calling('evaluate_result', {successful: 'yes'}),
  saying('It is fine.'),
  failing('truncated'),
  crash,
];

/** A judge may be down at first. A passing fault occurs in one case only, because the scenarios of model calls explore it. */
const down = [...verdicts, failing('auth')];
const passing = [...down, failing('network')];

export const evaluations: readonly LawfulScenario[] = cases.map(([name, results]) => ({
  name,
  scenario: {
    machine: evaluationMachine,
    input: {
      request: 'do it',
      runs: [{plan: evaluationPlan, results}],
      model: 'test/decider',
      maxOutputTokens: 1000,
      maxResults: 9000,
      workspace: '/w',
    },
    outcomes: answering({
      checkFiles: [{missing: []}, {missing: ['x']}, crash],
      evaluate: (before) => {
        if (before > 0) return verdicts;
        return results.length < evaluationPlan.tasks.length ? passing : down;
      },
      'review-result': [ruling('approve'), ruling('reject'), crash],
      awaitResume: [{resumed: true}, crash],
    }),
  },
  law: evaluationLaws(evaluationPlan, results),
}));

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

const law: LawfulScenario['law'] = {
  'an answer that the last vote contradicted is cut': ({log, ...played}) => {
    if (played.status() !== 'done') return [];
    const vote = settlementsOf(log, 'screenProposal').at(-1)?.outcome;
    const isLost = valueIn(vote, 'ballots', '0', 'verdict') === 'reject';
    const isCut = valueIn(outputOf({log, ...played}), 'isCut') === true;
    return unless(isCut || !isLost, 'a contradicted answer is kept');
  },
  'a correction is requested once': ({log}) => {
    const questions = requestsOf(log, 'callModel').length;
    const pauses = log.filter(({type}) => type === 'fired').length;
    return unless(questions <= 1 + pauses, `${questions} questions`);
  },
};

export const claimChecks: readonly LawfulScenario[] = [
  {
    name: 'of an answer with a claim',
    scenario: {
      machine: claimCheckMachine,
      input: checkInput,
      outcomes: answering({
        ask: [saying('The port is 8080.'), saying(''), failing('auth'), crash],
        'review-result': [ruling('approve'), ruling('reject'), ruling('abstain'), crash],
      }),
    },
    law,
  },
];

export const closingInput = {
  request: 'do it',
  pendingMessages: [],
  runs: [{plan: planOf('plan', [{id: 'a', description: 'write'}]), results: []}],
  workspace: '/w',
  model: 'test/decider',
  maxOutputTokens: 1000,
  maxResults: 9000,
};

const report = 'All tests pass, I ran them.';

const closingLaw: LawfulScenario['law'] = {
  'an answer is the report, or the text of the model, and no rule has contradicted it': (
    played,
  ) => {
    if (played.status() !== 'done') return [];
    const answer = valueIn(outputOf(played), 'answer');
    const replies = settlementsOf(played.log, 'callModel').map(({outcome}) => outcome);
    const checks = settlementsOf(played.log, 'screenProposal').filter(
      ({request}) => valueIn(request, 'proposal', 'facts', 'claims', '0') === answer,
    );
    const vote = checks.at(-1)?.outcome;
    const isFalse = valueIn(vote, 'ballots', '0', 'verdict') === 'reject' || valueIn(vote, 'crash');
    const isSaid = answer === report || replies.some((reply) => valueIn(reply, 'text') === answer);
    return unless(answer === '' || (isSaid && isFalse !== true), `it answers ${String(answer)}`);
  },
};

export const closings: readonly LawfulScenario[] = [
  {
    name: 'of a model that may say anything',
    scenario: {
      machine: closingMachine,
      input: closingInput,
      outcomes: answering({
        close: [
          saying('It is done.'),
          saying('All tests pass.'),
          saying('x'.repeat(2_000)),
          saying(' '),
          failing('auth'),
          failing('network'),
          crash,
        ],
        'review-result': [ruling('approve'), ruling('reject'), ruling('abstain'), crash],
      }),
    },
    law: closingLaw,
  },
  {
    name: 'of a worker that may claim anything',
    scenario: {
      machine: closingMachine,
      input: {...closingInput, report},
      outcomes: answering({
        close: [saying('It is done.'), saying('Nothing was tested.')],
        'review-result': [ruling('approve'), ruling('reject'), crash],
      }),
    },
    law: closingLaw,
  },
];
