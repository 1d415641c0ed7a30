/** Reviews of one call to explore: previews of every kind, a panel of a policy and a model, every decision of a person. */

import type {AllowRule} from '../../../machines/domain/allow-rule.ts';
import {canonicalJson} from '../../../machines/domain/digest.ts';
import type {Grant} from '../../../machines/domain/human.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import type {HilMode} from '../../../machines/domain/settings.ts';
import {callHash} from '../../../machines/domain/tool.ts';
import {actionReviewMachine} from '../../../machines/loop/action-review.ts';
import {actionHash, panelRules} from '../../../machines/loop/action.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Law, LawfulScenario} from '../explored.ts';
import {actionReviewFaults, turnReviewFaults} from '../laws-calls.ts';
import {
  decisionOf,
  listIn,
  outputOf,
  reportsOf,
  requestsOf,
  settlementsOf,
  unless,
  valueIn,
} from '../laws-record.ts';
import {decisions, lasting} from './calls.ts';
import {
  answering,
  failing,
  previewing,
  refused,
  ruling,
  saying,
  unknowing,
  voting,
} from './outcomes.ts';
import {callGround, modelSeat, policySeat, smallSettings, runCommand} from './settings.ts';

type Laws = Readonly<Record<string, Law>>;

const call = {id: 'call-1', name: 'write_file', args: {path: 'x'}};

const cases: readonly (readonly [HilMode, number])[] = [
  ['interactive', 0],
  ['interactive', 2],
  ['auto_approve', 2],
  ['auto_reject', 2],
];

const granted = (by: 'person' | 'auto_approve', args = call.args): LawfulScenario => ({
  name: `of a call that ${by} allowed with its plan, with ${JSON.stringify(args)}`,
  scenario: {
    machine: actionReviewMachine,
    input: {
      calls: [{call}],
      granted: {by, hash: callHash(call.name, args)},
      ...callGround,
    },
    outcomes: answering({
      previewTool: (_, open) => [
        ...previewing(open),
        ...previewing(open, {protectedReason: 'it is under .git'}),
        refused,
      ],
      'review-action': [ruling('reject')],
    }),
    mayFire: (timer) => !timer.includes('deadline') || timer.includes('action-review.screening'),
  },
  law: {
    'a vote is held only when the grant does not cover the call': ({log}) => {
      const preview = settlementsOf(log, 'previewTool').at(-1)?.outcome;
      const isProtected = valueIn(preview, 'protectedReason') !== undefined;
      const isCovered = args === call.args && (by === 'person' || !isProtected);
      const votes = requestsOf(log, 'screenProposal').length;
      return unless(
        valueIn(preview, 'kind') !== 'ready' || votes === (isCovered ? 0 : 1),
        `${votes} votes`,
      );
    },
    'it is allowed without a vote, or rejected by one': (played) => {
      const {log} = played;
      const isVoted = requestsOf(log, 'screenProposal').length > 0;
      const isReady =
        valueIn(settlementsOf(log, 'previewTool').at(-1)?.outcome, 'kind') === 'ready';
      const kind = valueIn(outputOf(played), '0', 'kind');
      if (!isReady) return unless(kind === undefined || kind === 'refused', String(kind));
      return unless(
        kind === undefined || kind === (isVoted ? 'rejected' : 'allowed'),
        String(kind),
      );
    },
  },
});

const shell = {
  ...runCommand,
  runs: {argument: 'command', language: 'shell', folder: 'working_dir'},
} as const;
const deploy = {id: 'call-1', name: 'run_command', args: {command: 'npm run deploy'}};
const rule = {folder: '/w', command: 'npm run deploy', match: 'exact'} as const;

