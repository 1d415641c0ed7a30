/** Code of users' modules: what it prints goes to standard error, so that standard output is the answer alone. */

import {AsyncLocalStorage} from 'node:async_hooks';

import {once} from '../../machines/domain/once.ts';

const modules = new AsyncLocalStorage<true>();

/** Warnings of Node about modules outside of a package, and about its TypeScript support. */
const remarks = /MODULE_TYPELESS_PACKAGE_JSON|stripTypeScriptTypes/;

/** Runs code of a module. Also its timers print to standard error, as long as the process lives. */
export async function aside<Result>(act: () => Result | Promise<Result>): Promise<Result> {
  divert();
  return await modules.run(true, act);
}

const divert = once(() => {
  const {stdout, stderr} = process;
  const write = stdout.write.bind(stdout);
  Object.assign(stdout, {
    write: (chunk: string | Uint8Array, ...rest: []) => {
      if (modules.getStore() !== true) return write(chunk, ...rest);
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return stderr.write(text.replaceAll(/^(?=.)/gm, 'module: '), ...rest);
    },
  });
  const warn = process.emitWarning.bind(process);
  Object.assign(process, {
    emitWarning: (warning: string | Error, ...rest: []) => {
      if (!remarks.test([warning, ...rest].map(remarkText).join(' '))) warn(warning, ...rest);
    },
  });
  return modules;
});

function remarkText(part: unknown): string {
  if (part instanceof Error) return `${part.name} ${part.message}`;
  return typeof part === 'string' ? part : (JSON.stringify(part) ?? '');
}
