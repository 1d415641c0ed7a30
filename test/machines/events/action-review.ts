/** Reviews of one call to explore: previews of every kind, a panel of a policy and a model, every word of a person. */

import type {HilMode} from '../../../machines/domain/settings.ts';
import {callHash} from '../../../machines/domain/tool.ts';
import {actionReviewMachine} from '../../../machines/loop/action-review.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {actionReviewFaults} from '../laws-phases.ts';
import {outputOf, requestsOf, settlementsOf, unless, valueIn} from '../laws-record.ts';
import {answering} from './answers.ts';
import {decisions} from './human-gate.ts';
import {failing, previewing, refused, ruling, saying, voting} from './outcomes.ts';
import {modelSeat, policySeat, smallSettings} from './settings.ts';

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
      call,
      granted: {by, hash: callHash(call.name, args)},
      panel: panelRules(smallSettings('interactive', [policySeat])),
      brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
      background: '',
    },
    outcomes: answering({
      previewTool: (_, open) => [
        ...previewing(open),
        ...previewing(open, {protectedReason: 'it is under .git'}),
        refused,
      ],
      'review-action': [ruling('reject')],
    }),
    mayFire: (timer) => !timer.includes('deadline'),
  },
  law: {
    'it is voted on only when the word does not cover it': ({log}) => {
      const preview = settlementsOf(log, 'previewTool').at(-1)?.outcome;
      const isProtected = valueIn(preview, 'protectedReason') !== undefined;
      const isCovered = args === call.args && (by === 'person' || !isProtected);
      const votes = requestsOf(log, 'consultPolicy').length;
      return unless(
        valueIn(preview, 'kind') !== 'ready' || votes === (isCovered ? 0 : 1),
        `${votes} votes`,
      );
    },
    'it is allowed as previewed, or not at all': (played) => {
      const {log} = played;
      const isVoted = requestsOf(log, 'consultPolicy').length > 0;
      const isReady =
        valueIn(settlementsOf(log, 'previewTool').at(-1)?.outcome, 'kind') === 'ready';
      const kind = valueIn(outputOf(played), 'kind');
      if (!isReady) return unless(kind === undefined || kind === 'refused', String(kind));
      return unless(
        kind === undefined || kind === (isVoted ? 'rejected' : 'allowed'),
        String(kind),
      );
    },
  },
});

const voted: readonly LawfulScenario[] = cases.map(([hilMode, rejections]) => {
  const settings = smallSettings(hilMode, [policySeat, modelSeat('test/model')]);
  return {
    name: `in mode ${hilMode} after ${rejections} rejections`,
    scenario: {
      machine: actionReviewMachine,
      input: {
        call,
        panel: panelRules(settings),
        brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
        background: '',
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
          port === 'consultPolicy'
            ? [ruling('approve'), ruling('reject'), crash]
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

export const actionReviews: readonly LawfulScenario[] = [
  ...voted,
  granted('person'),
  granted('auto_approve'),
  granted('person', {path: 'y'}),
];