/** Reviews of a command that a person has allowed permanently. The rule does not cover the command when it runs a script. */
const standingRule = (hilMode: HilMode, folder?: string): LawfulScenario => ({
  name: `of a command that is allowed permanently, in mode ${hilMode}${folder === undefined ? '' : `, from ${folder}`}`,
  scenario: underRules(hilMode, [rule, {...rule, folder: '/'}, {...rule, folder: '/etc'}], folder),
  law: {...standingLaws, ...exactLaw},
});

/** Reviews of a command whose first words a person has allowed permanently. */
const likeStanding = (hilMode: HilMode, inPlan?: Grant): LawfulScenario => ({
  name: `of a command whose first words are allowed permanently, in mode ${hilMode}${inPlan ? `, with its plan by ${inPlan.by}` : ''}`,
  scenario: underRules(
    hilMode,
    [{...rule, command: 'npm run', match: 'prefix'}],
    undefined,
    inPlan,
  ),
  law: inPlan ? prefixLaw : {...standingLaws, ...prefixLaw},
});

function underRules(
  hilMode: HilMode,
  allow: readonly AllowRule[],
  folder?: string,
  inPlan?: Grant,
): LawfulScenario['scenario'] {
  return {
    machine: actionReviewMachine,
    input: {
      calls: [{call: {...deploy, args: argsFrom(folder)}, tool: shell}],
      ...(inPlan ? {granted: inPlan} : {}),
      ...callGround,
      panel: panelRules({...smallSettings(hilMode, [policySeat]), allow}),
    },
    hilMode,
    outcomes: answering({
      previewTool: [
        ready(folder, {}),
        ready(folder, {basedOn: 'a script'}),
        ready(folder, {protectedReason: 'it is under .git'}),
        refused,
      ],
      'review-action': [ruling('approve'), ruling('reject'), unknowing('deploy'), crash],
      'ask-action': [...decisions, lasting, {decision: 'always', prefix: 'npm run'}],
      'ask-protected': [...decisions, lasting],
    }),
    mayFire: (timer) => !timer.includes('deadline') || timer.includes('action-review.screening'),
  };
}

function argsFrom(folder: string | undefined) {
  return folder === undefined ? deploy.args : {...deploy.args, working_dir: folder};
}

function ready(folder: string | undefined, more: object): object {
  return {kind: 'ready', args: argsFrom(folder), preview: '$ npm run deploy', ...more};
}

const prefixLaw: Laws = {
  'a rule for the first words alone allows only a call that a policy approves or cannot judge': (
    played,
  ) => {
    const [screening] = settlementsOf(played.log, 'screenProposal');
    const ballot = valueIn(screening?.outcome, 'ballots', '0');
    const isFree = valueIn(ballot, 'verdict') === 'approve' || listIn(ballot, 'unknown').length > 0;
    const isByPerson = settlementsOf(played.log, 'askHuman').some(({outcome}) =>
      ['approve', 'always'].includes(String(decisionOf(outcome))),
    );
    const isByPanel = reportsOf(played.log, 'quorum.decided').some(
      (round) => valueIn(round, 'approved') === true,
    );
    const isByMode = reportsOf(played.log, 'warning').length > 0;
    const isAllowed = valueIn(outputOf(played), '0', 'kind') === 'allowed';
    return unless(!isAllowed || isFree || isByPerson || isByPanel || isByMode, 'it is allowed');
  },
};

const exactLaw: Laws = {
  'no vote is held on a call that the rule covers, and one vote on any other call that is ready': ({
    log,
  }) => {
    const preview = settlementsOf(log, 'previewTool').at(-1)?.outcome;
    const isCovered =
      valueIn(preview, 'args', 'working_dir') === undefined &&
      valueIn(preview, 'basedOn') === undefined &&
      valueIn(preview, 'protectedReason') === undefined;
    const votes = requestsOf(log, 'screenProposal').length;
    return unless(
      valueIn(preview, 'kind') !== 'ready' || votes === (isCovered ? 0 : 1),
      `${votes} votes`,
    );
  },
};

