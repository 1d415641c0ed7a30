/** Layers of the configuration, and hostile or invalid files. */

import {execFileSync} from 'node:child_process';
import {mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, it} from 'vitest';

import {defaultConfig} from '../../../actors/config/schema.ts';
import {messageText} from '../../../machines/message.ts';
import {setConfigFolders} from '../folders.ts';
import {rowsOf} from '../texts.ts';

const folders = setConfigFolders();

describe('layers', () => {
  it('are the defaults without a file', async () => {
    const loaded = await folders.load();
    expect(loaded.config).toEqual(defaultConfig());
    expect(loaded.named).toEqual(new Map());
    expect(loaded.warnings).toEqual([]);
    expect(loaded.files.user).toEqual({path: folders.userFile, found: false, trusted: false});
  });

  it('win in the order user file, project file, environment, flags', async () => {
    folders.writeUser(
      '[limits]\nmax_model_calls = 100\ntimeout_ms = 100\nmax_cost_usd = 1\n' +
        '[agent]\nmax_replans = 1\n',
    );
    folders.writeProject('[limits]\nmax_model_calls = 90\ntimeout_ms = 90\nmax_cost_usd = 0.9\n');
    const loaded = await folders.load(
      {QUORATE_LIMITS_TIMEOUT_MS: '80', QUORATE_LIMITS_MAX_COST_USD: '0.8'},
      [{key: 'limits.max_cost_usd', value: 0.7, source: '--max-cost'}],
    );
    expect(loaded.config.limits).toEqual({max_model_calls: 90, timeout_ms: 80, max_cost_usd: 0.7});
    expect(loaded.config.agent.max_replans).toBe(1);
    const sources = new Map(loaded.explain().map(({key, source}) => [key, source]));
    expect(sources.get('limits.max_cost_usd')).toBe('--max-cost');
    expect(sources.get('limits.timeout_ms')).toBe('QUORATE_LIMITS_TIMEOUT_MS');
    expect(sources.get('limits.max_model_calls')).toBe('quorate.toml:2:1');
    expect(sources.get('agent.max_replans')).toBe(`${folders.userFile}:6:1`);
    expect(sources.get('quorum.rule')).toBe('default');
    expect([...loaded.named.keys()].toSorted()).toEqual([
      'agent.max_replans',
      'limits.max_cost_usd',
      'limits.max_model_calls',
      'limits.timeout_ms',
    ]);
  });

  it('bind the keys of the screen, which must not clash', async () => {
    folders.writeUser('[keys]\nvim = false\ntab_ask = ["A"]\n');
    const {config} = await folders.load({QUORATE_KEYS_TAB_NEXT: 'gt, Ctrl-N'});
    expect(config.keys).toMatchObject({vim: false, tab_ask: ['A'], tab_next: ['gt', 'Ctrl-N']});
    folders.writeUser('[keys]\ntab_ask = ["g"]\n');
    await expect(folders.load()).rejects.toThrow('"gt" clashes with "g" of keys.tab_ask');
  });

  it('names tables by their key, and keeps dots in the names of models', async () => {
    folders.writeUser(
      '[quorum.weights]\n"gpt-5.2-codex" = 2\n[prices."far/big-1.5"]\ninput = 1\noutput = 2\n' +
        '[providers.far]\nbase_url = "https://x.example.com/v1"\n',
    );
    const {config, named, explain} = await folders.load();
    expect(config.quorum.weights).toEqual({'gpt-5.2-codex': 2});
    expect(config.prices).toEqual({'far/big-1.5': {input: 1, output: 2}});
    expect([...named.keys()]).toEqual(['quorum.weights', 'prices', 'providers']);
    expect(explain()).toContainEqual({
      key: 'prices."far/big-1.5".input',
      value: 1,
      source: `${folders.userFile}:4:1`,
      text: expect.stringContaining('per million tokens'),
    });
  });

  it('never shows patterns of secrets', async () => {
    folders.writeUser('[secrets]\npatterns = ["CANARY-[0-9]+"]\n');
    const loaded = await folders.load();
    expect(loaded.config.secrets.patterns).toEqual(['CANARY-[0-9]+']);
    expect(JSON.stringify(loaded.explain())).not.toContain('CANARY');
  });

  it('accept a byte order mark', async () => {
    folders.writeUser('\uFEFF[agent]\nmax_replans = 1\n');
    expect((await folders.load()).config.agent.max_replans).toBe(1);
  });
});

