/** The trust in a folder: one hash over its quorate.toml and its .mcp.json. */

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

import {afterEach, beforeEach, describe, expect, it} from 'vitest';

import {readFolder, trustContent, trustedContent} from '../../../cli/config/folder-trust.ts';
import {createConfigFolders, type ConfigFolders} from './workspace.ts';

let folders: ConfigFolders;
beforeEach(() => {
  folders = createConfigFolders();
});
afterEach(() => folders.remove());

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
async function loaded() {
  const {config, warnings} = await folders.load();
  const content = await trustedContent(folders.project, folders.env);
  return {
    mode: config.agent.hil_mode,
    tools: Object.keys(config.tools),
    mayStart: content.isTrusted,
    warnings: warnings.map(({en}) => en),
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
    expect(await loaded()).toEqual(nothing);
    await folders.trust();
    expect(await loaded()).toEqual(everything);
    folders.writeProject(`${toml}\n`);
    expect(await loaded()).toEqual(nothing);
    folders.writeProject(toml);
    expect(await loaded()).toEqual(everything);
    writeFileSync(mcpFile(), mcp.replace('notes-server', 'notes-servor'));
    expect(await loaded()).toEqual(nothing);
  });

  it('is one whose file was removed or added', async () => {
    writeBoth();
    await folders.trust();
    rmSync(mcpFile());
    expect(await loaded()).toMatchObject({mode: 'interactive', tools: []});
    await folders.trust();
    expect(await loaded()).toMatchObject({mode: 'auto_approve', tools: ['lint']});
    writeFileSync(mcpFile(), mcp);
    expect(await loaded()).toEqual(nothing);
    await folders.trust();
    rmSync(folders.projectFile);
    expect(await loaded()).toMatchObject({mayStart: false, tools: []});
  });

  it('gets one warning, in English and Japanese, also for servers alone', async () => {
    writeFileSync(mcpFile(), mcp);
    const {warnings} = await folders.load();
    expect(warnings).toEqual([
      {
        en: expect.stringMatching(/^\.mcp\.json is ignored: .*: quorate config --trust --show$/),
        ja: expect.stringMatching(/^\.mcp\.json を無視します。.*: quorate config --trust --show$/),
      },
    ]);
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
    expect((await folders.load()).warnings.map(({en}) => en)).toEqual([
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
    expect(await loaded()).toMatchObject({
      mayStart: false,
      warnings: [expect.stringContaining('max_replans')],
    });
  });

  it('is of the folder to which a link leads, also after the link leads elsewhere', async () => {
    writeBoth();
    const link = join(folders.root, 'link');
    symlinkSync(folders.project, link);
    await folders.trust(link);
    expect(await loaded()).toEqual(everything);
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
    expect(await loaded()).toEqual(nothing);
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
    expect(await loaded()).toMatchObject({mode: 'auto_approve', tools: ['lint'], warnings: []});
    writeFileSync(mcpFile(), mcp);
    expect(await loaded()).toEqual(nothing);
    await folders.trust();
    rmSync(mcpFile());
    expect(await loaded()).toMatchObject({mode: 'interactive', tools: []});
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
      expect(await loaded()).toEqual(nothing);
      await folders.trust();
      expect(await loaded()).toEqual(everything);
    },
  );
});

describe('tools of the own file', () => {
  it('are trusted, whatever the folder is', async () => {
    folders.writeUser('[tools.mine]\ncommand = ["x"]\ndescription = "X"\n');
    writeBoth();
    expect(await loaded()).toEqual({...nothing, tools: ['mine']});
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
