/** Reviews of one call to explore: previews of every kind, a panel of a policy and a model, every word of a person. */

import type {HilMode} from '../../../machines/domain/settings.ts';
import {actionReviewMachine} from '../../../machines/loop/action-review.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {crash} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {actionReviewFaults} from '../laws-phases.ts';
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

export const actionReviews: readonly LawfulScenario[] = cases.map(([hilMode, rejections]) => {
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
