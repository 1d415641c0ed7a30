/** A folder, a server of models and a runtime for each test of a suite; all are removed with the test. */

import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {afterEach, beforeEach} from 'vitest';

import {createRuntime, type RuntimeOptions} from '../../actors/index.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import {type ReceivedRequest, type MockOpenAi, type Said, startMockOpenAi} from './mock-openai.ts';

export interface Wire {
  readonly workspace: () => string;
  /** The server of the models `mock/…` of this test. */
  readonly server: () => MockOpenAi;
  /** All requests that it has received. */
  readonly received: () => readonly ReceivedRequest[];
  /** Starts the server, after closing an earlier one. */
  readonly serve: (
    answer: (received: ReceivedRequest) => Said | Promise<Said>,
  ) => Promise<MockOpenAi>;
  /** A runtime whose configuration knows the server, after closing an earlier one. */
  readonly open: (options: RuntimeOptions) => Promise<Runtime>;
}

/** `files` are written to each folder. */
export function setUpWire(files: Readonly<Record<string, string>> = {}): Wire {
  let workspace = '';
  let server: MockOpenAi | undefined;
  let runtime: Runtime | undefined;
  const serverNow = (): MockOpenAi => {
    if (server) return server;
    throw new Error('no server has been started');
  };
  beforeEach(() => {
    workspace = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-wire-')));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, path)), {recursive: true});
      writeFileSync(join(workspace, path), text);
    }
  });
  afterEach(async () => {
    await runtime?.close();
    await server?.close();
    runtime = undefined;
    server = undefined;
    rmSync(workspace, {recursive: true});
  });
  return {
    workspace: () => workspace,
    server: serverNow,
    received: () => serverNow().received,
    serve: async (answer) => {
      await server?.close();
      server = await startMockOpenAi(answer);
      return server;
    },
    open: async ({config = {}, ...options}) => {
      await runtime?.close();
      const mock = {kind: 'openai-compatible', base_url: serverNow().baseUrl} as const;
      runtime = createRuntime({env: {}, ...options, config: {...config, providers: {mock}}});
      return runtime;
    },
  };
}
