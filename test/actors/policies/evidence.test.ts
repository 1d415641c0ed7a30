/** policy/evidence: no unread file is changed, and no result is claimed without a run; results as an agent proposes them. */

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';

import {emptyAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import {evidence as evidencePolicy} from '../../../actors/policies/evidence.ts';
import {consultPolicy, policyRules} from '../../../actors/policies/index.ts';
import type {Evidence} from '../../../machines/domain/evidence.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import type {TaskResult} from '../../../machines/domain/result.ts';
import type {Proposal, ProposalFacts} from '../../../machines/domain/review.ts';
import {openState} from '../../../machines/forms/agent/agent-state.ts';
import {resultProposal} from '../../../machines/forms/agent/proposals.ts';
import {actionProposal} from '../../../machines/loop/action.ts';
import {builtInTools, createToolbox} from '../../../tools/index.ts';
import {smallSettings} from '../../machines/events/settings.ts';
import {folderWith} from '../../support/stage.ts';
import {builtIn, did, proposalOf} from './proposal.ts';
import {openWorld, type TestWorld} from './world.ts';

const edit = {tool: 'edit_file', args: {path: 'src/a.ts', old_text: 'x', new_text: 'y'}};

const write = {tool: 'write_file', args: {path: 'src/a.ts', content: 'new\n'}};

const replaces = 'a1b2c3';

const creates = 'absent';

function action(
  call: typeof edit | typeof write,
  read: readonly Evidence[],
  basedOn?: string,
): Proposal {
  return proposalOf({calls: [call], evidence: read, ...(basedOn ? {basedOn} : {})});
}

function planned(calls: ProposalFacts['calls']): Proposal {
  return proposalOf({calls}, {kind: 'plan'});
}

function resultOfEvidence(claim: string, facts: Partial<ProposalFacts> = {}): Proposal {
  return proposalOf({claims: [claim], ...facts}, {kind: 'result'});
}

const failedTask = [{task: 'a', succeeded: false, text: 'exit 1'}];

const cases: Readonly<Record<string, {refused: readonly Proposal[]; left: readonly Proposal[]}>> = {
  'edit-unread': {
    refused: [
      action(edit, []),
      action(edit, did('read_file', {path: 'src/b.ts'})),
      action(edit, did('grep_search', {pattern: 'x'})),
      action(edit, did('run_command', {command: 'true # src/a.ts'})),
      action(edit, did('run_command', {command: 'ls src/a.ts'})),
      action(edit, did('run_command', {command: 'cat a.ts'})),
      planned([edit]),
      planned([edit, {tool: 'read_file', args: {path: 'src/a.ts'}}]),
    ],
    left: [
      action(edit, did('read_file', {path: 'src/a.ts'})),
      action(edit, did('grep_search', {path: 'src'})),
      action(edit, did('run_command', {command: 'cat src/a.ts'})),
      action(edit, did('run_command', {command: 'cat a.ts', working_dir: 'src'})),
      action(edit, did('run_command', {command: 'cd src; head -5 *.ts'})),
      action(edit, did('run_command', {command: 'grep -rn x src'})),
      planned([{tool: 'read_file', args: {path: 'src/a.ts'}}, edit]),
      planned([
        {tool: 'grep_search', args: {pattern: 'x'}},
        {tool: 'edit_file', args: {}},
      ]),
    ],
  },
  'overwrite-unread': {
    refused: [action(write, [], replaces)],
    left: [
      action(write, [], creates),
      action(write, did('read_file', {path: 'src/a.ts'}), replaces),
      planned([write]),
    ],
  },
  'tests-claim': {
    refused: [
      resultOfEvidence('Fixed it; all tests pass.'),
      resultOfEvidence('The 12 unit tests are green', {
        evidence: did('run_command', {command: 'ls'}),
      }),
      resultOfEvidence('テストはすべて成功しました'),
      resultOfEvidence('All tests pass.', {
        evidence: [
          ...did('run_command', {command: 'npm test'}),
          ...did('run_command', {command: 'npm test'}, 'failed'),
        ],
      }),
    ],
    left: [
      resultOfEvidence('Fixed it; all tests pass.', {
        evidence: did('run_command', {command: 'npm test'}),
      }),
      resultOfEvidence('I could not tell whether the tests pass.'),
      resultOfEvidence('The tests were not run.'),
    ],
  },
  'failure-hidden': {
    refused: [resultOfEvidence('Everything is done.', {results: failedTask})],
    left: [
      resultOfEvidence('Task a failed: exit 1.', {results: failedTask}),
      resultOfEvidence('Everything is done.', {results: [{task: 'a', succeeded: true, text: ''}]}),
    ],
  },
  'write-claim': {
    refused: [
      resultOfEvidence('Wrote OVERVIEW.md.'),
      resultOfEvidence('I updated the `src/a.ts` as asked'),
      resultOfEvidence('Wrote OVERVIEW.md.', {
        evidence: did('spawn_agent', {request: 'Write OVERVIEW.md'}),
      }),
    ],
    left: [
      resultOfEvidence('Wrote OVERVIEW.md.', {evidence: did('write_file', {path: 'OVERVIEW.md'})}),
      resultOfEvidence('Read OVERVIEW.md; it was created in 2020.'),
    ],
  },
  'deletion-claim': {
    refused: [
      resultOfEvidence('Deleted src/old.ts.'),
      resultOfEvidence('Removed src/a.ts.', {evidence: did('run_command', {command: 'ls src'})}),
      resultOfEvidence('src/old.ts を削除しました。'),
    ],
    left: [
      resultOfEvidence('Deleted src/old.ts.', {
        evidence: did('run_command', {command: 'rm src/old.ts'}),
      }),
      resultOfEvidence('Removed the unused import from src/a.ts.'),
    ],
  },
};

let world: TestWorld;

describe('on actions, plans and results', () => {
  beforeAll(() => {
    world = openWorld();
  });

  afterAll(() => world.close());

  for (const [rule, {refused, left}] of Object.entries(cases)) {
    describe(`evidence/${rule}`, () => {
      test.each(refused.map((proposal) => [proposal.facts, proposal] as const))(
        'refuses %j',
        async (_facts, proposal) => {
          const {verdict, reasons} = await world.consult('evidence', proposal);
          expect(verdict).toBe('reject');
          expect(reasons.join('\n')).toContain(`evidence/${rule}: "`);
        },
      );
      test.each(left.map((proposal) => [proposal.facts, proposal] as const))(
        'accepts %j',
        async (_facts, proposal) => {
          expect(await world.consult('evidence', proposal)).toMatchObject({verdict: 'approve'});
        },
      );
    });
  }

  test('every rule of evidence has its cases', () => {
    const documented = policyRules.filter(({policy}) => policy === 'evidence').map(({id}) => id);
    expect(documented.toSorted()).toEqual(Object.keys(cases).toSorted());
  });

  test('a policy is found by either of its names only', () => {
    const proposal = proposalOf({calls: [{tool: 'read_file', args: {path: '.env'}}]});
    expect(consultPolicy('policy/safety', proposal, emptyAnalysis).verdict).toBe('reject');
    expect(consultPolicy('safety', proposal, emptyAnalysis).verdict).toBe('reject');
    for (const name of ['policy/style', 'constructor', '__proto__'])
      expect(() => consultPolicy(name, proposal, emptyAnalysis)).toThrow('no policy reviewer');
  });
});

let resultWorld: TestWorld;

/** A plan of one task with this result, as a proposal to vote on. */
function proposed(result: Partial<TaskResult>, args?: JsonObject): Proposal {
  const task = {id: 'a', description: 'Work', depends_on: [], context_mode: 'full'} as const;
  const settings = {...smallSettings('auto_reject', []), tools: builtIn};
  const state = openState({request: 'Fix it', workspace: '/w', settings});
  const plan = {
    objective: 'Fix it',
    reasoning: 'asked for',
    tasks: [{...task, ...(args ? {args} : {})}],
  };
  const done = {id: 'a', description: 'Work', status: 'succeeded', output: ''} as const;
  const results = [{...done, evidence: [], written: [], ...result}];
  return resultProposal({...state, draft: {...state.draft, plan}, runs: [{plan, results}]});
}

/** The rules of policy/evidence that refuse it, or the verdict. */
async function against(...work: Parameters<typeof proposed>): Promise<string> {
  const {verdict, rules} = await resultWorld.consult('evidence', proposed(...work));
  return rules?.join(' ') ?? verdict;
}

const output = 'Fixed; all tests pass.';

type CallOf = NonNullable<TaskResult['calls']>[number];

const made = (tool: string, args: JsonObject, more: Partial<CallOf> = {}): CallOf => ({
  tool,
  args,
  status: 'succeeded',
  text: '',
  ...more,
});

const run = (command: string) => made('run_command', {command});

const wrote = (path: string, content = 'x') => made('write_file', {path, content});

const force = {command: 'git push --force'};

describe('on the results of a plan', () => {
  beforeAll(() => {
    resultWorld = openWorld({'report.md': 'x'});
  });

  afterAll(() => resultWorld.close());

  test('a worker who claims a file that was not written is refused', async () => {
    const claim = {output: 'I wrote report.md.'};
    expect(await against(claim)).toBe('write-claim');
    const done = did('write_file', {path: 'report.md', content: 'x'});
    expect(await against({...claim, evidence: done})).toBe('approve');
  });

  test.each([
    ['echo x > report.md', 'approve'],
    ['cp README.md report.md', 'approve'],
    ['node scripts/make-report.js', 'approve'],
    ['true # report.md', 'write-claim'],
    ['ls report.md', 'write-claim'],
  ])('a worker who claims report.md after running %j: %s', async (command, word) => {
    const evidence = did('run_command', {command});
    expect(await against({output: 'I wrote report.md.', evidence})).toBe(word);
  });

  test('an unknown program cannot have written a missing file, or one that is as git has it', async () => {
    const evidence = did('run_command', {command: 'node scripts/make-report.js'});
    expect(await against({output: 'I wrote other.md.', evidence})).toBe('write-claim');
    expect(await against({output: 'I updated src/a.ts.', evidence})).toBe('write-claim');
  });

  test.each([
    ['npm test', 0, 'approve'],
    ['npm test', 1, 'tests-claim'],
    ['CI=1 node --test 2>&1', 0, 'approve'],
    ['cd src && npm test', 0, 'approve'],
    ['echo test', 0, 'tests-claim'],
    ['ls test', 0, 'tests-claim'],
    ['true # npm test', 0, 'tests-claim'],
    ['node --test --help', 0, 'tests-claim'],
    ['npm test | tail -5', 0, 'abstain'],
    ['npm test || true', 0, 'abstain'],
    ['npm test; date', 0, 'abstain'],
    ['true || npm test', 0, 'abstain'],
  ])(
    'a worker who claims that tests pass after running %j with exit code %i: %s',
    async (...[command, exitCode, word]) => {
      const ran = did('run_command', {command}, exitCode === 0 ? 'succeeded' : 'failed', exitCode);
      expect(await against({output})).toBe('tests-claim');
      expect(await against({output, evidence: ran})).toBe(word);
    },
  );

  test('the last run of the tests counts', async () => {
    const passed = did('run_command', {command: 'npm test'}, 'succeeded', 0);
    const failed = did('run_command', {command: 'npm test'}, 'failed', 1);
    expect(await against({output, evidence: [...failed, ...passed]})).toBe('approve');
    expect(await against({output, evidence: [...passed, ...failed]})).toBe('tests-claim');
  });

  test('the output of a tool is not a claim', async () => {
    const read = {output: 'All tests pass.', evidence: did('read_file', {path: 'README.md'})};
    expect(await against(read, {path: 'README.md'})).toBe('approve');
  });

  test('a failed task must be reported, even beside a successful one', async () => {
    expect(await against({status: 'failed', output: 'exit 1'})).toBe('failure-hidden');
  });

  test.each([
    ['safety', 'read-credentials', made('read_file', {path: '.env'})],
    ['safety', 'git-history', run('git push --force')],
    ['safety', 'git-history', made('run_command', force, {status: 'failed'})],
    ['scope', 'push-unasked', run('git push origin main')],
    ['scope', 'protected-config', wrote('.husky/pre-commit')],
    ['scope', 'working-dir', made('run_command', {command: 'ls', working_dir: '/etc'})],
  ])('policy/%s judges the calls of the run by its rule %s', async (policy, rule, call) => {
    const ballot = await resultWorld.consult(policy, proposed({output: 'Done.', calls: [call]}));
    expect(ballot).toMatchObject({verdict: 'reject', rules: [rule]});
  });

  test.each([
    ['a call that a person allowed', made('run_command', force, {allowedBy: 'person'})],
    ['a call that was not allowed', made('run_command', force, {status: 'rejected'})],
    ['a call that never ran', made('run_command', force, {status: 'refused'})],
  ])('policy/safety accepts %s', async (_, call) => {
    const ballot = await resultWorld.consult('safety', proposed({output: 'Done.', calls: [call]}));
    expect(ballot).toMatchObject({verdict: 'approve'});
  });

  test.each(['safety', 'scope', 'evidence'])(
    'policy/%s accepts the calls that the request needs',
    async (policy) => {
      const calls = [
        made('read_file', {path: 'src/a.ts'}),
        made('glob_search', {pattern: '**'}),
        wrote('src/a.ts'),
        wrote('src/empty.txt', ''),
        wrote('package.json', '{"scripts": {"prepare": "tsc"}}'),
        made('edit_file', {path: 'src/b.ts', old_text: 'x', new_text: 'y'}),
        run('npm test > out.txt'),
        made('read_file', {path: 'src/empty.txt'}),
      ];
      const read = did('read_file', {path: 'src/empty.txt'});
      const ballot = await resultWorld.consult(
        policy,
        proposed({output: 'Done.', calls, evidence: read}),
      );
      expect(ballot).toMatchObject({verdict: 'approve'});
    },
  );
});

let workspace: string;

const toolbox = createToolbox(builtInTools('off'));

const noteArgs = {path: 'notes.txt', content: 'Hello'};

async function wordOn(isRead: boolean): Promise<string> {
  const ready = await toolbox.preview(
    {tool: 'write_file', args: noteArgs, workspace},
    {workspace, signal: new AbortController().signal, onChild: () => {}, recovering: false},
  );
  if (ready.kind !== 'ready') throw new Error(ready.message);
  const brief = {
    request: 'Create notes.txt',
    workspace,
    evidence: isRead ? did('read_file', {path: 'notes.txt'}) : [],
    purpose: 'create it',
  };
  const call = {id: 'c', name: 'write_file', args: noteArgs};
  const tool = toolbox.infos().find(({name}) => name === call.name);
  const proposal = actionProposal({call, ready, brief, tool, isDoubted: false});
  const {verdict, rules = []} = evidencePolicy(proposal, emptyAnalysis);
  return [verdict, ...rules].join(' ');
}

describe('on previewed writes', () => {
  beforeEach(() => {
    workspace = folderWith();
  });

  test.each([
    ['text', 'important\n'],
    ['binary data', Buffer.from([0, 1, 2, 255])],
  ])('a file that holds %s is not replaced unread', async (_, content) => {
    writeFileSync(join(workspace, 'notes.txt'), content);
    expect(await wordOn(false)).toBe('reject overwrite-unread');
    expect(await wordOn(true)).toBe('approve');
  });

  test('a file that already has this content may be written unread', async () => {
    writeFileSync(join(workspace, 'notes.txt'), noteArgs.content);
    expect(await wordOn(false)).toBe('approve');
  });

  test('a new file may be written without a read', async () => {
    expect(await wordOn(false)).toBe('approve');
  });
});
