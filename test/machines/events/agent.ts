/** Agents to explore, each with few outcomes: together they reach everything that an agent can do. */

import type {AnyEventObject, AnyStateMachine} from 'xstate';

import type {Seat} from '../../../machines/domain/review.ts';
import type {AgentSettings, HilMode, Settings} from '../../../machines/domain/settings.ts';
import {agentMachine} from '../../../machines/forms/agent/agent.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {agentFaults} from '../laws-agent.ts';
import {
  oneRead,
  ownRead,
  type Plans,
  plansOf,
  runOnce,
  type Shape,
  twoWrites,
  work,
  writeThenRead,
} from './agent-plans.ts';
import {
  type Answers,
  answering,
  broke,
  calling,
  failing,
  inDoubt,
  previewing,
  ran,
  ruling,
  saying,
  stumbled,
  voting,
} from './outcomes.ts';
import {modelSeat, policySeat, smallSettings} from './settings.ts';

export interface AgentScenario {
  readonly name: string;
  readonly shape: Shape;
  readonly answers: (plans: Plans) => Answers;
  readonly agent?: Partial<AgentSettings>;
  readonly hilMode?: HilMode;
  readonly panel?: readonly Seat[];
  readonly messages?: readonly AnyEventObject[];
  readonly mayCome?: LawfulScenario['scenario']['mayCome'];
  /** True when the deadlines of panels may pass. */
  readonly isLate?: boolean;
}

export const success = calling('evaluate_result', {successful: true, problems: []});
export const problem = calling('evaluate_result', {
  successful: false,
  problems: [{problem: 'more'}],
});
const hopeless = calling('evaluate_result', {
  successful: false,
  problems: [],
  cancel_reason: 'it makes no sense',
});

export const votes = [ruling('approve'), ruling('reject')];
export const yesOrNo = [{decision: 'approve'}, {decision: 'reject'}];

/** A person asks once for another proposal. */
function orRevise(before: number): readonly object[] {
  return before === 0 ? [...yesOrNo, {decision: 'revise', reason: 'smaller'}] : yesOrNo;
}

/** The outcomes of a run without failures. */
function usual({draft}: Plans): Answers {
  return {
    surveyWorkspace: [{text: 'a survey', read: ['README.md']}],
    explore: [saying('it is small')],
    plan: (before) => [draft(before + 1)],
    checkCalls: [{problems: []}],
    'review-plan': [ruling('approve')],
    previewTool: (_, open) => previewing(open),
    'review-action': [ruling('approve')],
    act: [saying('done')],
    runTool: [ran],
    checkFiles: [{missing: []}],
    evaluate: [success],
    close: [saying('')],
    'review-result': [ruling('approve')],
  };
}

/** The surroundings of an explored agent: alone, or in a tree. */
export interface Surroundings {
  readonly machine: AnyStateMachine;
  /** The path of the agent's actor. */
  readonly path: string;
  readonly isTree: boolean;
  readonly input: (settings: Settings) => object;
  /** Law of the surroundings, in addition to the laws of agents. */
  readonly law: (played: Played) => readonly string[];
}

export function lawfulScenario(
  around: Surroundings,
  {shape, ...short}: AgentScenario,
): LawfulScenario {
  const {name, answers, agent, hilMode = 'interactive', panel = [policySeat], messages} = short;
  const plans = plansOf(shape);
  const settings = smallSettings(hilMode, panel, agent);
  const {machine, path, isTree} = around;
  return {
    name,
    scenario: {
      machine,
      isTree,
      input: around.input(settings),
      outcomes: answering({...usual(plans), ...answers(plans)}),
      messages: messages ?? [],
      ...(short.mayCome ? {mayCome: short.mayCome} : {}),
      mayFire: (timer) => short.isLate === true || !timer.includes('deadline'),
    },
    law: (played) => [
      ...agentFaults(played, {settings, plans: plans.all, path}),
      ...around.law(played),
    ],
  };
}

const alone: Surroundings = {
  machine: agentMachine,
  path: 'subject',
  isTree: false,
  input: (settings) => ({request: 'do it', workspace: '/w', settings}),
  law: () => [],
};

