/** policy/evidence: no unread file is changed, and no result is claimed without a run. */

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {emptyAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import {consultPolicy, policyRules} from '../../../actors/policies/index.ts';
import type {Evidence} from '../../../machines/domain/evidence.ts';
import type {Proposal, ProposalFacts} from '../../../machines/domain/review.ts';
import {commandProposal, did, proposalOf} from './proposal.ts';
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

function plan(calls: ProposalFacts['calls']): Proposal {
  return proposalOf({calls}, {kind: 'plan'});
}

function result(claim: string, facts: Partial<ProposalFacts> = {}): Proposal {
  return proposalOf({claims: [claim], ...facts}, {kind: 'result'});
}

const failed = [{task: 'a', succeeded: false, text: 'exit 1'}];

const cases: Readonly<Record<string, {refused: readonly Proposal[]; left: readonly Proposal[]}>> = {
  'edit-unread': {
    refused: [
      action(edit, []),
      action(edit, did('read_file', {path: 'src/b.ts'})),
      action(edit, did('grep_search', {pattern: 'x'})),
      action(edit, did('run_command', {command: 'true # src/a.ts'})),
      action(edit, did('run_command', {command: 'ls src/a.ts'})),
      action(edit, did('run_command', {command: 'cat a.ts'})),
      plan([edit]),
      plan([edit, {tool: 'read_file', args: {path: 'src/a.ts'}}]),
    ],
    left: [
      action(edit, did('read_file', {path: 'src/a.ts'})),
      action(edit, did('grep_search', {path: 'src'})),
      action(edit, did('run_command', {command: 'cat src/a.ts'})),
      action(edit, did('run_command', {command: 'cat a.ts', working_dir: 'src'})),
      action(edit, did('run_command', {command: 'cd src; head -5 *.ts'})),
      action(edit, did('run_command', {command: 'grep -rn x src'})),
      plan([{tool: 'read_file', args: {path: 'src/a.ts'}}, edit]),
      plan([
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
      plan([write]),
    ],
  },
  'blind-redirect': {
    refused: [
      commandProposal('echo x>notes.txt'),
      commandProposal('sort README.md | uniq > notes.txt'),
      commandProposal("sh -c 'echo x > notes.txt'"),
      commandProposal('cp src/b.ts notes.txt'),
      commandProposal('mv src/b.ts notes.txt'),
      commandProposal('echo x | tee notes.txt'),
      commandProposal('sort -o notes.txt README.md'),
    ],
    left: [
      commandProposal('echo x > notes.txt', 'Run `echo x > notes.txt`'),
      commandProposal('echo x >> notes.txt'),
      commandProposal('echo x > new.txt'),
      commandProposal('echo x > dist/app.js'),
      commandProposal('npm test > /dev/null 2>&1'),
      proposalOf({
        calls: [{tool: 'run_command', args: {command: 'sort README.md > notes.txt'}}],
        evidence: did('read_file', {path: 'notes.txt'}),
      }),
    ],
  },
  'tests-claim': {
    refused: [
      result('Fixed it; all tests pass.'),
      result('The 12 unit tests are green', {evidence: did('run_command', {command: 'ls'})}),
      result('テストはすべて成功しました'),
      result('All tests pass.', {
        evidence: [
          ...did('run_command', {command: 'npm test'}),
          ...did('run_command', {command: 'npm test'}, 'failed'),
        ],
      }),
    ],
    left: [
      result('Fixed it; all tests pass.', {evidence: did('run_command', {command: 'npm test'})}),
      result('I could not tell whether the tests pass.'),
      result('The tests were not run.'),
    ],
  },
  'failure-hidden': {
    refused: [result('Everything is done.', {results: failed})],
    left: [
      result('Task a failed: exit 1.', {results: failed}),
      result('Everything is done.', {results: [{task: 'a', succeeded: true, text: ''}]}),
    ],
  },
  'write-claim': {
    refused: [
      result('Wrote OVERVIEW.md.'),
      result('I updated the `src/a.ts` as asked'),
      result('Wrote OVERVIEW.md.', {
        evidence: did('spawn_agent', {request: 'Write OVERVIEW.md'}),
      }),
    ],
    left: [
      result('Wrote OVERVIEW.md.', {evidence: did('write_file', {path: 'OVERVIEW.md'})}),
      result('Read OVERVIEW.md; it was created in 2020.'),
    ],
  },
  'deletion-claim': {
    refused: [
      result('Deleted src/old.ts.'),
      result('Removed src/a.ts.', {evidence: did('run_command', {command: 'ls src'})}),
      result('src/old.ts を削除しました。'),
    ],
    left: [
      result('Deleted src/old.ts.', {evidence: did('run_command', {command: 'rm src/old.ts'})}),
      result('Removed the unused import from src/a.ts.'),
    ],
  },
};

let world: TestWorld;

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
  for (const name of ['policy/style', 'constructor', '__proto__']) {
    expect(() => consultPolicy(name, proposal, emptyAnalysis)).toThrow('no policy reviewer');
  }
});
