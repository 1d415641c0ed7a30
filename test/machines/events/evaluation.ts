/** Evaluations to explore: checks of files and claims, and judges that approve, find problems, cancel, ramble or fail. */

import type {TaskResult} from '../../../machines/domain/result.ts';
import {evaluationMachine} from '../../../machines/forms/agent/evaluation/evaluation.ts';
import {failedResult} from '../../../machines/forms/agent/execution/task-result.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {evaluationLaws} from '../laws-phases.ts';
import {answering} from './answers.ts';
import {planOf} from './execution.ts';
import {calling, failing, ruling, saying} from './outcomes.ts';

const plan = planOf('plan', [
  {id: 'a', description: 'read'},
  {id: 'b', description: 'write'},
]);

const done: readonly TaskResult[] = plan.tasks.map(({id, description}) => ({
  id,
  description,
  status: 'succeeded',
  output: 'done',
  evidence: [{tool: 'write_file', did: 'wrote', target: 'x', ok: true}],
  written: ['x'],
}));

const failed = plan.tasks.map((task) => failedResult(task, {code: 'exit', message: 'it failed'}));

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
      runs: [{plan, results}],
      model: 'test/decider',
      maxOutputTokens: 1000,
      maxResults: 9000,
      workspace: '/w',
    },
    outcomes: answering({
      checkFiles: [{missing: []}, {missing: ['x']}, crash],
      evaluate: (before) => {
        if (before > 0) return verdicts;
        return results.length < plan.tasks.length ? passing : down;
      },
      'review-result': [ruling('approve'), ruling('reject'), crash],
      awaitResume: [{resumed: true}, crash],
    }),
  },
  law: evaluationLaws(plan, results),
}));