const standingLaws: Laws = {
  'an allowed call was approved by a panel, a person, a mode, or a rule that is reported': (
    played,
  ) => {
    const {log} = played;
    if (valueIn(outputOf(played), '0', 'kind') !== 'allowed') return [];
    const byRule = reportsOf(log, 'human.decided').some((each) => valueIn(each, 'by') === 'rule');
    const rounds = reportsOf(log, 'quorum.decided');
    const words = settlementsOf(log, 'askHuman').map(({outcome}) => decisionOf(outcome));
    const isByPerson = words.some((word) => word === 'approve' || word === 'always');
    const isByMode = reportsOf(log, 'warning').length > 0;
    const isByPanel = rounds.some((round) => valueIn(round, 'approved') === true);
    const isProtected =
      valueIn(settlementsOf(log, 'previewTool').at(-1)?.outcome, 'protectedReason') !== undefined;
    return unless(
      isProtected ? isByPerson : byRule || isByPerson || isByPanel || isByMode,
      'it is allowed by nobody',
    );
  },
  'only the decision "always" of a person makes a rule': ({log}) => {
    const made = reportsOf(log, 'rule.made').length;
    const said = settlementsOf(log, 'askHuman').filter(
      ({request, outcome}) => decisionOf(outcome) === 'always' && request.kind === 'action',
    ).length;
    return unless(made <= said, `${made} rules are made`);
  },
};

const voted: readonly LawfulScenario[] = cases.map(([hilMode, rejections]) => {
  const settings = smallSettings(hilMode, [policySeat, modelSeat('test/model')]);
  return {
    name: `in mode ${hilMode} after ${rejections} rejections`,
    scenario: {
      machine: actionReviewMachine,
      input: {
        calls: [{call}],
        ...callGround,
        panel: panelRules(settings),
      },
      hilMode,
      rejections,
      outcomes: answering({
        previewTool: (_, open) => [
          ...previewing(open),
          ...previewing(open, {protectedReason: 'it is under .git'}),
          refused,
          crash,
        ],
        'review-action': (_, {port}) =>
          port === 'screenProposal'
            ? [ruling('approve'), ruling('reject'), unknowing('frobnicate'), crash]
            : [
                voting('approve'),
                voting('reject'),
                voting('approve', {round: 7}),
                saying('Yes.'),
                failing('auth'),
              ],
        'ask-action': decisions,
        'ask-protected': [...decisions.slice(0, 2), crash],
      }),
    },
    law: (played) => actionReviewFaults(played, call, settings, rejections),
  };
});

const twoCalls = ['x', 'y'].map((path, at) => ({
  call: {id: `call-${at}`, name: 'write_file', args: {path}},
}));

/** Reviews of two calls of a turn. */
const ofTurn = (hilMode: HilMode, rejections: number): LawfulScenario => {
  const settings = smallSettings(hilMode, [policySeat, modelSeat('test/model')]);
  return {
    name: `of the calls of a turn, in mode ${hilMode} after ${rejections} rejections`,
    scenario: {
      machine: actionReviewMachine,
      input: {
        calls: twoCalls,
        ...callGround,
        panel: panelRules(settings),
      },
      hilMode,
      rejections,
      outcomes: answering({
        previewTool: (_, open) => [
          ...previewing(open),
          ...previewing(open, {protectedReason: 'it is under .git'}),
          refused,
        ],
        'review-action': (_, {port}) =>
          port === 'screenProposal'
            ? [ruling('approve'), onCalls('approve', 'reject'), unknowing('frobnicate')]
            : [
                voting('approve'),
                voting('reject'),
                votingOn('approve', {number: 2, verdict: 'reject'}),
                votingOn('reject', {number: 1, verdict: 'approve'}),
                votingOn('approve', {number: 3, verdict: 'reject'}),
                failing('auth'),
              ],
        'ask-action': decisions.slice(0, 2),
        'ask-protected': decisions.slice(0, 2),
      }),
      mayFire: (timer) => !timer.includes('deadline'),
    },
    law: (played) => turnReviewFaults(played, settings),
  };
};

