/** The trust in a folder: one hash over its quorate.toml and its .mcp.json, and the limits of a file without trust. */

import {createHash} from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, it} from 'vitest';

import {readFolder, trustContent, trustedContent} from '../../../cli/config/folder-trust.ts';
import {say} from '../../../cli/language.ts';
import {messageText} from '../../../machines/message.ts';
import {setConfigFolders, type ConfigFolders, createConfigFolders} from '../folders.ts';

const folders = setConfigFolders();

const toml = `[agent]
hil_mode = "auto_approve"
[tools.lint]
command = ["eslint"]
description = "Lints."
`;

const mcp = '{"mcpServers": {"notes": {"command": "notes-server"}}}\n';

const mcpFile = () => join(folders.project, '.mcp.json');

const list = () => join(folders.root, 'data', 'trusted.json');

function writeBoth(): void {
  folders.writeProject(toml);
  writeFileSync(mcpFile(), mcp);
}

/** The parts that only a trusted folder has. */
async function loadedParts() {
  const {config, warnings} = await folders.load();
  const content = await trustedContent(folders.project, folders.env);
  return {
    mode: config.agent.hil_mode,
    tools: Object.keys(config.tools),
    mayStart: content.isTrusted,
    warnings: warnings.map((warning) => messageText(warning)),
  };
}

const nothing = {
  mode: 'interactive',
  tools: [],
  mayStart: false,
  warnings: [
    'quorate.toml:2:1: agent.hil_mode, quorate.toml:3:8: tools.lint, .mcp.json are ignored: until you trust this folder, its settings may only tighten; see what it wants: quorate config --trust --show',
  ],
};

const everything = {mode: 'auto_approve', tools: ['lint'], mayStart: true, warnings: []};

describe('an untrusted folder', () => {
  it('loads nothing; the same after a change of one byte', async () => {
    writeBoth();
    expect(await loadedParts()).toEqual(nothing);
    await folders.trust();
    expect(await loadedParts()).toEqual(everything);
    folders.writeProject(`${toml}\n`);
    expect(await loadedParts()).toEqual(nothing);
    folders.writeProject(toml);
    expect(await loadedParts()).toEqual(everything);
    writeFileSync(mcpFile(), mcp.replace('notes-server', 'notes-servor'));
    expect(await loadedParts()).toEqual(nothing);
  });

  it('is one whose file was removed or added', async () => {
    writeBoth();
    await folders.trust();
    rmSync(mcpFile());
    expect(await loadedParts()).toMatchObject({mode: 'interactive', tools: []});
    await folders.trust();
    expect(await loadedParts()).toMatchObject({mode: 'auto_approve', tools: ['lint']});
    writeFileSync(mcpFile(), mcp);
    expect(await loadedParts()).toEqual(nothing);
    await folders.trust();
    rmSync(folders.projectFile);
    expect(await loadedParts()).toMatchObject({mayStart: false, tools: []});
  });

  it('gets one warning, in English and Japanese, also for servers alone', async () => {
    writeFileSync(mcpFile(), mcp);
    const {warnings} = await folders.load();
    const [text = ''] = warnings;
    expect(warnings.length).toBe(1);
    expect(say(text, {})).toMatch(/^\.mcp\.json is ignored: .*: quorate config --trust --show$/);
    expect(say(text, {language: 'ja'})).toMatch(
      /^\.mcp\.json を無視します。.*: quorate config --trust --show$/,
    );
    folders.writeProject(
      [
        'max_iterations',
        'max_replans',
        'max_plan_revisions',
        'max_tool_retries',
        'max_parallel_tasks',
      ]
        .map((key) => `agent.${key} = 60`)
        .join('\n'),
    );
    expect((await folders.load()).warnings.map((first) => messageText(first))).toEqual([
      expect.stringMatching(/^quorate\.toml:1:7: agent\.max_iterations, .* \(\+2\) are ignored: /),
    ]);
  });

  it('may still tighten', async () => {
    folders.writeProject(
      '[agent]\nhil_mode = "auto_reject"\n[tools.x]\ncommand = ["x"]\ndescription = "X"\n',
    );
    const {config} = await folders.load();
    expect([config.agent.hil_mode, config.tools]).toEqual(['auto_reject', {}]);
  });
});

