/** Folders of a suite, without a process: made before each test, or once per suite, and removed after it. */

import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {afterAll, afterEach, beforeAll, beforeEach} from 'vitest';

import {type ConfigFolders, createConfigFolders} from './config/workspace.ts';

/** An empty folder of the current test. */
export function setFolder(once = false): () => string {
  let folder = '';
  aroundTests(
    once,
    async () => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-cli-')));
    },
    async () => rmSync(folder, {recursive: true, force: true}),
  );
  return () => folder;
}

export function setConfigFolders(): ConfigFolders {
  let current: ConfigFolders;
  beforeEach(() => {
    current = createConfigFolders();
  });
  afterEach(() => current.remove());
  return delegate(() => current);
}

export function putIn(folder: string, path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, text);
  return file;
}

/** Each line with its end. */
export function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

export function aroundTests(
  once: boolean,
  begin: () => Promise<void>,
  end: () => Promise<void>,
): void {
  if (once) {
    beforeAll(begin, 120_000);
    afterAll(end);
  } else {
    beforeEach(begin);
    afterEach(end);
  }
}

/** Always the object of the current test. */
export function delegate<T extends object>(current: () => T): T {
  return new Proxy(Object.create(null), {get: (_, name) => Reflect.get(current(), name)});
}
