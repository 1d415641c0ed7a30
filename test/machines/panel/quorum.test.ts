/** The quorum: it decides as soon as nothing can change the verdict, never by silence, and leaves a full record. */

import {describe, expect, test} from 'vitest';

import type {Proposal, ReviewRound, Seat} from '../../../machines/domain/review.ts';
import {quorumMachine} from '../../../machines/panel/quorum.ts';
import {recountAll} from '../../../machines/panel/recorded-votes.ts';
import {byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {failing, ruling, rulings, saying, unknowing, voting} from '../events/outcomes.ts';
import {proposal} from '../events/quorum.ts';
import {modelSeat} from '../events/settings.ts';

const abc = ['a', 'b', 'c'].map(modelSeat);

const policies = ['safety', 'scope', 'evidence'].map((name): Seat => ({
  id: `policy/${name}`,
  kind: 'policy',
  model: `policy/${name}`,
  weight: 1,
  veto: true,
}));

function start(seats: readonly Seat[], settings: object = {}, more: Partial<Proposal> = {}) {
  return byHand(quorumMachine, {
    round: 1,
    proposal: {...proposal, kind: 'plan', ...more},
    seats,
    settings: {
      rule: 'majority',
      screen: [],
      minParticipation: 1,
      deadlineMs: 1_000,
      feedbackGraceMs: 100,
      ...settings,
    },
    maxOutputTokens: 100,
    background: [],
    history: [],
  });
}

test('a majority decides, and the seat still out is withdrawn', () => {
  const quorum = start(abc);
  quorum.settle('seat:a', voting('approve'));
  expect(quorum.output()).toBeUndefined();
  quorum.settle('seat:b', voting('approve'));
  expect(quorum.output()).toMatchObject({
    verdict: 'approved',
    approved: true,
    summary: '[●●·]',
    early: true,
    withdrawn: ['c'],
    degraded: false,
  });
  expect(quorum.open()).toEqual([]);
});

test('a seat whose provider is overloaded for minutes does not delay a decision that does not need it', () => {
  const quorum = start(abc, {deadlineMs: 300_000});
  const overloaded = {kind: 'overloaded', message: 'busy', retryMs: 300_000};
  quorum.settle('seat:c', {...overloaded, retryAfterMs: 240_000});
  expect(quorum.reports('model.retried')).toMatchObject([{delayMs: 240_000}]);
  quorum.settle('seat:a', voting('approve'));
  quorum.settle('seat:b', voting('approve'));
  expect(quorum.output()).toMatchObject({verdict: 'approved', early: true, withdrawn: ['c']});
  expect(quorum.open()).toEqual([]);
});

test('a rejection waits a while for the reasons of seats still out', () => {
  const quorum = start(abc);
  quorum.settle('seat:a', voting('reject'));
  quorum.settle('seat:b', voting('reject'));
  expect(quorum.output()).toBeUndefined();
  quorum.settle('seat:c', voting('approve'));
  expect(quorum.output()).toMatchObject({verdict: 'rejected', summary: '[○○●]', early: false});
  const hasty = start(abc);
  hasty.settle('seat:a', voting('reject'));
  hasty.settle('seat:b', voting('reject'));
  hasty.pass('feedbackGrace');
  expect(hasty.output()).toMatchObject({verdict: 'rejected', summary: '[○○·]', withdrawn: ['c']});
});

test('seats that are out at the deadline abstain, and silence never approves', () => {
  const quorum = start(abc);
  quorum.settle('seat:a', voting('approve'));
  quorum.pass('deadline');
  expect(quorum.output()).toMatchObject({
    verdict: 'rejected',
    summary: '[●!!]',
    early: false,
    degraded: true,
    votes: [{model: 'a'}, {abstainedBecause: 'deadline passed'}, {verdict: 'abstain'}],
  });
});

test('too few ballots do not make a quorum', () => {
  const quorum = start(abc, {minParticipation: 2});
  quorum.settle('seat:a', voting('approve'));
  quorum.settle('seat:b', voting('abstain'));
  quorum.settle('seat:c', failing('truncated'));
  quorum.settle('seat:c', failing('truncated'));
  expect(quorum.output()).toMatchObject({verdict: 'noQuorum', approved: false, summary: '[●!!]'});
});

describe('a seat whose model is down', () => {
  test('does not delay a decision that is certain without it, and has then failed to vote', () => {
    const quorum = start(abc);
    quorum.settle('seat:c', failing('auth'));
    quorum.settle('seat:a', voting('approve'));
    quorum.settle('seat:b', voting('approve'));
    expect(quorum.output()).toMatchObject({
      verdict: 'approved',
      summary: '[●●!]',
      degraded: true,
      withdrawn: [],
      missed: ['c'],
    });
  });

  test('does not delay a rejection that is certain', () => {
    const quorum = start(abc);
    quorum.settle('seat:a', voting('reject'));
    quorum.settle('seat:b', voting('reject'));
    quorum.settle('seat:c', failing('auth'));
    expect(quorum.output()).toMatchObject({verdict: 'rejected', summary: '[○○!]'});
  });

  test('is waited for when its ballot could change the decision: an outage is not a ballot', () => {
    const quorum = start(abc);
    quorum.settle('seat:a', voting('approve'));
    quorum.settle('seat:b', voting('reject'));
    quorum.settle('seat:c', failing('auth'));
    expect(quorum.output()).toBeUndefined();
    expect(quorum.reports('ballot.cast')).toHaveLength(2);
    quorum.settle('resume', {resumed: true});
    quorum.settle('seat:c', voting('approve'));
    expect(quorum.output()).toMatchObject({verdict: 'approved', summary: '[●○●]', degraded: false});
  });
});

test('a vote has the total duration of its calls, and none for a seat that never replied', () => {
  const quorum = start(abc);
  quorum.settle('seat:a', {...saying('I approve.'), ms: 300});
  quorum.settle('seat:a', {...voting('approve'), ms: 200});
  quorum.settle('seat:b', {...voting('reject'), ms: 40});
  quorum.pass('deadline');
  const round: ReviewRound = JSON.parse(JSON.stringify(quorum.output()));
  expect(round.votes.map(({model, ms}) => [model, ms])).toEqual([
    ['a', 500],
    ['b', 40],
    ['c', undefined],
  ]);
});

describe('policies that screen', () => {
  const screen = ['policy/safety', 'policy/scope'];

  test('all vote before any model is asked', () => {
    const quorum = start(abc, {screen});
    expect(quorum.requests('screenProposal')).toMatchObject([{policies: screen}]);
    expect(quorum.requests('callModel')).toEqual([]);
    quorum.settle('screen', rulings(ruling('approve'), ruling('approve')));
    expect(quorum.requests('callModel')).toHaveLength(3);
  });

  test('end the round by a rejection: no model is asked, and their ballots are not votes', () => {
    const quorum = start(abc, {screen});
    quorum.settle('screen', rulings(ruling('approve'), ruling('reject', ['outside-workspace'])));
    expect(quorum.output()).toMatchObject({
      verdict: 'rejected',
      votes: [],
      summary: '[···]',
      withdrawn: ['a', 'b', 'c'],
      screened: [
        {policy: 'policy/safety', verdict: 'approve', rules: []},
        {policy: 'policy/scope', verdict: 'reject', rules: ['outside-workspace']},
      ],
    });
    expect(quorum.requests('callModel')).toEqual([]);
    expect(quorum.reports('ballot.cast')).toEqual([]);
  });

  test('block nothing by an abstention, and its reason is in the record', () => {
    const quorum = start(abc, {screen});
    quorum.settle('screen', rulings(ruling('abstain'), ruling('approve')));
    for (const seat of ['a', 'b']) quorum.settle(`seat:${seat}`, voting('approve'));
    expect(quorum.output()).toMatchObject({
      verdict: 'approved',
      degraded: false,
      screened: [{verdict: 'abstain', reasons: ['the rule says abstain']}, {verdict: 'approve'}],
    });
  });

  test.each([
    ['a crash of the screening', crash, [crash.crash, crash.crash]],
    ['a missing ballot', rulings(ruling('approve')), ['the rule says approve', 'no ballot']],
  ])('veto by %s, and no model is asked', (_, outcome, reasons) => {
    const quorum = start(abc, {screen});
    quorum.settle('screen', outcome);
    expect(quorum.requests('callModel')).toEqual([]);
    expect(quorum.output()).toMatchObject({
      verdict: 'rejected',
      screened: reasons.map((reason) => ({reasons: [reason]})),
    });
  });

  test('pass what they could not judge on to the models, which decide', () => {
    const quorum = start(abc, {screen});
    quorum.settle('screen', rulings(unknowing('frobnicate'), ruling('approve')));
    const [asked] = quorum.requests('callModel');
    expect(JSON.stringify(asked)).toContain(`policy/safety: can't judge \\"frobnicate\\"`);
    expect(JSON.stringify(asked)).not.toContain('the rule says approve');
    for (const seat of ['a', 'b']) quorum.settle(`seat:${seat}`, voting('approve'));
    expect(quorum.output()).toMatchObject({
      verdict: 'approved',
      screened: [{verdict: 'abstain', unknown: ['frobnicate']}, {verdict: 'approve'}],
    });
  });

  test('name once what several of them could not judge', () => {
    const quorum = start(abc, {screen});
    quorum.settle('screen', rulings(unknowing('frobnicate'), unknowing('frobnicate')));
    const [asked] = quorum.requests('callModel');
    expect(JSON.stringify(asked)).toContain(
      `- policy/safety, policy/scope: can't judge \\"frobnicate\\": no known program\\n\\n`,
    );
  });

  test('approve nothing: a proposal that they let pass still needs a majority of the seats', () => {
    const quorum = start(abc, {screen});
    quorum.settle('screen', rulings(ruling('approve'), ruling('approve')));
    quorum.settle('seat:a', voting('approve'));
    quorum.pass('poll xstate.after.deadline');
    expect(quorum.output()).toMatchObject({verdict: 'rejected', summary: '[●!!]'});
  });

  test('vote once when they also have a seat, and a rejection counts for both', () => {
    const sitting = policies.map((seat) => ({...seat, id: 'own', veto: false}));
    const quorum = start([...abc, ...sitting.slice(0, 1)], {screen});
    expect(quorum.requests('screenProposal')).toMatchObject([{policies: screen.toReversed()}]);
    quorum.settle('screen', rulings(ruling('approve'), ruling('reject', ['mass-delete'])));
    expect(quorum.output()).toMatchObject({
      verdict: 'rejected',
      summary: '[···○]',
      votes: [{model: 'own', rules: ['mass-delete']}],
      screened: [{verdict: 'reject', rules: ['mass-delete']}, {verdict: 'approve'}],
    });
  });

  test('reject those of several calls that they object to, and leave the others open', () => {
    const parts = [
      {...proposal, title: 'one'},
      {...proposal, title: 'two'},
    ];
    const quorum = start(abc, {screen}, {kind: 'action', parts});
    const [ballot] = ruling('reject', ['mass-delete']).ballots;
    const calls = [
      {number: 1, verdict: 'approve', reasons: []},
      {number: 2, verdict: 'reject', reasons: ['it deletes']},
    ];
    quorum.settle('screen', rulings(ruling('approve'), {ballots: [{...ballot, calls}]}));
    expect(quorum.output()).toMatchObject({
      verdict: 'rejected',
      calls: [
        {title: 'one', verdict: 'open'},
        {title: 'two', verdict: 'rejected'},
      ],
    });
  });

  test('veto a diff, and the models still read it and comment, whatever they vote', () => {
    const quorum = start(abc, {screen}, {kind: 'diff'});
    quorum.settle('screen', rulings(ruling('approve'), ruling('reject', ['debugger'])));
    const comments = [{file: 'a.ts', line: 1, severity: 'major', message: 'it runs eval'}];
    quorum.settle('seat:a', voting('approve'));
    quorum.settle('seat:b', voting('approve'));
    expect(quorum.output()).toBeUndefined();
    quorum.settle('seat:c', voting('reject', {comments}));
    expect(quorum.output()).toMatchObject({
      verdict: 'rejected',
      summary: '[●●○]',
      votes: [{}, {}, {model: 'c', comments}],
      screened: [{}, {rules: ['debugger']}],
    });
  });

  test('veto a diff also when no model can be called', () => {
    const quorum = start(abc, {screen}, {kind: 'diff'});
    quorum.settle('screen', rulings(ruling('approve'), ruling('reject', ['debugger'])));
    for (const seat of ['a', 'b', 'c']) quorum.settle(`seat:${seat}`, failing('auth'));
    expect(quorum.output()).toMatchObject({verdict: 'rejected', missed: ['a', 'b', 'c']});
  });

  test('veto when they are silent until their deadline', () => {
    const quorum = start(abc, {screen});
    quorum.pass('deadline');
    expect(quorum.requests('callModel')).toEqual([]);
    expect(quorum.output()).toMatchObject({
      verdict: 'rejected',
      screened: [
        {verdict: 'reject', rules: ['no-verdict'], reasons: ['deadline passed']},
        {verdict: 'reject', rules: ['no-verdict']},
      ],
    });
  });
});

describe('policies with a seat', () => {
  test("leave it undecided when one can't judge and none rejects, also in a recount", () => {
    const quorum = start(policies);
    const one = unknowing('frobnicate');
    quorum.settle('screen', rulings(one, ruling('approve'), ruling('approve')));
    expect(quorum.output()).toMatchObject({
      verdict: 'noQuorum',
      summary: '[!●●]',
      votes: [{unknown: ['frobnicate']}, {}, {}],
      degraded: false,
    });
    const round: ReviewRound = JSON.parse(JSON.stringify(quorum.output()));
    const [again] = recountAll([round], {without: new Set()}).rounds;
    expect(again?.recounted).toMatchObject({verdict: 'noQuorum', summary: '[!●●]'});
  });

  test("reject when one rejects, even if another can't judge", () => {
    const quorum = start(policies);
    const one = unknowing('frobnicate');
    quorum.settle('screen', rulings(one, ruling('reject'), ruling('approve')));
    expect(quorum.output()).toMatchObject({verdict: 'rejected'});
  });

  test('all vote, though the first two decide', () => {
    const quorum = start(policies.map((seat) => ({...seat, veto: false})));
    quorum.settle('screen', rulings(ruling('approve'), ruling('approve'), ruling('reject')));
    expect(quorum.output()).toMatchObject({verdict: 'approved', summary: '[●●○]', withdrawn: []});
    expect(quorum.reports('ballot.cast')).toMatchObject(
      policies.map(({id}) => ({vote: {model: id}})),
    );
  });

  test('may decide before a model is asked', () => {
    const [safety] = policies.map((seat) => ({...seat, veto: false}));
    const quorum = start([...abc, ...(safety ? [safety] : [])], {rule: 'at_least:1'});
    quorum.settle('screen', ruling('approve'));
    expect(quorum.output()).toMatchObject({verdict: 'approved', summary: '[···●]', early: true});
    expect(quorum.requests('callModel')).toEqual([]);
  });

  test('veto before a model is asked, however few have voted', () => {
    const quorum = start([...abc, ...policies], {minParticipation: 4});
    quorum.settle('screen', rulings(ruling('approve'), ruling('reject'), ruling('approve')));
    expect(quorum.output()).toMatchObject({verdict: 'rejected', summary: '[···●○●]'});
    expect(quorum.requests('callModel')).toEqual([]);
  });
});

test('a seat that crashes abstains', () => {
  const quorum = start([modelSeat('a'), ...policies]);
  quorum.settle('screen', crash);
  quorum.settle('seat:a', voting('approve'));
  expect(quorum.output()).toMatchObject({verdict: 'rejected', summary: '[●!!!]', degraded: true});
});

test('start and ballots are reported as they happen, and the decision is the record', () => {
  const quorum = start(abc);
  expect(quorum.reports('quorum.started')).toMatchObject([{seats: ['a', 'b', 'c']}]);
  quorum.settle('seat:b', voting('approve'));
  expect(quorum.reports('ballot.cast')).toMatchObject([{vote: {model: 'b', verdict: 'approve'}}]);
  quorum.settle('seat:a', voting('approve'));
  const round = quorum.output();
  expect(quorum.reports('quorum.decided')).toEqual([
    {type: 'quorum.decided', ...(typeof round === 'object' ? round : {})},
  ]);
});

test('a round has its number, its outcome, each vote with its reasons, and the time of the last ballot', () => {
  const quorum = start(abc);
  quorum.settle('seat:a', {...voting('reject'), at: 7});
  quorum.settle('seat:b', {...voting('approve'), at: 8});
  quorum.settle('seat:c', {...voting('approve'), at: 9});
  expect(quorum.output()).toMatchObject({
    round: 1,
    approved: true,
    votes: [
      {model: 'a', approved: false, reasoning: expect.stringMatching(/./)},
      {model: 'b', approved: true},
      {model: 'c', approved: true},
    ],
    timestamp: 9,
  });
});

test.each(['majority', 'unanimous', 'at_least:2', '60%'])(
  'a round by %s can be recounted from its record alone',
  (rule) => {
    const weighted = abc.map((seat, i) => Object.assign({}, seat, {weight: i + 1}));
    const quorum = start([...weighted, ...policies], {rule, minParticipation: 2});
    quorum.settle('screen', rulings(...policies.map(() => ruling('approve'))));
    for (const [seat, verdict] of Object.entries({c: 'approve', a: 'reject', b: 'reject'})) {
      if (quorum.output() === undefined) quorum.settle(`seat:${seat}`, voting(verdict));
    }
    const round: ReviewRound = JSON.parse(JSON.stringify(quorum.output()));
    const [again] = recountAll([round], {without: new Set()}).rounds;
    expect(again?.recounted).toMatchObject({
      rule,
      verdict: round.verdict,
      summary: round.summary,
      differs: 'no',
    });
    expect(round.participation.cast).toBe(round.votes.length);
  },
);
