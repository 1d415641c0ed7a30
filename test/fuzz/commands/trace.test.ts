import {expect, it} from 'vitest';

import {readTrace} from './trace.ts';

it('an interrupted call is reported like any other', () => {
  const log = [
    '7 execve("/usr/bin/npm", ["npm", "init"], 0x55 /* 9 vars */ <unfinished ...>',
    '8 openat(AT_FDCWD</w>, "a.txt", O_RDONLY) = 3</w/a.txt>',
    '7 <... execve resumed>) = 0',
    '8 connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.1")}, 16 <unfinished ...>',
    '8 <... connect resumed>) = -1 ENETUNREACH (Network is unreachable)',
  ].join('\n');
  expect(readTrace(log)).toMatchObject({
    ran: ['/usr/bin/npm'],
    read: ['/w/a.txt'],
    connected: ['inet_addr("10.0.0.1")'],
  });
});

it('data sent without a connection, and a port opened to others, are reported', () => {
  const log = [
    '7 sendto(3<socket:[1]>, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.1")}, 16) = 1',
    '7 bind(4<socket:[2]>, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("0.0.0.0")}, 16) = 0',
    '7 bind(4<socket:[2]>, {sa_family=AF_INET, sin_port=htons(9229), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
    '7 bind(5<socket:[3]>, {sa_family=AF_INET6, sin6_port=htons(8080), sin6_flowinfo=htonl(0)}, 28) = 0',
  ].join('\n');
  expect(readTrace(log)).toMatchObject({connected: ['inet_addr("10.0.0.1")'], opened: ['8080']});
});
