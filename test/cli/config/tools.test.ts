/** `[tools.NAME]`: definitions, and the messages on faulty ones. */

import {afterEach, beforeEach, describe, expect, it} from 'vitest';

import {toolingOf} from '../../../actors/performers/tooling.ts';
import {createConfigFolders, type ConfigFolders} from './workspace.ts';

let folders: ConfigFolders;
beforeEach(() => {
  folders = createConfigFolders();
});
afterEach(() => folders.remove());

const whole = `[tools.lint]
command = ["eslint", "--rule={rule}", "--", "{files}", "{path}"]
description = "Lints."
reads = ["path"]
reaches = "workspace"
quotes = true
risk = "low"
repeatability = "repeatable"
timeout_secs = 30
env = ["ESLINT_TOKEN"]
working_dir = "packages/a"

[tools.lint.parameters.rule]
type = "string"
pattern = "[a-z-]+"
description = "A rule"
[tools.lint.parameters.files]
type = "list"
min = 1
[tools.lint.parameters.path]
type = "path"
required = true
`;

describe('a definition', () => {
  it('of the own file is accepted whole, and recorded with a run as it is', async () => {
    folders.writeUser(whole);
    const {config, warnings} = await folders.load();
    expect(warnings).toEqual([]);
    expect(toolingOf(config, '/w').custom).toEqual([
      {
        name: 'lint',
        command: ['eslint', '--rule={rule}', '--', '{files}', '{path}'],
        description: 'Lints.',
        reads: ['path'],
        reaches: 'workspace',
        quotes: true,
        risk: 'low',
        repeatability: 'repeatable',
        timeout_secs: 30,
        env: ['ESLINT_TOKEN'],
        working_dir: 'packages/a',
        parameters: {
          rule: {type: 'string', pattern: '[a-z-]+', description: 'A rule'},
          files: {type: 'list', min: 1},
          path: {type: 'path', required: true},
        },
      },
    ]);
  });

  it('of a project replaces the tool of the same name whole, once the project is trusted', async () => {
    folders.writeUser(
      '[tools.a]\ncommand = ["x"]\ndescription = "X"\nrisk = "low"\nreaches = "nothing"\n',
    );
    folders.writeProject('[tools.a]\ncommand = ["y"]\ndescription = "Y"\n');
    expect((await folders.load()).config.tools['a']).toMatchObject({command: ['x'], risk: 'low'});
    await folders.trust();
    expect((await folders.load()).config.tools).toEqual({a: {command: ['y'], description: 'Y'}});
  });
});

const base = 'command = ["x", "{a}"]\ndescription = "X"\n[tools.t.parameters.a]\ntype = "string"\n';

function changed(from: string, to: string): string {
  return `[tools.t]\n${base.replace(from, to)}`;
}