function votingOn(verdict: string, own: JsonObject): object {
  return voting(verdict, {calls: [{reasons: ['this one'], ...own}]});
}

/** The ballot of the only policy, with a verdict on each call. */
function onCalls(...verdicts: readonly ('approve' | 'reject')[]): object {
  const [ballot] = ruling(verdicts.includes('reject') ? 'reject' : 'approve').ballots;
  const calls = verdicts.map((verdict, at) => ({number: at + 1, verdict, reasons: [verdict]}));
  return {ballots: [{...ballot, calls}]};
}

/** A command of a turn that a rule covers is reviewed by itself: here all of them. */
const leftToRules: LawfulScenario = {
  name: 'of the calls of a turn that are allowed permanently',
  scenario: {
    ...underRules('interactive', [rule]),
    input: {
      calls: [1, 2].map((at) => ({call: {...deploy, id: `call-${at}`}, tool: shell})),
      ...callGround,
      panel: panelRules({...smallSettings('interactive', [policySeat]), allow: [rule]}),
    },
    outcomes: answering({
      previewTool: [ready(undefined, {}), ready(undefined, {basedOn: 'a script'})],
      'review-action': [ruling('approve'), ruling('reject')],
    }),
  },
  law: {
    'a call that a rule covers is left to its own review, and no other call': (played) => {
      const covered = settlementsOf(played.log, 'previewTool').map(
        ({outcome}) => valueIn(outcome, 'basedOn') === undefined,
      );
      const left = covered.map((_, at) => valueIn(outputOf(played), String(at), 'kind') === 'left');
      const isOver = played.status() === 'done';
      return unless(!isOver || canonicalJson(covered) === canonicalJson(left), String(left));
    },
  },
};

/** A call that the review of its turn has allowed. */
const allowedInTurn: LawfulScenario = {
  name: 'of a call that the review of its turn has allowed',
  scenario: {
    machine: actionReviewMachine,
    input: {
      calls: [{call}],
      approved: {hash: actionHash('write_file', {args: call.args, preview: '+ a line'})},
      ...callGround,
    },
    outcomes: answering({
      previewTool: [
        {kind: 'ready', args: call.args, preview: '+ a line'},
        {kind: 'ready', args: call.args, preview: '+ another line'},
        {kind: 'ready', args: call.args, preview: '+ a line', basedOn: 'another file'},
        {kind: 'ready', args: call.args, preview: '+ a line', protectedReason: 'it is under .git'},
        refused,
        crash,
      ],
    }),
  },
  law: {
    'it is allowed exactly with the approved effect, without a vote': (played) => {
      const {log} = played;
      const shown = settlementsOf(log, 'previewTool').at(-1)?.outcome;
      const isSame =
        valueIn(shown, 'preview') === '+ a line' &&
        valueIn(shown, 'basedOn') === undefined &&
        valueIn(shown, 'protectedReason') === undefined;
      const kind = valueIn(outputOf(played), '0', 'kind');
      const isVoted = requestsOf(log, 'screenProposal').length > 0;
      return unless(
        !isVoted && (kind === undefined || kind === (isSame ? 'allowed' : 'refused')),
        String(kind),
      );
    },
  },
};

export const actionReviews: readonly LawfulScenario[] = [
  ...voted,
  ofTurn('interactive', 0),
  ofTurn('auto_reject', 2),
  leftToRules,
  allowedInTurn,
  granted('person'),
  granted('auto_approve'),
  granted('person', {path: 'y'}),
  standingRule('interactive'),
  standingRule('auto_approve'),
  standingRule('interactive', '..'),
  standingRule('auto_approve', '/etc'),
  likeStanding('interactive'),
  likeStanding('auto_approve'),
  likeStanding('auto_approve', {by: 'auto_approve', hash: callHash(deploy.name, deploy.args)}),
];
