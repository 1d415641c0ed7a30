/** The places and the files of configuration: servers of `.mcp.json`, permanent permissions, rules and tools, with the messages on faulty ones. */

import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {userInfo} from 'node:os';
import {join} from 'node:path';

import * as fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi, it} from 'vitest';

import {toAllowRules, toSpawnRules} from '../../../actors/config/resolve.ts';
import {homeWarnings} from '../../../actors/equipment.ts';
import {toolingOf} from '../../../actors/performers/tooling.ts';
import {forgetRules, keepRule} from '../../../cli/config/allowed.ts';
import {settingsText} from '../../../cli/config/explain.ts';
import {type FolderServers, folderServers} from '../../../cli/config/mcp-file.ts';
import {cacheFolder, dataFolder, userFile} from '../../../cli/config/paths.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import {messageText} from '../../../machines/message.ts';
import {isDeep} from '../../support/depth.ts';
import {type ConfigFolders, createConfigFolders, setConfigFolders} from '../folders.ts';
import {rowsOf} from '../texts.ts';

describe('without a named home folder', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each(['', 'rel', './rel'])('HOME=%j: they are in the home folder of the user', (home) => {
    vi.stubEnv('HOME', home);
    const {homedir} = userInfo();
    const env = home === '' ? {} : {HOME: home};
    expect(dataFolder(env)).toBe(join(homedir, '.local/share/quorate'));
    expect(userFile(env)).toBe(join(homedir, '.config/quorate/config.toml'));
    expect(cacheFolder(env)).toBe(join(homedir, '.cache/quorate'));
    expect(homeWarnings(homedir, env.HOME)).toEqual([expect.stringContaining('your home folder')]);
  });
});

async function read(
  file: unknown,
  env: Record<string, string> = {},
  scripts: readonly string[] = [],
): Promise<FolderServers> {
  const folders = createConfigFolders();
  for (const name of scripts) writeFileSync(join(folders.project, name), '');
  onTestFinished(() => folders.remove());
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  writeFileSync(join(folders.project, '.mcp.json'), text);
  return await folderServers(folders.project, {...folders.env, ...env});
}

const named = (entry: object) => ({mcpServers: {a: entry}, other: 1});

test('variables are replaced, also with a default', async () => {
  const entry = {
    command: '${HOME}/bin/a',
    args: ['--db=${DB:-main}', '$PLAIN'],
    env: {TOKEN: '${T}'},
    alwaysAllow: ['x'],
  };
  const {servers, isTrusted} = await read(named(entry), {T: 't0', HOME: '/h'});
  expect(isTrusted).toBe(false);
  expect(servers).toMatchObject([
    {
      name: 'a',
      origin: '.mcp.json',
      trusted: false,
      launch: {
        kind: 'stdio',
        command: '/h/bin/a',
        args: ['--db=main', '$PLAIN'],
        env: {TOKEN: 't0'},
      },
    },
  ]);
});

test('a server that is reached by HTTP has its headers', async () => {
  const entry = {type: 'http', url: 'https://x.example/mcp', headers: {A: 'Bearer ${T}'}};
  expect((await read(named(entry), {T: '1'})).servers).toMatchObject([
    {launch: {kind: 'http', url: 'https://x.example/mcp', headers: {A: 'Bearer 1'}}},
  ]);
});

test.each([
  [{command: 'a', env: {X: '${NO_SUCH}'}}, 'the environment variable NO_SUCH is not set'],
  [{type: 'sse', url: 'https://x/'}, /HTTP\+SSE\) is not supported/],
  [{type: 'htp', url: 'https://x/'}, 'its type "htp" is not known; did you mean "http"?'],
  [{args: ['x']}, 'it has neither a command nor a url'],
  [{url: 'file:///etc/passwd'}, 'its url is not an http:// or https:// address'],
  [{command: 7}, /^\.mcp\.json: command /],
])('%j is there, but can not be started', async (entry, why) => {
  const {servers} = await read(named(entry));
  expect(servers).toMatchObject([{name: 'a', launch: {kind: 'refused'}}]);
  const [server] = servers;
  expect(server?.launch.kind === 'refused' ? server.launch.why : '').toMatch(why);
});

test('a disabled server is left out', async () => {
  expect((await read(named({command: 'a', disabled: true}))).servers).toEqual([]);
});

test.each(['{', '[]', '{"mcpServers": 7}'])('%s is a problem, not a server', async (text) => {
  expect(await read(text)).toMatchObject({
    servers: [],
    problem: '.mcp.json has no "mcpServers" that can be read',
  });
});

test('a file of the folder that a row names is named by its whole path, with its hash', async () => {
  const entry = {command: 'python3', args: ['-u', 'server.py', 'other.py']};
  const {servers} = await read(named(entry), {}, ['server.py']);
  expect(servers).toMatchObject([
    {
      launch: {
        command: 'python3',
        args: ['-u', expect.stringMatching(/^\/.*\/server\.py$/), 'other.py'],
        files: [{path: expect.stringMatching(/\/server\.py$/)}],
      },
    },
  ]);
  expect(servers[0]?.launch).not.toHaveProperty('cwd');
});

const deploy = {folder: '/w', command: 'npm run deploy', match: 'prefix'} as const;

const script = {
  folder: '/w',
  command: 'sh "a b".sh\\',
  match: 'exact',
  basedOn: 'a'.repeat(64),
} as const;

