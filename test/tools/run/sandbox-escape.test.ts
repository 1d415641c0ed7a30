/** A confined command cannot reach the rest of the machine: its files, processes, sockets and network. */

import {spawn} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

import {describe, expect, onTestFinished, test} from 'vitest';

import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {codePlaces} from '../../support/code-places.ts';
import {cells} from '../../support/rows.ts';
import {type Place, secretText, textOf, verdictOf} from '../place.ts';
import {createGraded, grades} from './confined.ts';

async function run(place: Place, command: string): Promise<ToolOutcome> {
  return await place.run('run_command', {command});
}

/** A home folder of the user for a test, with typical content. */
function createHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-home-')));
  for (const name of cells(`
    .netrc ¦ .git-credentials ¦ .npmrc ¦ .config/gh/hosts.yml ¦ .ssh/id_rsa ¦ other/notes.txt
  `)) {
    mkdirSync(dirname(join(home, name)), {recursive: true});
    writeFileSync(join(home, name), 'SECRET\n');
  }
  const before = process.env['HOME'];
  process.env['HOME'] = home;
  onTestFinished(() => {
    process.env['HOME'] = before;
    rmSync(home, {recursive: true, force: true});
  });
  return home;
}

/** Answers `reached` to every connection. */
async function listenAt(at: string | number): Promise<number> {
  const server = createServer((socket) => socket.end('reached'));
  await new Promise<void>((resolve) => {
    if (typeof at === 'string') server.listen(at, resolve);
    else server.listen(at, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** A command that connects to a port of this machine or to a socket, and prints the answer or the reason of a failure. */
function connect(to: number | string): string {
  const script = `require("net").connect(${JSON.stringify(to)}).on("data", d => console.log(String(d))).on("error", e => console.log(e.code))`;
  return `${process.execPath} -e '${script}'`;
}

describe.each(grades)('in %s, a command reads', (grade) => {
  test('nothing of the home folder, including links and files in it, and can use a home of its own', async () => {
    const home = createHome();
    symlinkSync(join(home, '.config/gh'), join(home, '.config/hub'));
    const place = createGraded(grade);
    const outcome = await run(
      place,
      `grep -rs SECRET ~; find ~ ! -type d; echo mine >~/.x && cat ~/.x; echo $HOME`,
    );
    const lines = textOf(outcome).split('\n');
    const at = lines.at(-2) ?? '';
    const own = new Set(['.gitconfig', '.config/git/ignore'].map((name) => join(at, name)));
    expect(lines.filter((line) => !own.has(line))).toEqual(['mine', at, '']);
    // Landlock gives it a folder with another name.
    expect(at === home).toBe(grade === 'bubblewrap');
    expect(existsSync(join(at, '.x'))).toBe(false);
    expect(existsSync(join(home, '.x'))).toBe(false);
  });

  test('nothing of other folders, and of the system only the parts that programs need', async () => {
    const place = createGraded(grade);
    const outcome = await run(
      place,
      `cat ${place.outside}/secret.txt /etc/shadow /etc/gshadow /etc/sudoers; ls /root /var/lib /var/log /srv /mnt /media /home /boot /etc/ssh /etc/ssl/private /run/* 2>&1`,
    );
    expect(verdictOf(outcome)).toBe('failed/exit_nonzero');
    expect(textOf(outcome)).not.toContain(secretText.trim());
    const listed = textOf(outcome)
      .split('\n')
      .filter((line) => line !== '' && !/No such file|cannot|can't|Permission denied/.test(line));
    expect(listed.filter((line) => !/^\/[\w/]*:$/.test(line) && line !== '.gitconfig')).toEqual([]);
  });

  test('no variable except the given ones, and no argument of another process', async () => {
    process.env['QUORATE_TEST_TOKEN'] = 'hidden-value';
    onTestFinished(() => void delete process.env['QUORATE_TEST_TOKEN']);
    const place = createGraded(grade);
    const outcome = await run(
      place,
      `env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'; ls /proc/${process.pid}; true`,
    );
    expect(textOf(outcome)).not.toContain('hidden-value');
    expect(textOf(outcome)).toMatch(
      new RegExp(`/proc/${process.pid}.*(?:No such file|Permission denied)`),
    );
  });

  test('programs of the user in PATH, and no credentials next to them', async () => {
    const home = createHome();
    for (const [name, text] of [
      ['.cargo/bin/tool', '#!/bin/sh\necho cargo-tool\n'],
      ['.nvm/versions/bin/node-tool', '#!/bin/sh\necho nvm-tool\n'],
      ['.cargo/credentials.toml', 'SECRET'],
      ['.local/bin/local-tool', '#!/bin/sh\necho local-tool\n'],
      ['.local/share/keyrings/login', 'SECRET'],
    ] as const) {
      mkdirSync(dirname(join(home, name)), {recursive: true});
      writeFileSync(join(home, name), text, {mode: 0o755});
    }
    const before = process.env['PATH'];
    onTestFinished(() => void (process.env['PATH'] = before));
    process.env['PATH'] =
      `${home}/.cargo/bin:${home}/.nvm/versions/bin:${home}/.local/bin:${before}`;
    const place = createGraded(grade);
    const outcome = await run(
      place,
      `tool; node-tool; local-tool; cat ~/.cargo/credentials.toml ~/.local/share/keyrings/login; echo x >>~/.cargo/bin/tool`,
    );
    expect(textOf(outcome)).toMatch(/^cargo-tool\nnvm-tool\nlocal-tool\n/);
    expect(textOf(outcome)).not.toContain('SECRET');
    expect(readFileSync(join(home, '.cargo/bin/tool'), 'utf8')).toBe(
      '#!/bin/sh\necho cargo-tool\n',
    );
  });

  test('no credentials of a home folder that is the workspace', async () => {
    const home = createHome();
    const place = createGraded(grade);
    const outcome = await place.run(
      'run_command',
      {
        command:
          'cat .netrc .ssh/id_rsa .config/gh/hosts.yml; cat other/notes.txt; echo new >made; echo $HOME',
      },
      {workspace: home},
    );
    expect(textOf(outcome).match(/SECRET/g)).toHaveLength(1);
    expect(readFileSync(join(home, 'made'), 'utf8')).toBe('new\n');
    expect(textOf(outcome)).not.toContain(`\n${home}\n`);
  });
});

describe.each(grades)('in %s, a command writes', (grade) => {
  test('nothing outside the workspace, not even through links and hard links', async () => {
    const place = createGraded(grade);
    symlinkSync(place.outside, join(place.workspace, 'link'));
    const file = join(place.outside, 'secret.txt');
    await run(
      place,
      `echo x >>link/secret.txt; ln ${file} hard; echo x >>${file}; mkdir -p ${place.outside}/made; cd ..; mkdir pwn; touch /usr/x /etc/x /x /opt/x`,
    );
    expect(existsSync(join(place.workspace, '..', 'pwn'))).toBe(false);
    expect(existsSync('/usr/x')).toBe(false);
  });

  test('no machine-wide setting of the superuser', async () => {
    const pattern = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
    const outcome = await run(
      createGraded(grade),
      'for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sysrq-trigger /proc/mtrr /sys/kernel/uevent_helper /dev/kmsg; do echo x >$f && echo "wrote $f"; done; true',
    );
    expect(textOf(outcome)).not.toContain('wrote');
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(pattern);
  });

  test('no missing protected place', async () => {
    const place = createGraded(grade);
    place.put('.github/README.md', 'x');
    const names = cells(`
      .vscode/tasks.json ¦ .husky/pre-commit ¦ .github/workflows/x.yml ¦ .mcp.json ¦ quorate.toml
      .envrc ¦ .npmrc ¦ .gitattributes ¦ .gitmodules ¦ .git/config ¦ .claude/settings.json
      CODEOWNERS ¦ .gitlab-ci.yml ¦ .github/dependabot.yml ¦ .cursorrules
    `);
    const outcome = await run(
      place,
      `${names.map((name) => `mkdir -p "$(dirname ${name})"; echo x >${name}`).join('; ')}; mv .github .g; true`,
    );
    expect(names.filter((name) => existsSync(join(place.workspace, name)))).toEqual([]);
    expect(place.text('.github/README.md')).toBe('x');
    expect(textOf(outcome)).toContain(
      '[quorate.toml is protected: only a person may make it; the new version is now quorate.toml.not-allowed]',
    );
    expect(place.text('quorate.toml.not-allowed')).toBe('x\n');
  });

  test.each(codePlaces)('no %s, which runs code or instructs agents', async (name) => {
    const place = createGraded(grade);
    const outcome = await run(place, `mkdir -p "$(dirname ${name})"; echo x >${name}`);
    expect(textOf(outcome)).toContain('.not-allowed');
    expect(existsSync(join(place.workspace, name))).toBe(false);
  });

  test('no existing protected place, by moving, replacing, truncating or unlinking it', async () => {
    const place = createGraded(grade);
    const names = cells(`
      .vscode/tasks.json ¦ .npmrc ¦ quorate.toml ¦ .github/workflows/x.yml ¦ .env
    `);
    for (const name of names) place.put(name, 'kept\n');
    await run(
      place,
      names
        .map(
          (name) =>
            `echo x >${name}; rm -rf ${name}; echo y >t; mv -f t ${name}; mv "$(dirname ${name})" moved; truncate -s 0 ${name}`,
        )
        .join('; '),
    );
    for (const name of names) expect(place.text(name)).toBe('kept\n');
  });

  test('no other link in place of a protected one', async () => {
    const place = createGraded(grade);
    place.put('.agents/settings.json', 'kept\n');
    symlinkSync('.agents', join(place.workspace, '.claude'));
    const outcome = await run(
      place,
      'rm .claude; mkdir .claude; echo evil >.claude/settings.json; echo evil >.agents/settings.json; true',
    );
    expect(place.text('.claude/settings.json')).toBe('kept\n');
    expect(textOf(outcome)).toContain('.claude was a link, and is one again');
  });
});

describe.each(grades)('in %s, a command connects', (grade) => {
  test('to no port of this machine', async () => {
    const port = await listenAt(0);
    expect(textOf(await run(createGraded(grade), connect(port)))).toMatch(
      /ECONNREFUSED|ENETUNREACH|EACCES/,
    );
  });

  test('to no socket in the home, in /tmp, in the workspace, in /run, nor to one without a name', async () => {
    const home = createHome();
    const place = createGraded(grade);
    const temporary = join(tmpdir(), `quorate-${process.pid}.sock`);
    const sockets = [join(home, 'a.sock'), temporary, join(place.workspace, 'w.sock')];
    for (const socket of sockets) await listenAt(socket);
    for (const socket of [...sockets, '/run/docker.sock', '/var/run/docker.sock']) {
      expect(textOf(await run(place, connect(socket)))).toMatch(/^(ENOENT|ECONNREFUSED|EACCES)$/m);
    }
    await listenAt('\0quorate-abstract');
    expect(textOf(await run(place, connect('\0quorate-abstract')))).toMatch(
      /^(?:ECONNREFUSED|EACCES)\n$/,
    );
  });
});

describe.each(grades)('in %s, a command keeps to itself', (grade) => {
  test('its background processes end with it, and it sees only its own processes', async () => {
    const place = createGraded(grade);
    const outsider = spawn('sleep', ['60']);
    onTestFinished(() => void outsider.kill());
    const outcome = await run(
      place,
      `(setsid nohup sh -c 'sleep 1; echo late >late' >/dev/null 2>&1 &); kill -9 ${outsider.pid}; kill -0 ${process.pid}; ls -d /proc/[0-9]* | wc -l`,
    );
    expect(Number(textOf(outcome).trim().split('\n').at(-1))).toBeLessThan(10);
    expect(outsider.exitCode).toBeNull();
    expect(outsider.signalCode).toBeNull();
    expect(existsSync(join(place.workspace, 'late'))).toBe(false);
  });

  test('it mounts nothing, creates no namespace, and gains nothing from a setuid program', async () => {
    const place = createGraded(grade);
    place.put('su', '#!/bin/sh\n');
    chmodSync(join(place.workspace, 'su'), 0o4755);
    const outcome = await run(
      place,
      `umount .git 2>/dev/null && echo unmounted; mount -t tmpfs none . 2>/dev/null && echo mounted; mount --bind /usr . 2>/dev/null && echo bound; unshare -Ur true 2>/dev/null && echo unshared; chroot / true 2>/dev/null && echo chrooted; mknod disk b 8 0 2>/dev/null && echo made; grep -E 'NoNewPrivs|CapEff' /proc/self/status`,
    );
    // Landlock closes the states of processes in /proc, also that of its own.
    expect(textOf(outcome)).toBe(
      grade === 'landlock'
        ? 'grep: /proc/self/status: Permission denied\n'
        : 'CapEff:\t0000000000000000\nNoNewPrivs:\t1\n',
    );
  });

  test('the roots and folders of its processes are those of the sandbox', async () => {
    const place = createGraded(grade);
    const outcome = await run(
      place,
      `for p in 1 self $$ $PPID; do ls /proc/$p/root/ /proc/$p/cwd/../ ; cat /proc/$p/root${place.outside}/secret.txt /proc/$p/cwd/../outside/secret.txt; done 2>&1; true`,
    );
    expect(textOf(outcome)).not.toContain('keep me');
  });

  test('it has no terminal, and so cannot send keystrokes to one', async () => {
    const outcome = await run(createGraded(grade), '(exec 3<>/dev/tty) 2>&1; true');
    expect(textOf(outcome)).toMatch(/No such device|Permission denied/);
  });
});
