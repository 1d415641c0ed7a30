/** Reads the effects of a command from the log of `strace -f -y`. */

export interface Reached {
  /** Absolute paths of files that were opened for reading. */
  readonly read: readonly string[];
  /** Absolute paths that it tried and failed to open for writing, create, move, link or delete. */
  readonly refused: readonly string[];
  /** Absolute paths of programs that ran. */
  readonly ran: readonly string[];
  /** Addresses that it tried to reach. */
  readonly connected: readonly string[];
  /** Ports that it tried to open to others. */
  readonly opened: readonly string[];
  /** Signals to processes other than its own. */
  readonly signalled: readonly string[];
}

/** The traced system calls. */
export const tracedCalls =
  'execve,connect,bind,sendto,sendmsg,sendmmsg,open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,truncate,chmod,fchmodat,chown,fchownat,lchown,kill,tkill,tgkill';

interface Line {
  readonly call: string;
  readonly args: string;
  readonly isDone: boolean;
  readonly rest: string;
}

export function readTrace(log: string): Reached {
  const lines = wholeLines(log).flatMap((line): readonly Line[] => {
    const parts = /^\d+ +(\w+)\((.*)\) += (-?\d+)(.*)$/.exec(line);
    if (!parts) return [];
    const [, call = '', args = '', result = '', rest = ''] = parts;
    return [{call, args, isDone: !result.startsWith('-'), rest}];
  });
  const of = (...calls: readonly string[]) => lines.filter(({call}) => calls.includes(call));
  return {
    read: of('open', 'openat')
      .filter(({args, isDone}) => isDone && !isWriting(args))
      .flatMap(({rest}) => /^<(\/[^>]*)>/.exec(rest)?.[1] ?? []),
    refused: lines
      .filter(({call, args, isDone, rest}) => !isDone && isRefusal(rest) && changes(call, args))
      .flatMap(({args}) => pathsIn(args)),
    ran: of('execve')
      .filter(({isDone}) => isDone)
      .flatMap(({args}) => /^"([^"]*)"/.exec(args)?.[1] ?? []),
    connected: of('connect', 'sendto', 'sendmsg', 'sendmmsg')
      .filter(({args}) => /sa_family=AF_INET6?/.test(args))
      .map(({args}) => /inet_(?:addr|pton)\([^)]*\)/.exec(args)?.[0] ?? args),
    opened: of('bind')
      .filter(({args}) => /sa_family=AF_INET6?, sin6?_port=htons\([1-9]/.test(args))
      .filter(({args}) => !/"(?:127\.[\d.]+|::1)"/.test(args))
      .map(({args}) => /sin6?_port=htons\((\d+)\)/.exec(args)?.[1] ?? args),
    signalled: of('kill', 'tkill', 'tgkill')
      .filter(({args, isDone}) => !args.endsWith(', 0') && !(isDone && isOwn(args)))
      .map(({call, args}) => `${call}(${args})`),
  };
}

/** While a process waits in a call, others continue: such a call takes two lines. */
function wholeLines(log: string): readonly string[] {
  const begun = new Map<string, string>();
  return log.split('\n').flatMap((line) => {
    const [, pid = '', head] = /^(\d+) +(\w+\(.*) <unfinished \.\.\.>$/.exec(line) ?? [];
    if (head !== undefined) {
      begun.set(pid, head);
      return [];
    }
    const [, again = '', tail = ''] = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/.exec(line) ?? [];
    return again === '' ? [line] : [`${again} ${begun.get(again) ?? ''}${tail}`];
  });
}

/** In its own namespace, all processes belong to the command except the first two: those of bubblewrap and strace. */
function isOwn(args: string): boolean {
  return Math.abs(Number(/^-?\d+/.exec(args)?.[0] ?? 0)) > 2;
}

/** True when the call is not permitted, not when the file does not exist. */
function isRefusal(rest: string): boolean {
  return /EROFS|EACCES|EPERM/.test(rest);
}

function isWriting(args: string): boolean {
  return /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(args);
}

function changes(call: string, args: string): boolean {
  if (call === 'open' || call === 'openat') return isWriting(args);
  return !/^(?:execve|connect|bind|send\w+|t?g?kill)$/.test(call);
}

/** `AT_FDCWD</w>, "src/a", …`: each path with the folder that it is relative to. */
function pathsIn(args: string): readonly string[] {
  const found = [...args.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)];
  return found.map(([, folder = '', path = '']) =>
    path.startsWith('/') ? path : `${folder}/${path}`,
  );
}
