/** Questions, discussions and debates to explore. */

import type {AnyEventObject} from 'xstate';

import type {Settings} from '../../../machines/domain/settings.ts';
import {askMachine} from '../../../machines/forms/ask/ask.ts';
import {debateMachine} from '../../../machines/forms/debate/debate.ts';
import {discussMachine} from '../../../machines/forms/discuss/discuss.ts';
import {crash, type OpenRequest, type Logged} from '../../support/hand-performer.ts';
import type {LawfulScenario} from '../explored.ts';
import {askFaults, debateLaws, discussLaws} from '../laws-forms.ts';
import {outputOf, requestsOf, settlementsOf, unless, valueIn, listIn} from '../laws-record.ts';
import {
  type Answers,
  answering,
  allow,
  broke,
  calling,
  failing,
  ran,
  refused,
  saying,
  conclusion,
  ranking,
} from './outcomes.ts';
import {policySeat, smallSettings} from './settings.ts';

const settings = smallSettings('interactive', [policySeat]);
export const question = {request: 'what is it?', workspace: '/w', settings};

const warn = {action: 'warn', reason: 'it is long', details: {}};
const block = {action: 'block', reason: 'it is forbidden', details: {}};
const read = calling('read_file', {path: 'x'});

function isDirect({port, request}: OpenRequest): boolean {
  return port === 'callModel' && request.toolChoice === 'none';
}

interface Asked {
  readonly name: string;
  readonly answers: Answers;
  readonly message?: AnyEventObject;
}

const scenarios: readonly Asked[] = [
  {
    name: 'whose tools and models may fail',
    answers: {
      checkText: [allow],
      ask: (_, open) =>
        isDirect(open)
          ? [saying('perhaps'), saying(''), failing('auth')]
          : [
              saying('so it is'),
              saying(''),
              read,
              calling('write_file', {path: 'x'}),
              failing('auth'),
              failing('refused'),
            ],
      runTool: [ran, broke, refused],
    },
  },
  {
    name: 'that guardrails may block',
    answers: {
      checkText: [allow, warn, block, crash],
      ask: (_, open) => (isDirect(open) ? [saying('perhaps')] : [saying('so it is'), read]),
      runTool: [broke],
    },
  },
  {
    name: 'that a person may cancel at every moment',
    answers: {
      checkText: [allow],
      ask: (_, open) => (isDirect(open) ? [saying('perhaps')] : [saying('so it is'), read]),
      runTool: [ran, broke],
    },
    message: {type: 'user.cancel'},
  },
  {
    name: 'whose settings a person may change at every moment',
    answers: {checkText: [allow], ask: [saying('so it is'), read], runTool: [ran]},
    message: {type: 'settings.changed', settings: {ask: {maxSteps: settings.ask.maxSteps}}},
  },
  {
    name: 'that a limit holds up',
    answers: {
      checkText: [allow],
      ask: (_, open) => (isDirect(open) ? [failing('overBudget'), saying('perhaps')] : [read]),
      runTool: [ran, broke],
      awaitResume: [{resumed: true}, crash],
    },
  },
];

const surveyed = {
  name: 'about a folder that is surveyed first',
  answers: {
    checkText: [allow],
    surveyWorkspace: [
      {text: 'README.md', read: [], files: 1, sources: [], machine: {facts: ['System: x']}},
      crash,
    ],
    runTool: [ran],
    ask: (_: number, open: OpenRequest) =>
      isDirect(open) ? [saying('perhaps')] : [saying('so it is'), read],
  },
};

export const asks: readonly LawfulScenario[] = [
  ...scenarios.map((asked) => lawfulAsk(asked, settings)),
  lawfulAsk(surveyed, smallSettings('interactive', [policySeat], {gathering: 'auto'})),
];

export function lawfulAsk({name, answers, message}: Asked, by: Settings): LawfulScenario {
  return {
    name,
    scenario: {
      machine: askMachine,
      input: {...question, settings: by},
      outcomes: answering(answers),
      messages: message ? [message] : [],
    },
    law: (played) => askFaults(played, 'subject', by.ask.maxSteps),
  };
}

const participants = ['test/ann', 'test/bob'];

