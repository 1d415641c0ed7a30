/** Rules and tools in a file: accepted definitions, the messages on faulty ones, and the required owner of the file. */

import {describe, expect, it} from 'vitest';

import {toSpawnRules} from '../../../actors/config/rules.ts';
import {toolingOf} from '../../../actors/performers/tooling.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import {settingsText} from '../../../cli/render/tables/settings.ts';
import {setConfigFolders} from '../folders.ts';
import {rowsOf} from '../rows.ts';

const folders = setConfigFolders();

const rule = `[[spawn]]
when = "plan.rejected:2"
form = "discuss"
request = "What is wrong with this plan?"
`;

describe('a file of the user', () => {
  it('has rules in its order; an event alone means its first time, and the form has a default context mode', async () => {
    folders.writeUser(`${rule}[[spawn]]
when = "task.failed"
form = "ask"
request = """
Why did it fail?
Look at the tests."""
context_mode = "fresh"
`);
    const {config, warnings} = await folders.load();
    expect(warnings).toEqual([]);
    expect(toSpawnRules(config)).toEqual([
      {event: 'plan.rejected', nth: 2, form: 'discuss', request: 'What is wrong with this plan?'},
      {
        event: 'task.failed',
        nth: 1,
        form: 'ask',
        request: 'Why did it fail?\nLook at the tests.',
        contextMode: 'fresh',
      },
    ]);
  });

  it.each(
    rowsOf(String.raw`
plan.rejectd:2
  ⇒ :2:1: spawn: entry 0.when: "plan.rejectd:2" names no event that a rule can count; did you mean "plan.rejected"?
lunch
  ⇒ :2:1: spawn: entry 0.when: "lunch" names no event that a rule can count; write plan.rejected, action.rejected, task.failed or quorum.noQuorum, followed by :N for its N-th time
task.failed:0
  ⇒ :2:1: spawn: entry 0.when: "task.failed:0" has no number from 1 to 1000 after the colon; write "task.failed:2" for the second, "task.failed" for the first
action.rejected:two
  ⇒ :2:1: spawn: entry 0.when: "action.rejected:two" has no number from 1 to 1000 after the colon; write "action.rejected:2" for the second, "action.rejected" for the first
quorum.noQuorum:1:2
  ⇒ :2:1: spawn: entry 0.when: "quorum.noQuorum:1:2" has no number from 1 to 1000 after the colon; write "quorum.noQuorum:2" for the second, "quorum.noQuorum" for the first
`),
  )('cannot have when = "%s"', async (when = '', message = '') => {
    folders.writeUser(rule.replace('plan.rejected:2', when));
    expect(await folders.refusal()).toBe(folders.userFile + message);
  });

  it.each([
    [
      'a key that no rule has',
      `${rule}\n${rule}requests = "x"\n`,
      ':10:1: unknown key "spawn.1.requests"; did you mean "spawn.1.request"?',
    ],
    [
      'a form that is a root only',
      rule.replace('discuss', 'review'),
      ':3:1: spawn: entry 0.form: takes "agent" or "ask" or "discuss" or "interview", not "review"',
    ],
    [
      'a rule that asks nothing',
      rule.replace('What is wrong with this plan?', ' '),
      ':4:1: spawn: entry 0.request: " " is empty; write a task, a question or a topic',
    ],
    [
      'a rule without a request',
      rule.replace(/request.*\n/, ''),
      ':1:3: spawn: entry 0.request: is missing; it takes text in quotes',
    ],
    [
      'one table in single brackets',
      rule.replace('[[spawn]]', '[spawn]'),
      ':1:2: spawn: takes tables, each headed [[spawn]], not a table',
    ],
    [
      'an unknown context mode',
      `${rule}context_mode = "half"\n`,
      ':5:1: spawn: entry 0.context_mode: takes "full" or "projected" or "fresh", not "half"',
    ],
  ])('cannot have %s', async (_what, text, message) => {
    folders.writeUser(text);
    expect(await folders.refusal()).toBe(folders.userFile + message);
  });

  it('is shown as written', async () => {
    folders.writeUser(rule);
    const {explain} = await folders.load();
    const shown = settingsText(
      explain().filter(({key}) => key === 'spawn'),
      plainStyle,
    );
    expect(shown).toContain(
      `spawn = [{when = "plan.rejected:2", form = "discuss", request = "What is wrong with this plan?"}]  # ${folders.userFile}:1:3; default []\n`,
    );
    expect(shown).toMatch(
      /^# rules by which an interaction spawns another, each headed \[\[spawn\]\]/,
    );
  });
});

describe('a project file', () => {
  const ignored =
    'spawn is ignored: until you trust this folder, its settings may only tighten; see what it wants: quorate config --trust --show';
  const own = rule.replace('plan', 'action');

  it.each([
    ['spawns nothing', '', rule, []],
    ['puts no rule in the place of one of the user', own, rule, ['action.rejected']],
    ['takes no rule of the user away', own, 'spawn = []\n', ['action.rejected']],
  ])('%s until the user trusts it', async (_what, user, project, events) => {
    folders.writeUser(user);
    folders.writeProject(project);
    const {config, warnings} = await folders.load();
    expect(toSpawnRules(config).map(({event}) => event)).toEqual(events);
    expect(warnings.map(({en}) => en)).toEqual([
      expect.stringMatching(`^quorate\\.toml:1:[13]: ${ignored}$`),
    ]);
  });

  it('has its rules once it is trusted', async () => {
    folders.writeProject(rule);
    await folders.trust();
    expect(toSpawnRules((await folders.load()).config)).toHaveLength(1);
  });
});

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
    expect((await folders.load()).config.tools['a']).toMatchObject({
      command: ['x'],
      risk: 'low',
    });
    await folders.trust();
    expect((await folders.load()).config.tools).toEqual({
      a: {command: ['y'], description: 'Y'},
    });
  });
});