describe('trust', () => {
  it('does not pass to the same files in another folder, and not to a folder that was moved', async () => {
    writeBoth();
    await folders.trust();
    const moved = join(folders.root, 'moved');
    renameSync(folders.project, moved);
    expect(await trustedContent(moved, folders.env)).toMatchObject({isTrusted: false});
    mkdirSync(folders.project);
    folders.writeProject('[agent]\nmax_replans = 90\n');
    expect(await loadedParts()).toMatchObject({
      mayStart: false,
      warnings: [expect.stringContaining('max_replans')],
    });
  });

  it('is of the folder to which a link leads, also after the link leads elsewhere', async () => {
    writeBoth();
    const link = join(folders.root, 'link');
    symlinkSync(folders.project, link);
    await folders.trust(link);
    expect(await loadedParts()).toEqual(everything);
    expect(await trustedContent(link, folders.env)).toMatchObject({isTrusted: true});
    const other = join(folders.root, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'quorate.toml'), toml);
    writeFileSync(join(other, '.mcp.json'), mcp);
    rmSync(link);
    symlinkSync(other, link);
    expect(await trustedContent(link, folders.env)).toMatchObject({isTrusted: false});
  });

  it('hands out the text that was hashed, although the file has changed since', async () => {
    writeBoth();
    const content = await readFolder(folders.project);
    writeFileSync(mcpFile(), mcp.replace('notes-server', 'evil'));
    await trustContent(content, folders.env);
    const later = await trustedContent(folders.project, folders.env);
    expect([content.mcp?.text, later.isTrusted]).toEqual([mcp, false]);
    expect(later.hash).not.toBe(content.hash);
    writeFileSync(mcpFile(), mcp);
    expect(await trustedContent(folders.project, folders.env)).toEqual({
      isTrusted: true,
      hash: content.hash,
      files: {'.mcp.json': mcp},
    });
  });

  it('is refused for links, for files that are not text, and for a folder without files', async () => {
    await expect(folders.trust()).rejects.toMatchObject({code: 'not_found'});
    folders.writeProject(toml);
    symlinkSync('quorate.toml', mcpFile());
    await expect(folders.trust()).rejects.toThrow(/\.mcp\.json is a symbolic link/);
    expect(await loadedParts()).toEqual(nothing);
    rmSync(mcpFile());
    writeFileSync(mcpFile(), Buffer.from([0x7b, 0xff]));
    await expect(folders.trust()).rejects.toThrow(/\.mcp\.json is not UTF-8/);
    expect(await trustedContent(folders.project, folders.env)).toMatchObject({
      isTrusted: false,
      files: {},
    });
    rmSync(mcpFile());
    rmSync(folders.projectFile);
    symlinkSync('/etc/hostname', folders.projectFile);
    await expect(folders.trust()).rejects.toThrow(/quorate\.toml is a symbolic link/);
  });

  it('of a file that an earlier version trusted alone holds as long as there is no .mcp.json', async () => {
    folders.writeProject(toml);
    const sha256 = createHash('sha256').update(toml).digest('hex');
    mkdirSync(join(folders.root, 'data'));
    writeFileSync(list(), JSON.stringify({[folders.projectFile]: sha256}));
    expect(await loadedParts()).toMatchObject({
      mode: 'auto_approve',
      tools: ['lint'],
      warnings: [],
    });
    writeFileSync(mcpFile(), mcp);
    expect(await loadedParts()).toEqual(nothing);
    await folders.trust();
    rmSync(mcpFile());
    expect(await loadedParts()).toMatchObject({mode: 'interactive', tools: []});
  });

  it('is stored in a file that only the user may read, together with earlier trust', async () => {
    folders.writeProject(toml);
    await folders.trust();
    writeFileSync(join(folders.root, 'quorate.toml'), toml);
    await folders.trust(folders.root);
    expect(Object.keys(JSON.parse(readFileSync(list(), 'utf8')))).toEqual([
      folders.project,
      folders.root,
    ]);
    expect(statSync(list()).mode & 0o777).toBe(0o600);
  });

  it.each(['{"', '[]', 'null', '', '{"constructor": 1}'])(
    'is ignored if the list is damaged: %j',
    async (text) => {
      writeBoth();
      await folders.trust();
      writeFileSync(list(), text);
      expect(await loadedParts()).toEqual(nothing);
      await folders.trust();
      expect(await loadedParts()).toEqual(everything);
    },
  );
});

describe('tools of the own file', () => {
  it('are trusted, whatever the folder is', async () => {
    folders.writeUser('[tools.mine]\ncommand = ["x"]\ndescription = "X"\n');
    writeBoth();
    expect(await loadedParts()).toEqual({...nothing, tools: ['mine']});
  });
});