const input = {
  request: 'Move it?',
  workspace: '/w',
  settings: {
    ...smallSettings('interactive', []),
    discuss: {
      participants: participants.map((id) => ({id, model: id})),
      moderator: {id: 'moderator', model: 'test/chair'},
      deadlineMs: 1_000,
    },
  },
};

const {settings: discussSettings} = input;

const debating = {
  ...input,
  settings: {
    ...discussSettings,
    discuss: {...discussSettings.discuss, strategy: 'debate'},
    debate: {...discussSettings.debate, maxRounds: 1},
  },
};

/** The answer of a seat. */
function ownWords({path}: OpenRequest): string {
  return path.includes('ann') ? 'Move it, the sooner the better.' : 'Leave it where it is.';
}

const sound: Answers = {
  surveyWorkspace: [{text: 'a queue', read: []}],
  runTool: [ran],
  discuss: (_, open) => [saying(ownWords(open))],
  'rank-answers': [ranking],
  conclude: [conclusion],
};

const discussScenarios: readonly {
  readonly name: string;
  readonly answers: Answers;
  readonly isTimed?: true;
  readonly isDebate?: true;
  readonly message?: AnyEventObject;
}[] = [
  {
    name: 'whose participants may fail, be late or be down',
    answers: {discuss: (_, open) => [saying(ownWords(open)), failing('auth'), failing('refused')]},
    isTimed: true,
  },
  {
    name: 'whose participants may say the same',
    answers: {discuss: [saying('Yes.'), saying('No.')]},
  },
  {
    name: 'whose readers and chairs may fail or be down',
    answers: {
      'rank-answers': [ranking, failing('refused')],
      conclude: [conclusion, failing('refused'), failing('auth')],
      awaitResume: [{resumed: true}, crash],
    },
  },
  {
    name: 'whose surroundings may break',
    answers: {surveyWorkspace: [{text: '', read: []}, crash], runTool: [ran, crash]},
  },
  {
    name: 'that is a debate, settled, escalated or failed',
    isDebate: true,
    answers: {
      'take-position': [
        calling('take_position', {position: 'Move it.', arguments: ['why not']}),
        failing('refused'),
      ],
      'raise-objections': [
        calling('raise_objections', {objections: []}),
        calling('raise_objections', {objections: [{severity: 'major', objection: 'it fails'}]}),
      ],
      'answer-objections': [calling('answer_objections', {answers: [{id: 'O1', answer: 'no'}]})],
      'rule-on-objections': [failing('refused')],
      'ask-debate': [{decision: 'approve'}, {decision: 'reject', reason: 'no'}],
    },
  },
  {name: 'that a person may cancel at every moment', answers: {}, message: {type: 'user.cancel'}},
  {
    name: 'whose settings a person may change at every moment',
    answers: {},
    message: {type: 'settings.changed', settings: {agent: {maxReplans: 1}}},
  },
];

export const discussions: readonly LawfulScenario[] = discussScenarios.map(
  ({name, answers, isTimed, isDebate, message}) => ({
    name,
    scenario: {
      machine: discussMachine,
      input: isDebate ? debating : input,
      outcomes: answering({...sound, ...answers}),
      messages: message ? [message] : [],
      mayFire: () => isTimed === true,
    },
    law: isDebate ? debateLaws : discussLaws(participants),
  }),
);

const debateGround = {question: 'Move it?', attachments: [], background: []};

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
  calling('rule_on_objections', {rulings: openIds(open).map((id) => ({id, ruling, reason: 'so'}))});

const position = calling('take_position', {position: 'Yes.', arguments: ['why not']});

const debateSound: Answers = {
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

const debateScenarios: readonly Debated[] = [
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

export const debates: readonly LawfulScenario[] = debateScenarios.map((debated) =>
  lawfulDebate(debated),
);

export function lawfulDebate(
  {name, answers, isTimed, given}: Debated,
  maxRounds = 2,
): LawfulScenario {
  const {debate, ...rest} = smallSettings('interactive', []);
  /** The calls of all rounds and of the opening. */
  const mostCalls = 1 + 3 * maxRounds;
  return {
    name,
    scenario: {
      machine: debateMachine,
      input: {
        ground: debateGround,
        settings: {...rest, debate: {...debate, maxRounds}},
        ...(given === undefined ? {} : {given}),
      },
      outcomes: answering({...debateSound, ...answers}),
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
