/**
 * The part of the egress that runs in the sandbox: listens on loopback, forwards everything to the socket of the proxy, and runs
 * the command.
 *
 * node forward-process SOCKET PORT FILE ARGUMENT…
 */

import {spawn} from 'node:child_process';
import {connect, createServer} from 'node:net';

const [, , socket = '', port = '', file = '', ...args] = process.argv;

const server = createServer((inner) => {
  const outer = connect(socket);
  inner.on('error', () => outer.destroy());
  outer.on('error', () => inner.destroy());
  inner.pipe(outer).pipe(inner);
});

server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(file, args, {stdio: 'inherit'});
  child.on('error', () => process.exit(127));
  child.on('exit', (code, signal) => {
    if (signal !== null) process.kill(process.pid, signal);
    process.exit(code ?? 1);
  });
});
