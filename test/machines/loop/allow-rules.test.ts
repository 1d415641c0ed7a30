/** Permanent allow rules of a person: the calls that they cover, the calls that they never cover, and the stored rule. */

import {describe, expect, test} from 'vitest';

import {type AllowRule, readAllowRule, ruleFor} from '../../../machines/domain/allow-rule.ts';
import {callHash} from '../../../machines/domain/tool.ts';
import {decisionsIn} from '../../../machines/facts/folds.ts';
import {actionReviewMachine} from '../../../machines/loop/action-review.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {ruling} from '../events/outcomes.ts';
import {policySeat, runCommand, smallSettings} from '../events/settings.ts';

const shell = {
  ...runCommand,
  reaches: 'network',
  runs: {argument: 'command', language: 'shell', folder: 'working_dir'},
} as const;
const deploy = {folder: '/w', command: 'npm run deploy', match: 'exact'} as const;

function review(
  command: string,
  allow: readonly AllowRule[],
  preview: object = {},
  input: object = {},
  rejections = 0,
): ByHand {
  const args = {command};
  const reviewing = byHand(
    actionReviewMachine,
    {
      calls: [{call: {id: 'call-1', name: 'run_command', args}, tool: shell}],
      panel: panelRules({...smallSettings('interactive', [policySeat]), allow}),
      brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
      background: [],
      ...input,
    },
    {rejections},
  );
  reviewing.settle('preview', {kind: 'ready', args, preview: `$ ${command}`, ...preview});
  return reviewing;
}

const unjudged = {
  ballots: [{verdict: 'abstain', reasons: ["can't judge"], confidence: 0, unknown: ['deploy']}],
};

describe('a rule', () => {
  test('allows exactly its command without a vote, and the record says by whom', () => {
    const allowed = review('npm run deploy', [deploy]);
    expect(allowed.output()).toMatchObject([{kind: 'allowed', by: 'person'}]);
    expect(allowed.requests('screenProposal')).toEqual([]);
    const [vote] = review('npm run deploy', []).requests('screenProposal');
    const decision = {
      by: 'rule',
      decision: 'approve',
      hash: vote?.proposal.hash,
      title: vote?.proposal.title,
    };
    expect(decisionsIn(allowed.facts())).toMatchObject([decision]);
    expect(allowed.reports('human.decided')).toMatchObject([
      {by: 'rule', reason: 'allowed for good in this folder: npm run deploy'},
    ]);
  });

  test.each([
    ['another command', 'npm run deploy --force', deploy, {}],
    ['another folder', 'npm run deploy', {...deploy, folder: '/w/packages'}, {}],
    ['other scripts than those it was made for', 'npm run deploy', deploy, {basedOn: 'b'}],
    ['scripts that have changed', 'npm run deploy', {...deploy, basedOn: 'a'}, {basedOn: 'b'}],
  ])('does not cover %s', (_, command, rule, preview) => {
    expect(review(command, [rule], preview).requests('screenProposal')).toHaveLength(1);
  });

  test('covers no call for which a person is asked each time', () => {
    const guarded = review('npm run deploy', [deploy], {protectedReason: 'it is under .git'});
    guarded.settle('quorum', ruling('approve'));
    expect(guarded.requests('askHuman')).toMatchObject([
      {kind: 'protected', allowed: ['approve', 'reject']},
    ]);
  });
});

test('the preview of a command receives the files that this run has written', () => {
  const wrote = {tool: 'write_file', did: 'wrote', ok: true} as const;
  const evidence = [
    {...wrote, target: 'a.sh'},
    {...wrote, target: 'b.sh', ok: false},
  ];
  const reviewing = byHand(actionReviewMachine, {
    calls: [{call: {id: 'call-1', name: 'run_command', args: {command: 'sh a.sh'}}, tool: shell}],
    panel: panelRules(smallSettings('interactive', [policySeat])),
    brief: {request: 'do it', workspace: '/w', evidence, purpose: 'to get it done'},
    background: [],
  });
  expect(reviewing.requests('previewTool')).toMatchObject([{written: ['a.sh']}]);
});

describe('a prefix rule', () => {
  const prefix = {folder: '/w', command: 'git push', match: 'prefix'} as const;

  test.each([
    ['approve', ruling('approve')],
    ["can't judge", unjudged],
  ])('covers a call where the policies %s, and no vote is held', (_, outcome) => {
    const covered = review('git push origin main', [prefix]);
    covered.settle('screen', outcome);
    expect(covered.output()).toMatchObject([{kind: 'allowed', by: 'person'}]);
    expect(covered.reports('quorum.started')).toEqual([]);
    expect(decisionsIn(covered.facts())).toMatchObject([{by: 'rule'}]);
  });

  test('counts as a request of the person for the policies that screen the call', () => {
    const covered = review('git push origin main', [prefix]);
    const [screening] = covered.requests('screenProposal');
    expect(screening?.proposal.facts.request).toBe('do it\ngit push …');
    covered.settle('screen', ruling('reject'));
    const [, voted] = covered.requests('screenProposal');
    expect(voted?.proposal.facts.request).toBe('do it');
  });

  test('covers no call that a policy rejects: the vote is the same as without the rule', () => {
    const refused = review('git push origin --delete main', [prefix]);
    refused.settle('screen', ruling('reject'));
    refused.settle('quorum', ruling('reject'));
    expect(refused.output()).toMatchObject([{kind: 'rejected'}]);
    expect(refused.reports('human.decided')).toEqual([]);
  });

  test('covers no call on which a policy gives no ballot', () => {
    const silent = review('git push origin main', [prefix]);
    silent.settle('screen', crash);
    silent.settle('quorum', ruling('approve'));
    expect(silent.output()).toMatchObject([{kind: 'allowed'}]);
    expect(silent.output()).not.toHaveProperty('0.by');
  });

  test.each([
    ['that a policy refuses', {}],
    ['that runs other scripts', {basedOn: 'b'}],
  ])('does not let a mode that allowed the plan also allow a call %s', (_, preview) => {
    const args = {command: 'git push origin --delete main'};
    const granted = {by: 'auto_approve', hash: callHash('run_command', args)} as const;
    const refused = review(args.command, [prefix], preview, {granted});
    if (!('basedOn' in preview)) refused.settle('screen', ruling('reject'));
    refused.settle('quorum', ruling('reject'));
    expect(refused.output()).toMatchObject([{kind: 'rejected'}]);
  });
});