describe('variables', () => {
  it('set text, numbers, switches and lists', async () => {
    const {config} = await folders.load({
      QUORATE_AGENT_HIL_MODE: 'auto_approve',
      QUORATE_AGENT_CONFIRM_EXECUTION: 'true',
      QUORATE_AGENT_REVIEW_MODELS: 'gpt-5.2, policy/safety',
      QUORATE_QUORUM_DEADLINE_MS: '5000',
      QUORATE_QUORUM_RULE: '',
    });
    expect(config.agent).toMatchObject({
      hil_mode: 'auto_approve',
      confirm_execution: true,
      review_models: ['gpt-5.2', 'policy/safety'],
    });
    expect(config.quorum).toMatchObject({deadline_ms: 5_000, rule: 'majority'});
  });

  it('with names similar to settings are reported with the nearest one', async () => {
    const {warnings} = await folders.load({
      QUORATE_AGENT_HIL_MOD: 'x',
      QUORATE_UNRELATED: 'x',
      QUORATE_HOME: folders.root,
    });
    expect(warnings.map((warning) => messageText(warning))).toEqual([
      'QUORATE_AGENT_HIL_MOD is ignored: it sets nothing; did you mean "QUORATE_AGENT_HIL_MODE"?',
    ]);
  });

  it('for rules are refused, because rules belong in files', async () => {
    const {config, warnings} = await folders.load({
      QUORATE_SPAWN: 'plan.rejected:2',
      QUORATE_SPAWN_WHEN: 'plan.rejected:2',
    });
    expect(config.spawn).toEqual([]);
    expect(warnings.map((warning) => messageText(warning))).toEqual([
      'QUORATE_SPAWN is ignored: it sets nothing',
      'QUORATE_SPAWN_WHEN is ignored: it sets nothing',
    ]);
  });

  it.each([
    [
      {QUORATE_AGENT_HIL_MODE: 'yes'},
      /^QUORATE_AGENT_HIL_MODE: agent\.hil_mode: takes "interactive"/,
    ],
    [{QUORATE_AGENT_MAX_REPLANS: 'many'}, /takes a number, not "many"/],
    [{QUORATE_AGENT_MAX_REPLANS: '-1'}, /-1 is too small; at least 0/],
    [{QUORATE_AGENT_CONFIRM_EXECUTION: '1'}, /takes true or false, not "1"/],
    [{QUORATE_AGENT_REQUIRE_PLAN_REVIEW: 'false'}, /plan review is mandatory/],
    [{QUORATE_QUORUM_RULE: 'most'}, /"most" is not a quorum rule/],
  ])('%j is refused', async (env, message) => {
    expect(await folders.refusal(env)).toMatch(message);
  });
});