describe('a fault is named with its place', () => {
  it.each([
    [
      '[tools.run_command]\ncommand = ["x"]\ndescription = "X"',
      '1:8: tools takes no entry named "run_command": Quorate has a tool of this name',
    ],
    [
      '[tools."a b"]\ncommand = ["x"]\ndescription = "X"',
      '1:8: tools takes no entry named "a b": a name of a tool has 1 to 64 letters',
    ],
    [
      '[tools.cast_ballot]\ncommand = ["x"]\ndescription = "X"',
      '1:8: tools takes no entry named "cast_ballot"',
    ],
    [
      '[tools.toString]\ncommand = ["x"]\ndescription = "X"',
      '1:8: tools takes no entry named "toString"',
    ],
    ['[tools.t]\ndescription = "X"', '1:8: tools.t: entry command: is missing; it takes a list'],
    [
      '[tools.t]\ncommand = "x"\ndescription = "X"',
      '2:1: tools.t: entry command: takes a list in square brackets, not "x"',
    ],
    ['[tools.t]\ncommand = ["x"]', '1:8: tools.t: entry description: is missing'],
    [
      '[tools.t]\ncommand = ["x"]\ndescription = "X"\nreach = "network"',
      '4:1: unknown key "tools.t.reach"; did you mean "tools.t.reaches"?',
    ],
    [
      '[tools.t]\ncommand = ["x"]\ndescription = "X"\nreaches = "all"',
      '4:1: tools.t: entry reaches: takes "nothing" or "workspace" or "network", not "all"',
    ],
    [
      changed('"{a}"', '"{b}"'),
      '2:17: tools.t: entry command.1: "{b}" names no parameter of the tool: {b}; did you mean "a"?',
    ],
    [changed('["x", "{a}"]', '["{a}"]'), '2:12: tools.t: entry command.0: "{a}" is not a program'],
    [
      changed('["x", "{a}"]', '["-x", "{a}"]'),
      '2:12: tools.t: entry command.0: "-x" is not a program',
    ],
    [
      changed(', "{a}"', ''),
      '4:21: tools.t: entry parameters.a: a table is in no entry of command',
    ],
    [
      changed('"{a}"', '"a{a}"').replace('"string"', '"list"'),
      '2:17: tools.t: entry command.1: "a{a}" contains the list {a}, which must be a whole entry',
    ],
    [changed('"string"', '"text"'), '5:1: tools.t: entry parameters.a.type: takes "string" or'],
    [
      changed('"string"', '"choice"'),
      '5:1: tools.t: entry parameters.a.type: "choice" needs choices',
    ],
    [
      `${changed('', '')}choices = ["a"]`,
      '6:1: tools.t: entry parameters.a.choices: a list does not apply to a parameter of the type string',
    ],
    [
      `${changed('"string"', '"choice"')}choices = ["a", "-b"]`,
      '6:17: tools.t: entry parameters.a.choices.1: "-b" begins with "-"',
    ],
    [
      `${changed('', '')}pattern = "(?=a)"`,
      '6:1: tools.t: entry parameters.a.pattern: "(?=a)" is not an RE2 pattern',
    ],
    [
      `${changed('', '')}min = 3\nmax = 2`,
      '7:1: tools.t: entry parameters.a.max: 2 is less than min = 3',
    ],
    [
      changed('[tools', 'reads = ["a"]\n[tools'),
      '4:10: tools.t: entry reads.0: "a" is not a parameter of the type path',
    ],
    [
      changed('[tools', 'runs = {argument = "b", language = "shell"}\n[tools'),
      '4:9: tools.t: entry runs.argument: "b" is not a parameter of the type string',
    ],
    [changed('[tools', 'risk = "low"\n[tools'), '4:1: tools.t: entry risk: "low" needs reaches'],
    [
      changed('[tools', 'risk = "low"\nreaches = "nothing"\nwrites = ["a"]\n[tools').replace(
        '"string"',
        '"path"',
      ),
      '4:1: tools.t: entry risk: "low" does not fit a tool that writes',
    ],
    [
      changed(
        '[tools',
        'risk = "low"\nreaches = "nothing"\nruns = {argument = "a", language = "shell"}\n[tools',
      ),
      '4:1: tools.t: entry risk: "low" does not fit a tool that runs code',
    ],
    [
      changed('[tools', 'working_dir = "/etc"\n[tools'),
      '4:1: tools.t: entry working_dir: "/etc" is not a folder below the workspace',
    ],
    [
      changed('[tools', 'working_dir = "a/../.."\n[tools'),
      '4:1: tools.t: entry working_dir: "a/../.." is not a folder below',
    ],
    [
      changed('[tools', 'env = ["A=b"]\n[tools'),
      '4:8: tools.t: entry env.0: "A=b" is not a name of an environment variable',
    ],
    [
      changed('[tools', 'timeout_secs = 0\n[tools'),
      '4:1: tools.t: entry timeout_secs: 0 is too small; at least 1',
    ],
    [
      '[tools.t]\ncommand = ["x", "{constructor}"]\ndescription = "X"\n[tools.t.parameters.constructor]\ntype = "string"',
      '4:21: tools.t.parameters takes no entry named "constructor"',
    ],
  ])('%#: %s', async (text, message) => {
    folders.writeUser(text);
    expect(await folders.refusal()).toContain(`config.toml:${message}`);
  });
});
