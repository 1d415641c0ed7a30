/** One point of a curve. Order: `part`, `size`, `folder`. */

import {spawn} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {request} from 'node:http';
import {join} from 'node:path';

import {createMemoryJournal, createSqliteJournal} from 'quorate';

import {cpuUsOf, order, peakMb, tell} from './measure.mjs';
import {createWorld} from './ours.mjs';

const {part, size, folder} = order;

/** CPU of the last fifth of the turns of one loop. */
async function turns() {
  const marks = [];
  const onCall = () => void marks.push(process.cpuUsage());
  await createWorld({turns: size, onCall}).run();
  const [from, to] = [marks.at(-Math.floor(size / 5) - 3), marks.at(-3)];
  const spent = to.user + to.system - from.user - from.system;
  return {us: spent / (size / 5), mb: peakMb()};
}

/** All moments of a run with so many turns. */
async function moments() {
  const journal = createMemoryJournal();
  const {run, runtime} = createWorld({turns: size, journal});
  const id = await run();
  let count = 0;
  const us = await cpuUsOf(async () => {
    for await (const {actors} of runtime.moments(id)) count += Math.sign(actors.length);
  });
  return {us: us / count, mb: peakMb()};
}

const form = `id = "trip"\ntitle = "Trip"\n[[fields]]\nid = "city"\nlabel = "City"\nintent = "Where to"\ntype = "text"\nrequired = true\n`;

/** Readers of one submission, until all have the answer to a message. The CPU is that of the server. */
async function readers() {
  writeFileSync(join(folder, 'trip.toml'), form);
  const launcher = join(import.meta.dirname, 'node_modules/quorate/dist/cli/bin.js');
  const env = {PATH: process.env.PATH, HOME: folder, QUORATE_HOME: join(folder, 'home')};
  const args = [launcher, 'serve', '--forms', '.', '--port', '0', '--rate', '1000000'];
  const server = spawn(process.execPath, args, {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve) =>
    server.stdout.on('data', (data) => {
      const [, found] = /listening on (\S+)/.exec(String(data)) ?? [];
      if (found) resolve(found);
    }),
  );
  const begun = await fetch(`${url}/v1/forms/trip/submissions`, {
    method: 'POST',
    body: '{}',
    headers: {'content-type': 'application/json'},
  });
  const {id, token, messages} = await begun.json();
  const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json'};
  const next = `id: ${messages.length + 1}\n`;
  let open = 0;
  let served = 0;
  const isOpen = Promise.withResolvers();
  const isServed = Promise.withResolvers();
  const read = () => {
    let text = '';
    request(`${url}/v1/submissions/${id}/events`, {headers, agent: false}, (response) => {
      response.on('data', (data) => {
        if (response.statusCode !== 200) throw new Error(String(data));
        const isFirst = text === '';
        const wasServed = text.includes(next);
        text += data;
        if (isFirst && (open += 1) === size) isOpen.resolve();
        if (!wasServed && text.includes(next) && (served += 1) === size) isServed.resolve();
      });
    }).end();
  };
  for (let count = 0; count < size; count += 1) read();
  await isOpen.promise;
  const before = cpuMsOf(server.pid);
  const startedAt = performance.now();
  const body = JSON.stringify({text: 'Kyoto'});
  await fetch(`${url}/v1/submissions/${id}/messages`, {method: 'POST', body, headers});
  await isServed.promise;
  const figures = {
    us: (1_000 * (cpuMsOf(server.pid) - before)) / size,
    ms: performance.now() - startedAt,
  };
  server.kill();
  return figures;
}

/** User and system time of a process, of Linux. */
function cpuMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** The undo of so many writes: a fifth of them to one file, the others to files that are written twice, in folders of 20. */
async function undo() {
  const journal = createSqliteJournal(join(folder, 'journal.db'));
  const workspace = join(folder, 'place');
  mkdirSync(workspace);
  process.chdir(workspace);
  const {run, runtime} = createWorld({turns: 0, journal});
  const id = await run();
  const often = size / 5;
  const files = (size - often) / 2;
  const paths = Array.from({length: files}, (_, at) =>
    join(`f${Math.floor(at / 20)}`, `${at}.txt`),
  );
  const made = Array.from({length: files / 20}, (_, at) => ({path: `f${at}`, after: 'folder'}));
  const writes = [...paths, ...paths, ...Array.from({length: often}, () => 'often.txt')];
  const versions = new Map();
  const backups = writes.map((path) => {
    const version = versions.get(path) ?? 0;
    versions.set(path, version + 1);
    const content = Buffer.from(`${path} ${version}`);
    const after = hashOf(`${path} ${version + 1}`);
    if (version === 0) return {path, after};
    return {path, before: {hash: hashOf(content), mode: 0o644, content}, after};
  });
  for (const {path} of made) mkdirSync(join(workspace, path));
  for (const [path, version] of versions)
    writeFileSync(join(workspace, path), `${path} ${version}`);
  await journal.backups.keep(id, [...made, ...backups]);
  let report;
  const us = await cpuUsOf(async () => (report = await runtime.undo(id)));
  const wrong = report.files.filter(({outcome}) => outcome !== 'removed');
  if (wrong.length > 0) throw new Error(`not undone: ${JSON.stringify(wrong.slice(0, 3))}`);
  return {us: us / size, mb: peakMb()};
}

function hashOf(content) {
  return createHash('sha256').update(content).digest('hex');
}

tell(await {turns, moments, readers, undo}[part]());