test.each([
  ['known code', 'a', 0],
  ['unknown code', 'a+b', 1],
  ['unknown code alone', '+b', 1],
])(
  'a mode that allowed the plan covers a call that runs %s, or leaves it to a vote',
  (_, basedOn, votes) => {
    const args = {command: 'npm test'};
    const granted = {by: 'auto_approve', hash: callHash('run_command', args)} as const;
    const reviewing = review('npm test', [], {basedOn}, {granted});
    expect(reviewing.requests('screenProposal')).toHaveLength(votes);
  },
);

describe('at a gate', () => {
  test('"always" runs the command, records the rule and reports it for storage', () => {
    const asked = review('npm run deploy', [], {basedOn: 'a'});
    asked.settle('quorum', unjudged);
    expect(asked.requests('askHuman')).toMatchObject([
      {
        reason: `Nobody has judged this action: policy/safety can't judge "deploy".`,
        lasting: {folder: '/w', command: 'npm run deploy', basedOn: 'a'},
        allowed: ['approve', 'always', 'reject'],
      },
    ]);
    asked.settle('person', {decision: 'always'});
    expect(asked.output()).toMatchObject([{kind: 'allowed', by: 'person'}]);
    const rule = {...deploy, basedOn: 'a'};
    expect(asked.facts()).toContainEqual(expect.objectContaining({type: 'rule.made', rule}));
    expect(asked.reports('rule.made')).toMatchObject([{rule}]);
  });

  test('a prefix makes a prefix rule', () => {
    const asked = review('npm run deploy --dry', []);
    asked.settle('quorum', unjudged);
    asked.settle('person', {decision: 'always', prefix: 'npm run deploy'});
    expect(asked.reports('rule.made')).toMatchObject([{rule: {...deploy, match: 'prefix'}}]);
  });

  test('a call that a policy has vetoed cannot be allowed permanently', () => {
    const asked = review('npm run deploy', [], {}, {}, 2);
    asked.settle('quorum', ruling('reject'));
    const screening = review(
      'npm run deploy',
      [],
      {},
      {panel: panelRules({...smallSettings('interactive', [{...policySeat, veto: true}])})},
      2,
    );
    screening.settle('quorum', ruling('reject'));
    expect(screening.requests('askHuman')).toMatchObject([{allowed: ['approve', 'reject']}]);
    expect(screening.requests('askHuman')[0]).not.toHaveProperty('lasting');
    expect(asked.requests('askHuman')).toMatchObject([{allowed: ['approve', 'always', 'reject']}]);
  });

  test('a plain approval makes no rule', () => {
    const asked = review('npm run deploy', []);
    asked.settle('quorum', unjudged);
    asked.settle('person', {decision: 'approve'});
    expect(asked.reports('rule.made')).toEqual([]);
  });
});

describe('a prefix', () => {
  const rule = {...deploy, match: 'prefix'} as const;
  const covers = (command: string): boolean =>
    ruleFor({folder: '/w', command}, [rule]) !== undefined;

  test.each(['npm run deploy', 'npm run deploy --dry', 'npm  run deploy a/b.ts x=1'])(
    'covers %s',
    (command) => expect(covers(command)).toBe(true),
  );

  test.each([
    'npm run deploy; rm -rf .',
    'npm run deploy && x',
    'npm run deploy $(x)',
    'npm run deploy `x`',
    'npm run deploy > .bashrc',
    'npm run deploy | sh',
    'npm run deploy & x',
    'npm run deploy\nrm x',
    'npm run deploy $HOME',
    'npm run deploy *',
    'npm run deploy ~/x',
    `npm run deploy 'x'`,
    'npm run deploy2',
    'npm run',
    'X=1 npm run deploy',
    'sudo npm run deploy',
  ])('does not cover %j', (command) => expect(covers(command)).toBe(false));

  test.each([
    ['npm run deploy --dry', 'npm', 'first 2 words'],
    ['npm run deploy --dry', 'npm test', 'word for word'],
    ['npm run deploy > out', 'npm run', 'plain words'],
    ['A=b npm run deploy', 'A=b npm', 'plain words'],
  ])('of %j cannot be %j, and the problem says why', (command, prefix, why) => {
    const reading = readAllowRule({folder: '/w', command}, prefix);
    expect(reading).toMatchObject({ok: false, problem: expect.stringContaining(why)});
  });
});
