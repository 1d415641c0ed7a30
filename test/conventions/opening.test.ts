/** A file whose path comes from elsewhere is opened only if it is not of Quorate itself: see `openable`. */

import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Files that open only what Quorate has made, what is shipped with it, or files of the kernel. */
const ofItsOwn: Readonly<Record<string, string>> = {
  'actors/journal/': 'the journal',
  'actors/version.ts': 'the code of the charts',
  'cli/talk/screen/history-file.ts': 'the history of the prompt',
  'cli/commands/demo.ts': 'shipped files',
  'cli/config/folder-trust.ts': 'the list of trusted folders',
  'cli/gate/plan-file.ts': 'a file that is open',
  'cli/inspect/': 'shipped pages',
  'cli/language.ts': 'the shipped catalogue',
  'cli/serve/page/': 'shipped pages',
  'cli/charts/': 'shipped diagrams, tests and modules of users',
  'cli/doctor/doctor.ts': 'the name of the system',
  'cli/interview/answers-file.ts': 'a new file',
  'cli/log.ts': 'the log, to append to it',
  'cli/version.ts': 'the manifest of the package',
  'tools/database/': 'in a process of its own',
  'tools/mcp/servers.ts': 'pinned definitions',
  'tools/read/tree.ts': 'a folder that is open',
  'tools/run/child.ts': 'the kernel',
  'tools/run/processes.ts': 'the kernel',
  'tools/run/quota.ts': 'the kernel',
  'tools/run/sandbox/landlock-process.ts':
    'the kernel, its order, and places without their contents',
  'tools/run/sandbox/reserved-paths.ts': 'new placeholders',
  'tools/run/snapshot/baselines.ts': 'snapshots',
  'tools/run/snapshot/marker.ts': 'snapshots',
  'tools/run/snapshot/take.ts': 'snapshots',
  'tools/text/data-file.ts': 'shipped data',
  'tools/write/leftovers.ts': 'the kernel',
  'tools/write/write.ts': 'a new file, and a folder that is open',
};

/** The functions of `node:fs` that open a file, by the names under which a file imports them. */
const openers =
  'open openSync opendir opendirSync readFile readFileSync createReadStream copyFile copyFileSync cpSync'.split(
    ' ',
  );

test('every opener of files asks openable, besides those of our own files', () => {
  const found = globSync('{actors,tools,cli}/**/*.ts', {cwd: root})
    .filter((file) => !Object.keys(ofItsOwn).some((own) => file.startsWith(own)))
    .flatMap((file) => {
      const text = sourceOf(file);
      const imports = [...text.matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g)];
      const names = new Set(imports.flatMap(([, list = '']) => list.split(/[\s,]+/)));
      const used = openers.filter((name) => names.has(name));
      const calls = new RegExp(
        String.raw`(?<![\w.$]|function )(?:${used.join('|')})\((?!\s*openable\()`,
        'g',
      );
      return used.length === 0 ? [] : [...text.matchAll(calls)].map(([call]) => `${file}: ${call}`);
    });
  expect(found).toEqual([]);
});

test('the list of exceptions names only files that exist', () => {
  const files = globSync('{actors,tools,cli}/**/*.ts', {cwd: root});
  const unused = Object.keys(ofItsOwn).filter((own) => !files.some((file) => file.startsWith(own)));
  expect(unused).toEqual([]);
});

function sourceOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}