const planning: readonly AgentScenario[] = [
  ...(['interactive', 'auto_approve', 'auto_reject'] as const).map((hilMode): AgentScenario => ({
    name: `in mode ${hilMode} whose plans are voted on`,
    shape: oneRead,
    hilMode,
    isLate: true,
    answers: ({edited}) => ({
      checkCalls: (before, {path}) =>
        before < 4 && !path.includes('/planning/')
          ? [{problems: []}, {problems: ['no path']}]
          : [{problems: []}],
      'review-plan': [ruling('approve'), ruling('reject'), ruling('abstain')],
      'ask-plan': [...yesOrNo, {decision: 'edit', plan: edited}, {decision: 'retry'}],
    }),
  })),
  {
    name: 'whose plans a policy and a model vote on',
    shape: oneRead,
    panel: [policySeat, modelSeat('test/model')],
    agent: {maxPlanRevisions: 1},
    answers: () => ({
      'review-plan': (_, {port}) =>
        port === 'screenProposal'
          ? votes
          : [
              voting('approve'),
              voting('reject'),
              voting('approve', {round: 7}),
              saying('Yes.'),
              failing('auth'),
            ],
      'ask-plan': yesOrNo,
    }),
  },
  {
    name: 'whose planner may have no other plan',
    shape: oneRead,
    answers: ({draft, edited}) => ({
      plan: (before) => (before === 0 ? [draft(1)] : [draft(1), draft(2)]),
      checkCalls: (before, {path}) =>
        before < 4 && !path.includes('/planning/')
          ? [{problems: []}, {problems: ['no path']}]
          : [{problems: []}],
      'review-plan': votes,
      'ask-plan': [...yesOrNo, {decision: 'edit', plan: edited}],
    }),
  },
  {
    name: 'that asks before it executes',
    shape: oneRead,
    agent: {confirmExecution: true},
    answers: ({edited}) => ({
      'review-plan': votes,
      'ask-plan': yesOrNo,
      'ask-confirmation': (before) => [...orRevise(before), {decision: 'edit', plan: edited}],
    }),
  },
  {
    name: 'that only plans',
    shape: writeThenRead,
    agent: {phaseScope: 'plan-only'},
    isLate: true,
    answers: ({edited}) => ({
      'review-plan': votes,
      'ask-plan': [...yesOrNo, {decision: 'edit', plan: edited}],
    }),
  },
  {
    name: 'whose models may be down for a while, or give no plan',
    shape: work,
    answers: ({draft}) => ({
      surveyWorkspace: [{text: 'a survey', read: ['README.md']}, crash],
      explore: once([saying('it is small'), failing('auth')]),
      plan: (before) => [
        draft(before + 1),
        failing('refused'),
        ...(before === 0 ? [failing('billing')] : []),
      ],
      'review-plan': votes,
      'ask-plan': yesOrNo,
      act: once([saying('done'), failing('refused'), failing('auth')], [saying('done')]),
      evaluate: once([success, failing('refused'), failing('auth')]),
    }),
  },
];

const executing: readonly AgentScenario[] = [
  {
    name: 'whose plan a person allows again and again',
    shape: work,
    agent: {maxPlanRevisions: 1, maxReplans: 3, maxIterations: 9},
    answers: () => ({
      'review-plan': [ruling('reject')],
      'ask-plan': [{decision: 'approve'}],
      evaluate: [problem],
    }),
  },
  ...(['interactive', 'auto_approve'] as const).map((hilMode): AgentScenario => ({
    name: `in mode ${hilMode} whose plan is allowed with the calls that it spells out`,
    shape: twoWrites,
    hilMode,
    panel: [{...policySeat, veto: false}],
    agent: {maxPlanRevisions: 1, maxReplans: 0},
    answers: () => ({
      'review-plan': votes,
      'ask-plan': yesOrNo,
      previewTool: (_, open) => [
        ...previewing(open),
        ...previewing(open, {protectedReason: 'it is under .git'}),
      ],
      'review-action': votes,
      'ask-protected': yesOrNo,
    }),
  })),
  {
    name: 'whose tasks may fail or be voted down',
    shape: writeThenRead,
    agent: {maxIterations: 9},
    answers: () => ({'review-action': votes, runTool: [ran, broke], evaluate: [success, problem]}),
  },
  {
    name: 'whose later plan may forget, drop or redo a failed task',
    shape: ownRead,
    answers: ({draft, dropping, redoing}) => ({
      plan: (before) => (before === 0 ? [draft(1)] : [draft(2), dropping, redoing]),
      runTool: [ran, broke],
      evaluate: [success, problem],
    }),
  },
  {
    name: 'whose worker may use up its turns',
    shape: work,
    agent: {maxToolTurns: 1, maxIterations: 9, maxPlanRevisions: 1},
    answers: ({draft, dropping, redoing}) => ({
      plan: (before) =>
        before === 0 ? [draft(1)] : [draft(2), dropping, redoing, failing('refused')],
      act: (_, {port, request, path}) => {
        if (port === 'callModel' && request.toolChoice === 'none') return [saying('it is left')];
        const [, plan = ''] = /task:(.+)-a/.exec(path) ?? [];
        return [saying('done'), calling('read_file', {path: `${plan}/x`})];
      },
      evaluate: [success, problem],
    }),
  },
  {
    name: 'whose changes run in parallel',
    shape: twoWrites,
    agent: {maxReplans: 0},
    answers: () => ({'review-action': votes, runTool: [{...ran, written: ['x']}, broke]}),
  },
  {
    name: 'whose command may be in doubt',
    shape: runOnce,
    answers: () => ({
      runTool: [ran, inDoubt],
      'ask-in-doubt': [{decision: 'retry'}, {decision: 'done'}, {decision: 'fail'}],
      evaluate: [success, problem],
    }),
  },
  {
    name: 'whose judge may say anything',
    shape: oneRead,
    agent: {maxReplans: 2},
    answers: () => ({
      checkFiles: [{missing: []}, {missing: ['x']}],
      evaluate: [success, problem, hopeless, saying('It is fine.')],
    }),
  },
  {
    name: 'whose result is voted on',
    shape: oneRead,
    agent: {requireFinalReview: true},
    isLate: true,
    answers: () => ({
      'review-result': [ruling('approve'), ruling('reject'), ruling('abstain')],
      'ask-result': yesOrNo,
      'ask-plan': yesOrNo,
    }),
  },
  {
    name: 'whose result is voted on once',
    shape: oneRead,
    agent: {requireFinalReview: true, maxReplans: 0},
    answers: () => ({
      'review-result': [ruling('approve'), ruling('reject'), ruling('abstain')],
      'ask-result': orRevise,
    }),
  },
  {
    name: 'whose plans are voted down before and after replanning',
    shape: oneRead,
    answers: () => ({
      'review-plan': votes,
      'ask-plan': [{decision: 'approve'}],
      evaluate: [success, problem],
    }),
  },
  {
    name: 'whose calls are voted down before and after replanning',
    shape: twoWrites,
    agent: {maxParallelTasks: 1, maxIterations: 9},
    answers: () => ({
      'review-action': votes,
      'ask-action': yesOrNo,
      evaluate: once([problem, success], [success]),
    }),
  },
  {
    name: 'that may start two tasks in three plans',
    shape: oneRead,
    agent: {maxIterations: 2, maxReplans: 2},
    messages: [raise(3)],
    answers: () => ({runTool: [ran, broke], evaluate: [success, problem]}),
  },
  {
    name: 'that may start one task only',
    shape: writeThenRead,
    agent: {maxIterations: 1, maxReplans: 0},
    messages: [raise(2)],
    answers: () => ({runTool: [ran, broke], evaluate: [success, problem]}),
  },
];