const base = 'command = ["x", "{a}"]\ndescription = "X"\n[tools.t.parameters.a]\ntype = "string"\n';

/** `~` is the tool above with `FROM→TO` in it, several of them divided by ` & `, and ` + ` adds text after it. */
function tomlOf(row: string): string {
  if (!row.startsWith('~')) return row;
  const [edits = '', more = ''] = row.slice(1).split(' + ');
  const text = edits.split(' & ').reduce((now, edit) => {
    const [from = '', to = ''] = edit.split('→');
    return now.replace(from, to);
  }, base);
  return `[tools.t]\n${text}${more}`;
}

describe('a fault is named with its place', () => {
  it.each(
    rowsOf(String.raw`
[tools.run_command]\ncommand = ["x"]\ndescription = "X"
  ⇒ 1:8: tools takes no entry named "run_command": Quorate has a tool of this name
[tools."a b"]\ncommand = ["x"]\ndescription = "X"
  ⇒ 1:8: tools takes no entry named "a b": a name of a tool has 1 to 64 letters
[tools.cast_ballot]\ncommand = ["x"]\ndescription = "X"
  ⇒ 1:8: tools takes no entry named "cast_ballot"
[tools.toString]\ncommand = ["x"]\ndescription = "X" ⇒ 1:8: tools takes no entry named "toString"
[tools.t]\ndescription = "X" ⇒ 1:8: tools.t: entry command: is missing; it takes a list
[tools.t]\ncommand = "x"\ndescription = "X"
  ⇒ 2:1: tools.t: entry command: takes a list in square brackets, not "x"
[tools.t]\ncommand = ["x"] ⇒ 1:8: tools.t: entry description: is missing
[tools.t]\ncommand = ["x"]\ndescription = "X"\nreach = "network"
  ⇒ 4:1: unknown key "tools.t.reach"; did you mean "tools.t.reaches"?
[tools.t]\ncommand = ["x"]\ndescription = "X"\nreaches = "all"
  ⇒ 4:1: tools.t: entry reaches: takes "nothing" or "workspace" or "network", not "all"
~"{a}"→"{b}"
  ⇒ 2:17: tools.t: entry command.1: "{b}" names no parameter of the tool: {b}; did you mean "a"?
~["x", "{a}"]→["{a}"] ⇒ 2:12: tools.t: entry command.0: "{a}" is not a program
~["x", "{a}"]→["-x", "{a}"] ⇒ 2:12: tools.t: entry command.0: "-x" is not a program
~, "{a}"→ ⇒ 4:21: tools.t: entry parameters.a: a table is in no entry of command
~"{a}"→"a{a}" & "string"→"list"
  ⇒ 2:17: tools.t: entry command.1: "a{a}" contains the list {a}, which must be a whole entry
~"string"→"text" ⇒ 5:1: tools.t: entry parameters.a.type: takes "string" or
~"string"→"choice" ⇒ 5:1: tools.t: entry parameters.a.type: "choice" needs choices
~ + choices = ["a"]
  ⇒ 6:1: tools.t: entry parameters.a.choices: a list does not apply to a parameter of the type string
~"string"→"choice" + choices = ["a", "-b"]
  ⇒ 6:17: tools.t: entry parameters.a.choices.1: "-b" begins with "-"
~ + pattern = "(?=a)" ⇒ 6:1: tools.t: entry parameters.a.pattern: "(?=a)" is not an RE2 pattern
~ + min = 3\nmax = 2 ⇒ 7:1: tools.t: entry parameters.a.max: 2 is less than min = 3
~[tools→reads = ["a"]\n[tools
  ⇒ 4:10: tools.t: entry reads.0: "a" is not a parameter of the type path
~[tools→runs = {argument = "b", language = "shell"}\n[tools
  ⇒ 4:9: tools.t: entry runs.argument: "b" is not a parameter of the type string
~[tools→risk = "low"\n[tools ⇒ 4:1: tools.t: entry risk: "low" needs reaches
~[tools→risk = "low"\nreaches = "nothing"\nwrites = ["a"]\n[tools & "string"→"path"
  ⇒ 4:1: tools.t: entry risk: "low" does not fit a tool that writes
~[tools→risk = "low"\nreaches = "nothing"\nruns = {argument = "a", language = "shell"}\n[tools
  ⇒ 4:1: tools.t: entry risk: "low" does not fit a tool that runs code
~[tools→working_dir = "/etc"\n[tools
  ⇒ 4:1: tools.t: entry working_dir: "/etc" is not a folder below the workspace
~[tools→working_dir = "a/../.."\n[tools
  ⇒ 4:1: tools.t: entry working_dir: "a/../.." is not a folder below
~[tools→env = ["A=b"]\n[tools
  ⇒ 4:8: tools.t: entry env.0: "A=b" is not a name of an environment variable
~[tools→timeout_secs = 0\n[tools ⇒ 4:1: tools.t: entry timeout_secs: 0 is too small; at least 1
[tools.t]\ncommand = ["x", "{constructor}"]\ndescription = "X"\n[tools.t.parameters.constructor]\ntype = "string"
  ⇒ 4:21: tools.t.parameters takes no entry named "constructor"
`),
  )('%#: %s', async (row = '', message = '') => {
    folders.writeUser(tomlOf(row));
    expect(await folders.refusal()).toContain(`config.toml:${message}`);
  });
});