const mistakes = rowsOf(String.raw`
an unknown key ⇒ # top\n\n[agent]\nmax_replans = 2\n  max_plan_revision = 3\n
  ⇒ :5:3: unknown key "agent\.max_plan_revision"; did you mean "agent\.max_plan_revisions"\?$
a container ⇒ [sandbox]\ncontainer = "docker"\n ⇒ :2:1: unknown key "sandbox.container": commands are confined by bwrap or landlock
an unknown section ⇒ [agnet]\nx = 1\n ⇒ :1:2: unknown key "agnet"; did you mean "agent"\?
a key without its section ⇒ rule = "majority"\n
  ⇒ :1:1: unknown key "rule"; did you mean "quorum\.rule"
a key in a table in a line ⇒ limits = {timeout = 5}\n ⇒ :1:11: unknown key "limits\.timeout"
a section that is no table ⇒ agent = 2\n ⇒ :1:1: agent: takes a table, not 2
a list of tables ⇒ [[agent]]\nmax_replans = 1\n ⇒ :1:3: agent: takes a table, not a list
text for a number ⇒ [limits]\nmax_model_calls = "9"\n ⇒ :2:1: .*takes a number, not "9"
a date ⇒ [limits]\ntimeout_ms = 2026-01-01\n ⇒ takes a number, not a date
a fraction ⇒ [agent]\nmax_replans = 1.5\n ⇒ takes a whole number, not 1\.5
F06 a negative number ⇒ [limits]\ntimeout_ms = -5\n ⇒ :2:1: .*-5 is too small; at least 1
F06 nan ⇒ [limits]\ntimeout_ms = nan\n ⇒ takes a number, not NaN
F06 inf ⇒ [limits]\nmax_cost_usd = inf\n ⇒ takes a number, not Infinity
F06 1e99 ⇒ [limits]\nmax_cost_usd = 1e99\n ⇒ 1e\+99 is too large; at most 1000000
F06 64 bits ⇒ [limits]\ntimeout_ms = 9223372036854775807\n ⇒ :2:\d+: invalid TOML: integer
F03 a key twice ⇒ [agent]\nmax_replans = 1\nmax_replans = 2\n ⇒ :3:1: invalid TOML: .*redefine
F02 constructor ⇒ constructor.prototype.x = 1\n ⇒ :1:1: unknown key "constructor"
F02 __proto__ ⇒ [__proto__]\nhil_mode = "auto_approve"\n ⇒ :1:2: unknown key "__proto__"
F02 a table entry __proto__ ⇒ [quorum.weights]\n__proto__ = 5\n
  ⇒ :2:1: quorum\.weights takes no entry named "__proto__"
F08 a lone CR ⇒ a = 1\u000Db = 2\n ⇒ invalid TOML
F08 a zero character ⇒ a = "\u0000"\n ⇒ invalid TOML
F08 bidi in a comment ⇒ [agent]\n# \u202Eevorppa\n ⇒ :2:3: the character U\+202E changes the direction
invisible characters ⇒ [agent]\nworking_dir = "a\u200Bb"\n ⇒ contains control or invisible characters
F14 a negative price ⇒ [prices."a/b"]\ninput = -1\noutput = 2\n
  ⇒ :2:1: .*-1 is too small; at least 0
F14 a price without its output ⇒ [prices."a/b"]\ninput = 1\n ⇒ prices\."a\/b" needs output
an unfinished string ⇒ [agent]\nhil_mode = "auto ⇒ :2:12: invalid TOML: unfinished string$
no plan review ⇒ [agent]\nrequire_plan_review = false\n ⇒ :2:1: .*plan review is mandatory
an unknown rule ⇒ [quorum]\nrule = "at_least:0"\n
  ⇒ is not a quorum rule; write majority, unanimous, at_least:N or N%
no reviewers ⇒ [agent]\nreview_models = []\n ⇒ at least 1 entry
a reviewer that is no name ⇒ [agent]\nreview_models = ["a", 3]\n
  ⇒ entry 1: takes text in quotes, not 3
a weight of zero ⇒ [quorum.weights]\na = 0\n ⇒ 0 is too small; it must be more than 0
a negative weight ⇒ [quorum.weights]\na = -1\n ⇒ -1 is too small
a URL with a password ⇒ [providers.a]\nbase_url = "https://u:p@x.example.com"\n
  ⇒ is not a plain http:\/\/ or https:\/\/ address
a URL of a file ⇒ [providers.a]\nbase_url = "file:///etc/passwd"\n
  ⇒ is not a plain http:\/\/ or https:\/\/ address
a provider named policy ⇒ [providers.policy]\nbase_url = "http://127.0.0.1"\n
  ⇒ providers takes no entry named "policy"
a key where its variable belongs ⇒ [providers.a]\napi_key_env = "sk-123-456"\n
  ⇒ api_key_env: its value is not a name of an environment variable: put the key in a variable
a key that could be the name of a variable ⇒ [providers.a]\napi_key_env = "gsk_0123456789abcdefghij"\n
  ⇒ api_key_env: its value is not a name of an environment variable
a broken pattern ⇒ [secrets]\npatterns = ["("]\n ⇒ its value is not a regular expression
a pattern of nothing ⇒ [secrets]\npatterns = ["a*"]\n ⇒ is not a regular expression that matches
participants ⇒ [discuss]\nparticipants = "a"\n
  ⇒ :2:1: discuss.participants: takes a list in square brackets, not "a"
a debate ⇒ [debate]\nintensity = "wild"\n
  ⇒ :2:1: debate.intensity: takes "mild" or "strong", not "wild"
a score ⇒ [agent]\nmin_plan_score = 11\n ⇒ :2:1: agent\.min_plan_score
`);