function raise(maxIterations: number): AnyEventObject {
  return {type: 'settings.changed', settings: {agent: {maxIterations}}};
}

/** Returns `first` for the first request, `later` for all others. */
function once(first: readonly object[], later: readonly object[] = first.slice(0, 1)) {
  return (before: number) => (before === 0 ? first : later);
}

/** Runs through every phase, to be disturbed at every moment. */
export const disturbed: Pick<AgentScenario, 'shape' | 'answers' | 'agent'> = {
  shape: writeThenRead,
  agent: {requireFinalReview: true, confirmExecution: true, maxIterations: 9},
  answers: () => ({
    'review-plan': once([ruling('approve'), ruling('reject'), ruling('abstain')]),
    'ask-plan': [{decision: 'approve'}],
    'ask-confirmation': [{decision: 'approve'}],
    'review-action': once(votes),
    evaluate: once([success, problem]),
    'review-result': [ruling('approve'), ruling('abstain')],
    'ask-result': yesOrNo,
  }),
};

export function changes(...modes: readonly HilMode[]): AnyEventObject[] {
  return modes.map((hilMode) => ({type: 'settings.changed', hilMode}));
}

/** A run with a gate for a plan and one for a protected path. */
export const gated: Pick<AgentScenario, 'shape' | 'answers' | 'agent'> = {
  shape: runOnce,
  agent: {maxPlanRevisions: 1, maxReplans: 0},
  answers: () => ({
    'review-plan': [ruling('reject')],
    'ask-plan': yesOrNo,
    previewTool: (_, open) => previewing(open, {protectedReason: 'it is under .git'}),
    'ask-protected': yesOrNo,
  }),
};

const messages: readonly AgentScenario[] = [
  {
    ...disturbed,
    name: 'that a person may cancel at every moment',
    messages: [{type: 'user.cancel'}],
  },
  {
    name: 'with parallel changes that a person may cancel at every moment',
    shape: twoWrites,
    agent: {maxReplans: 0},
    answers: () => ({
      'review-action': once([ruling('approve'), ruling('reject')]),
      runTool: once([ran, stumbled, inDoubt]),
      'ask-in-doubt': [{decision: 'done'}],
    }),
    messages: [{type: 'user.cancel'}],
  },
  {
    name: 'with a working model that a person may cancel at every moment',
    shape: work,
    agent: {maxReplans: 0},
    answers: () => ({
      act: [
        saying('done'),
        calling('write_file', {path: 'plan-1/x'}),
        calling('read_file', {path: 'plan-1/x'}),
      ],
      'review-action': once(votes),
      runTool: once([ran, broke]),
    }),
    messages: [{type: 'user.cancel'}],
  },
  {
    ...gated,
    name: 'whose mode may change to auto_approve and back at every moment',
    messages: changes('auto_approve', 'interactive'),
  },
  {
    ...gated,
    name: 'whose mode may change to auto_reject at every moment',
    messages: changes('auto_reject'),
  },
];

export const lawfulAlone = (short: AgentScenario): LawfulScenario => lawfulScenario(alone, short);

export const plannedAgents = planning.map(lawfulAlone);
export const executingAgents = executing.map(lawfulAlone);
export const disturbedAgents = messages.map(lawfulAlone);
