/** policy/evidence on previewed writes: the content of a file counts, even if it cannot be shown. */

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {emptyAnalysis} from '../../../actors/policies/analysis/analysis.ts';
import {evidence} from '../../../actors/policies/evidence.ts';
import {actionProposal} from '../../../machines/loop/action.ts';
import {builtInTools, createToolbox} from '../../../tools/index.ts';
import {did} from './proposal.ts';

let workspace: string;

beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'quorate-overwriting-'));
});

afterEach(() => rmSync(workspace, {recursive: true}));

const toolbox = createToolbox(builtInTools('off'));
const args = {path: 'notes.txt', content: 'Hello'};

async function wordOn(isRead: boolean): Promise<string> {
  const ready = await toolbox.preview(
    {tool: 'write_file', args, workspace},
    {workspace, signal: new AbortController().signal, onChild: () => {}, recovering: false},
  );
  if (ready.kind !== 'ready') throw new Error(ready.message);
  const brief = {
    request: 'Create notes.txt',
    workspace,
    evidence: isRead ? did('read_file', {path: 'notes.txt'}) : [],
    purpose: 'create it',
  };
  const call = {id: 'c', name: 'write_file', args};
  const tool = toolbox.infos().find(({name}) => name === call.name);
  const proposal = actionProposal({call, ready, brief, tool, isDoubted: false});
  const {verdict, rules = []} = evidence(proposal, emptyAnalysis);
  return [verdict, ...rules].join(' ');
}

test.each([
  ['text', 'important\n'],
  ['binary data', Buffer.from([0, 1, 2, 255])],
])('a file that holds %s is not replaced unread', async (_, content) => {
  writeFileSync(join(workspace, 'notes.txt'), content);
  expect(await wordOn(false)).toBe('reject overwrite-unread');
  expect(await wordOn(true)).toBe('approve');
});

test('a file that already has this content may be written unread', async () => {
  writeFileSync(join(workspace, 'notes.txt'), args.content);
  expect(await wordOn(false)).toBe('approve');
});

test('a new file may be written without a read', async () => {
  expect(await wordOn(false)).toBe('approve');
});