describe('mistakes in a file are named with line and column', () => {
  it.each(mistakes)('%s', async (_what, text = '', message = '') => {
    folders.writeUser(text);
    const refused = await folders.refusal();
    expect(refused.startsWith(folders.userFile)).toBe(true);
    expect(refused).toMatch(new RegExp(message));
    expect(refused).not.toContain('\n');
    expect(Object.hasOwn(Object.prototype, 'hil_mode')).toBe(false);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  it.each(mistakes.filter(([what = '']) => /debate|plan review|rule/.test(what)))(
    'in a project file, too: %s',
    async (_what, text = '', message = '') => {
      folders.writeProject(text);
      const refused = await folders.refusal();
      expect(refused).toMatch(/^quorate\.toml:\d+:\d+: /);
      expect(refused).toMatch(new RegExp(message));
    },
  );
});

describe('files that are not a configuration', () => {
  it('F05 refuses a large file before it is parsed', async () => {
    folders.writeUser(`# ${'x'.repeat(256 * 1024)}\n`);
    expect(await folders.refusal()).toMatch(/larger than 256 KiB \(config_too_large\)/);
  });

  it('F05 accepts thousands of keys', async () => {
    const lines = Array.from({length: 3_000}, (_, index) => `a${index} = 1`);
    folders.writeUser(`[quorum.weights]\n${lines.join('\n')}\n`);
    const {config} = await folders.load();
    expect(Object.keys(config.quorum.weights)).toHaveLength(3_000);
  });

  it.each([
    ['deeply dotted keys', `${'a.'.repeat(10_000)}b = 1\n`],
    ['deeply nested lists', `a = ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`],
    ['a long text of quotes', `a = ${'"'.repeat(200_001)}\n`],
    ['many brackets', '['.repeat(250_000)],
  ])('%s end in a message', async (_what, text) => {
    folders.writeUser(text);
    expect(await folders.refusal()).toMatch(/unknown key|invalid TOML/);
  });

  it('F12 refuses a link, and does not show its content', async () => {
    writeFileSync(join(folders.root, 'shadow'), 'CANARY = "top secret"');
    symlinkSync(join(folders.root, 'shadow'), folders.projectFile);
    const message = await folders.refusal();
    expect(message).toMatch(/quorate\.toml is a symbolic link, not a regular file \(not_regular\)/);
    expect(message).not.toContain('CANARY');
  });

  it('F12 refuses a folder', async () => {
    mkdirSync(folders.projectFile);
    expect(await folders.refusal()).toMatch(/is a folder, not a regular file \(not_regular\)/);
  });

  it.runIf(process.platform !== 'win32')('F12 refuses a FIFO without waiting for it', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', folders.projectFile]);
    expect(await folders.refusal()).toMatch(/not a regular file \(not_regular\)/);
  });

  it('refuses text that is not UTF-8', async () => {
    writeFileSync(folders.userFile, Buffer.from([0x61, 0xff, 0xfe]));
    expect(await folders.refusal()).toMatch(/is not UTF-8 text/);
  });

  it.skipIf(process.getuid?.() === 0)(
    'says what to do about a file that it may not read',
    async () => {
      writeFileSync(folders.userFile, '', {mode: 0o000});
      expect(await folders.refusal()).toMatch(/can't be read \(EACCES\); check its permissions/);
      rmSync(folders.userFile);
    },
  );
});