describe('permanent permissions', () => {
  let folders: ConfigFolders;

  let file: string;

  beforeEach(() => {
    folders = createConfigFolders();
    file = join(folders.root, 'xdg', 'quorate', 'allowed.toml');
  });

  afterEach(() => folders.remove());

  test('rules are added to the file of the user, readable by the user only, and apply to the next run', async () => {
    keepRule(deploy, folders.env);
    keepRule(script, folders.env);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const loaded = await folders.load();
    expect(toAllowRules(loaded.config)).toEqual([deploy, script]);
    const shown = loaded.explain().find(({key}) => key === 'allow');
    expect(shown).toMatchObject({value: [{command: 'npm run deploy'}, {}], source: `${file}:1:3`});
  });

  test('any command is read back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({minLength: 1, unit: 'binary'}), async (command) => {
        writeFileSync(file, '');
        keepRule({folder: '/w', command, match: 'exact'}, folders.env);
        const [rule] = toAllowRules((await folders.load()).config);
        expect(rule?.command).toBe(command);
      }),
      {numRuns: isDeep ? 200 : 40, examples: [['\u202A\u0000'], ['\u007F\u2069']]},
    );
  });

  test('a revoked rule leads to a question again, for that folder and that command only', async () => {
    const elsewhere = {...deploy, folder: '/other'};
    const exact = {folder: '/w', command: 'npm run deploy', match: 'exact'} as const;
    for (const rule of [deploy, script, exact, elsewhere]) keepRule(rule, folders.env);
    expect(await forgetRules(deploy, folders.env)).toEqual([deploy, exact]);
    expect(toAllowRules((await folders.load()).config)).toEqual([script, elsewhere]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(forgetRules(deploy, folders.env)).rejects.toThrow(
      '"npm run deploy" is not allowed for good in /w; it is allowed in /other: name that folder with -C',
    );
    await expect(forgetRules({folder: '/w', command: 'sh'}, folders.env)).rejects.toThrow(
      String.raw`"sh" is not allowed for good in /w; there is "sh \"a b\".sh\\"`,
    );
    await forgetRules(script, folders.env);
    await expect(forgetRules(script, folders.env)).rejects.toThrow('nothing is allowed there');
  });

  test('rules of the configuration file come before them', async () => {
    folders.writeUser('[[allow]]\nfolder = "/a"\ncommand = "make x"\n');
    keepRule(deploy, folders.env);
    const {config} = await folders.load();
    expect(toAllowRules(config)).toMatchObject([{command: 'make x', match: 'exact'}, deploy]);
  });

  test('a project can allow nothing, until it is trusted', async () => {
    folders.writeProject('[[allow]]\nfolder = "/w"\ncommand = "rm -rf src"\n');
    const {config, warnings} = await folders.load();
    expect(config.allow).toEqual([]);
    expect(messageText(warnings[0] ?? '')).toContain('allow is ignored');
  });

  test('a file with anything else is refused with its place', async () => {
    writeFileSync(file, '[agent]\nhil_mode = "auto_approve"\n');
    expect(await folders.refusal()).toBe(
      `${file}:2:1: this file accepts only [[allow]]; put other settings into config.toml`,
    );
  });

  test('an invalid rule is refused with its place', async () => {
    keepRule(deploy, folders.env);
    writeFileSync(file, `${readFileSync(file, 'utf8')}[[allow]]\nfolder = "w"\ncommand = "x"\n`);
    expect(await folders.refusal()).toContain('is not an absolute path');
  });
});

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

  it.each(
    rowsOf(String.raw`
a key that no rule has ⇒ ~ + \n[[spawn]]\nwhen = "task.failed"\nform = "ask"\nrequest = "x"\nrequests = "x"
  ⇒ :10:1: unknown key "spawn.1.requests"; did you mean "spawn.1.request"?
a form that is a root only ⇒ ~discuss→review
  ⇒ :3:1: spawn: entry 0.form: takes "agent" or "ask" or "discuss" or "interview", not "review"
a rule that asks nothing ⇒ ~What is wrong with this plan?→\u0020
  ⇒ :4:1: spawn: entry 0.request: " " is empty; write a task, a question or a topic
a rule without a request ⇒ ~request = "What is wrong with this plan?"\n→
  ⇒ :1:3: spawn: entry 0.request: is missing; it takes text in quotes
one table in single brackets ⇒ ~[[spawn]]→[spawn]
  ⇒ :1:2: spawn: takes tables, each headed [[spawn]], not a table
an unknown context mode ⇒ ~ + context_mode = "half"
  ⇒ :5:1: spawn: entry 0.context_mode: takes "full" or "projected" or "fresh", not "half"
`),
  )('cannot have %s', async (_what, row = '', message = '') => {
    folders.writeUser(edited(row, rule));
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
    expect(warnings.map((warning) => messageText(warning))).toEqual([
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
    expect((await folders.load()).config.tools['a']).toMatchObject({command: ['x'], risk: 'low'});
    await folders.trust();
    expect((await folders.load()).config.tools).toEqual({a: {command: ['y'], description: 'Y'}});
  });
});

const base = 'command = ["x", "{a}"]\ndescription = "X"\n[tools.t.parameters.a]\ntype = "string"\n';

/** `~` is the text with `FROM→TO` in it, several of them divided by ` & `, and ` + ` adds text after it. */
function edited(row: string, text: string): string {
  const [edits = '', more = ''] = row.slice(1).split(' + ');
  const changed = edits.split(' & ').reduce((now, edit) => {
    const [from = '', to = ''] = edit.split('→');
    return now.replace(from, to);
  }, text);
  return changed + more;
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
    folders.writeUser(row.startsWith('~') ? `[tools.t]\n${edited(row, base)}` : row);
    expect(await folders.refusal()).toContain(`config.toml:${message}`);
  });
});
