import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {parseConfig} from '../../actors/config/keys.ts';
import {createFunctionModel, createRuntime, createSqliteJournal} from '../../actors/index.ts';
import {createRedactor} from '../../actors/secrets/redact.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import {putManyFiles} from '../support/many-files.ts';
import {answer, work} from '../support/scenario.ts';

const canary = 'sk-canary-1f0c9a7be24d';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-secrets-'));
});

afterEach(() => rmSync(folder, {recursive: true}));

test.each(['SOME_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'HOUSE_PAT', 'DATABASE_URL'])(
  'the value of %s reaches neither the journal, nor a report, nor another model',
  async (name) => {
    putManyFiles(folder);
    const received: string[] = [];
    const speak = (request: ModelRequest) => {
      received.push(JSON.stringify(request));
      return request.purpose === 'explore' ? answer(`the key is ${canary}`) : work(request);
    };
    const file = join(folder, 'data/journal.db');
    const journal = createSqliteJournal(file);
    const runtime = createRuntime({
      config: {
        agent: {
          exploration_model: 'test/worker',
          decision_model: 'test/worker',
          review_models: ['policy/safety'],
          phase_scope: 'plan-only',
        },
      },
      models: [createFunctionModel('test/worker', speak)],
      journal,
      env: {[name]: canary},
    });
    const run = runtime.start({form: 'agent', request: `Use ${canary} well`, workspace: folder});
    const reports: string[] = [];
    for await (const event of run.events) reports.push(JSON.stringify(event));
    await runtime.close();
    await journal.close();
    expect(received.length).toBeGreaterThan(1);
    expect(received.join('\n')).toContain('the key is [redacted]');
    expect(received.join('\n')).not.toContain(canary);
    expect(reports.join('\n')).not.toContain(canary);
    expect(readFileSync(file, 'latin1')).toContain('[redacted]');
    expect(readFileSync(file, 'latin1')).not.toContain(canary);
  },
);

test('a pattern is applied as it is validated: it matches characters of every script', () => {
  const config = parseConfig({secrets: {patterns: ['\\p{Lu}{2}-\\d+', '[🔑]\\w+']}});
  const {text} = createRedactor(config, {});
  expect(text('ÄÖ-12 and 🔑abc, not ab-3')).toBe('[redacted] and [redacted], not ab-3');
});