it('covers the files that rows of .mcp.json name, by content', async () => {
  const script = join(folders.project, 'server.py');
  writeFileSync(script, 'print(1)\n');
  const row = {command: 'python3', args: ['${X:-server.py}'], env: {CONFIG: '--from=conf.json'}};
  writeFileSync(mcpFile(), JSON.stringify({mcpServers: {a: row}}));
  await trustContent(await readFolder(folders.project), folders.env);
  const isTrusted = async () => (await trustedContent(folders.project, folders.env)).isTrusted;
  expect(await isTrusted()).toBe(true);
  writeFileSync(script, 'print(2)\n');
  expect(await isTrusted()).toBe(false);
  writeFileSync(script, 'print(1)\n');
  expect(await isTrusted()).toBe(true);
  writeFileSync(join(folders.project, 'conf.json'), '{}');
  expect(await isTrusted()).toBe(false);
});

const loosening: readonly (readonly [key: string, text: string])[] = [
  ['agent.hil_mode', '[agent]\nhil_mode = "auto_approve"'],
  ['agent.phase_scope', '[agent]\nphase_scope = "fast"'],
  ['agent.max_iterations', '[agent]\nmax_iterations = 51'],
  ['agent.working_dir', '[agent]\nworking_dir = "/"'],
  ['agent.decision_model', '[agent]\ndecision_model = "far/big"'],
  ['agent.review_models', '[agent]\nreview_models = ["policy/evidence"]'],
  ['providers.openai.base_url', '[providers.openai]\nbase_url = "http://evil.test"'],
  ['providers.x.api_key_env', '[providers.x]\napi_key_env = "AWS_SECRET_ACCESS_KEY"'],
  ['prices."gpt-5.2".input', '[prices."gpt-5.2"]\ninput = 0.001'],
  ['commands.env', '[commands]\nenv = ["DATABASE_HOST"]'],
  ['commands.max_memory_percent', '[commands]\nmax_memory_percent = 76'],
  ['commands.max_processes', '[commands]\nmax_processes = 4097'],
  ['sandbox.mode', '[sandbox]\nmode = "off"'],
  ['sandbox.network', '[sandbox]\nnetwork = ["evil.test:443"]'],
  ['secrets.patterns', '[secrets]\npatterns = ["x"]'],
  ['database.path', '[database]\npath = "/home/me/private.db"'],
  ['quorum.rule', '[quorum]\nrule = "at_least:1"'],
  ['quorum.rule', '[quorum]\nrule = "50%"'],
  ['quorum.weights.a', '[quorum.weights]\na = 9'],
  ['quorum.veto', '[quorum]\nveto = []'],
  ['quorum.veto', '[quorum]\nveto = ["policy/safety"]'],
  ['quorum.screen', '[quorum]\nscreen = ["policy/safety"]'],
  ['quorum.deadline_ms', '[quorum]\ndeadline_ms = 999999'],
  ['quorum.deadline_ms', '[quorum]\ndeadline_ms = 1'],
  ['quorum.feedback_grace_ms', '[quorum]\nfeedback_grace_ms = 1'],
  ['quorum.min_participation', '[quorum]\nmin_participation = 2'],
  ['agent.max_plan_revisions', '[agent]\nmax_plan_revisions = 1'],
  ['debate.max_rounds', '[debate]\nmax_rounds = 1'],
  ['quorum.screen', '[quorum]\nscreen = []'],
  ['limits.max_cost_usd', '[limits]\nmax_cost_usd = 6'],
  ['limits.timeout_ms', '[limits]\ntimeout_ms = 3600001'],
];

describe('an untrusted project file', () => {
  it.each(loosening)('cannot loosen %s', async (key, text) => {
    folders.writeProject(`${text}\n`);
    const loaded = await folders.load();
    expect(loaded.config).toEqual((await loadWithoutProject()).config);
    expect(loaded.warnings.map((warning) => messageText(warning))).toEqual([
      expect.stringMatching(/^quorate\.toml:2:1: .* is ignored.*quorate config --trust --show$/),
    ]);
    expect(messageText(loaded.warnings[0] ?? '')).toContain(`${key} is ignored`);
    expect(loaded.files.project).toMatchObject({found: true, trusted: false});
    expect(loaded.named).toEqual(new Map());
  });

  it.each([
    ['[agent]\nhil_mode = "auto_reject"', {agent: {hil_mode: 'auto_reject'}}],
    ['[agent]\nphase_scope = "plan-only"', {agent: {phase_scope: 'plan-only'}}],
    ['[agent]\nrequire_final_review = true', {agent: {require_final_review: true}}],
    ['[agent]\nconfirm_execution = true', {agent: {confirm_execution: true}}],
    ['[agent]\nmax_iterations = 5', {agent: {max_iterations: 5}}],
    ['[limits]\nmax_cost_usd = 0.5', {limits: {max_cost_usd: 0.5}}],
    ['[commands]\nmax_memory_percent = 10', {commands: {max_memory_percent: 10}}],
    ['[commands]\nmax_processes = 100', {commands: {max_processes: 100}}],
    ['[sandbox]\nmode = "required"', {sandbox: {mode: 'required'}}],
    ['[quorum]\nrule = "unanimous"', {quorum: {rule: 'unanimous'}}],
    ['[quorum]\nrule = "at_least:5"', {quorum: {rule: 'at_least:5'}}],
    ['[quorum]\nrule = "75%"', {quorum: {rule: '75%'}}],
    [
      '[quorum]\nveto = ["policy/*", "gpt-5.2-codex"]',
      {quorum: {veto: ['policy/*', 'gpt-5.2-codex']}},
    ],
  ])('may tighten: %s', async (text, expected) => {
    folders.writeProject(`${text}\n`);
    const loaded = await folders.load();
    expect(loaded.config).toMatchObject(expected);
    expect(loaded.warnings).toEqual([]);
  });

  it('is compared with the settings of the user, not with the defaults', async () => {
    folders.writeUser('[limits]\nmax_cost_usd = 1\n[quorum]\nrule = "unanimous"\n');
    folders.writeProject('[limits]\nmax_cost_usd = 2\n[quorum]\nrule = "majority"\n');
    const {config, warnings} = await folders.load();
    expect(config.limits.max_cost_usd).toBe(1);
    expect(config.quorum.rule).toBe('unanimous');
    expect(warnings.map((warning) => messageText(warning))).toEqual([
      expect.stringMatching(
        /^quorate\.toml:2:1: limits\.max_cost_usd, quorate\.toml:4:1: quorum\.rule are /,
      ),
    ]);
  });

  it('may restrict the reach of commands, and cannot extend it', async () => {
    folders.writeUser('[sandbox]\nnetwork = ["a.test:443", "b.test:443"]\n');
    folders.writeProject('[sandbox]\nnetwork = ["b.test:443"]\n');
    expect((await folders.load()).config.sandbox.network).toEqual(['b.test:443']);
    folders.writeProject('[sandbox]\nnetwork = ["b.test:443", "evil.test:443"]\n');
    const {config, warnings} = await folders.load();
    expect(config.sandbox.network).toEqual(['a.test:443', 'b.test:443']);
    expect(warnings.map((warning) => messageText(warning))).toEqual([
      expect.stringContaining('sandbox.network is ignored'),
    ]);
  });

  it('cannot weaken the rule for the panel that a flag names', async () => {
    folders.writeProject('[quorum]\nrule = "at_least:2"\n');
    const panel = {key: 'agent.review_models', value: ['a', 'b', 'c', 'd', 'e'], source: '-m'};
    expect((await folders.load({}, [panel])).config.quorum.rule).toBe('majority');
    expect((await folders.load()).config.quorum.rule).toBe('at_least:2');
  });

  it('cannot replace a rule that counts weights by one that counts seats', async () => {
    folders.writeUser('[quorum]\nrule = "majority"\n[quorum.weights]\n"policy/safety" = 9\n');
    folders.writeProject('[quorum]\nrule = "at_least:5"\n');
    expect((await folders.load()).config.quorum.rule).toBe('majority');
    folders.writeProject('[quorum]\nrule = "unanimous"\n');
    expect((await folders.load()).config.quorum.rule).toBe('unanimous');
  });

  it('has lower priority than flags and variables of the user', async () => {
    folders.writeProject('[agent]\nhil_mode = "auto_reject"\n');
    const {config} = await folders.load({QUORATE_AGENT_HIL_MODE: 'interactive'});
    expect(config.agent.hil_mode).toBe('interactive');
  });
});

async function loadWithoutProject(): ReturnType<ConfigFolders['load']> {
  const empty = createConfigFolders();
  try {
    return await empty.load();
  } finally {
    empty.remove();
  }
}
