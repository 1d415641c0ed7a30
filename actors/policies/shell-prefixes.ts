/** Commands that start another command: `env`, `nohup`, `timeout`, `xargs`, `npx` and their like. */

import type {Word} from './shell-reader.ts';

/** Which of its short options take a value, and how many operands come before the command. */
interface Prefix {
  readonly values: string;
  readonly operands?: number;
}

const prefixes: ReadonlyMap<string, Prefix> = new Map(
  Object.entries({
    env: {values: 'uC'},
    nohup: {values: ''},
    setsid: {values: ''},
    builtin: {values: ''},
    command: {values: ''},
    exec: {values: 'a'},
    time: {values: 'fo'},
    nice: {values: 'n'},
    ionice: {values: 'cnp'},
    timeout: {values: 'sk', operands: 1},
    gtimeout: {values: 'sk', operands: 1},
    stdbuf: {values: 'ioe'},
    xargs: {values: 'InPdELsa'},
    parallel: {values: 'jNaS'},
    watch: {values: 'n'},
    flock: {values: 'wE', operands: 1},
    chrt: {values: 'pT', operands: 1},
    taskset: {values: 'c', operands: 1},
    busybox: {values: ''},
    toybox: {values: ''},
    strace: {values: 'eopsu'},
    ltrace: {values: 'eo'},
    unbuffer: {values: ''},
    caffeinate: {values: 't'},
    sudo: {values: 'ughpCDRTU'},
    doas: {values: 'uC'},
    pkexec: {values: ''},
    chroot: {values: '', operands: 1},
    unshare: {values: ''},
    npx: {values: 'p'},
    bunx: {values: ''},
    pnpx: {values: ''},
  }),
);

/** Long options that take the next word as their value. GNU takes any beginning of them. */
const longValues = (
  'unset chdir signal kill-after adjustment class classdata pid input output error format max-args max-procs ' +
  'delimiter arg-file max-lines max-chars replace process-slot-var interval timeout wait conflict-exit-code ' +
  'user group host prompt close-from role type other-user package jobs'
)
  .split(' ')
  .map((name) => `--${name}`);

/** Prefixes of two words. */
const runners =
  /^(?:npm (?:exec|x)|pnpm (?:exec|dlx)|yarn (?:exec|dlx)|bun x|uv run|poetry run|bundle exec)$/;

/** The command's name without its folder, in lower case; as it is written when it is computed. */
export function commandName(words: readonly Word[]): string {
  const [first] = words;
  if (!first || first.computed) return first?.text ?? '';
  const base = first.text.slice(first.text.lastIndexOf('/') + 1);
  return base
    .trim()
    .toLowerCase()
    .replace(/\.exe$/, '');
}

/** How many words of a prefix come before the command that it starts; undefined when it is no prefix. */
export function prefixLength(words: readonly Word[]): number | undefined {
  const name = commandName(words);
  const next = words[1]?.text ?? '';
  if (runners.test(`${name} ${next}`)) return skipOptions(words, 2, {values: 'p'});
  const prefix = prefixes.get(name);
  // `command -v rm` only asks where a command is; `env -S` and `npx -c` take theirs as one text.
  if (!prefix || (name === 'command' && /^-[vV]/.test(next)) || takesText(name, words)) {
    return undefined;
  }
  return skipOptions(words, 1, prefix);
}

function takesText(name: string, words: readonly Word[]): boolean {
  if (name !== 'env' && name !== 'npx') return false;
  const option = name === 'env' ? /^(?:-[a-z]*S|--split)/ : /^(?:-c|--call)/;
  return words.some(({text}) => option.test(text));
}

function skipOptions(words: readonly Word[], from: number, prefix: Prefix): number {
  const textAt = (index: number) => words[index]?.text ?? '';
  let at = from;
  while (/^-(?!-$)/.test(textAt(at))) at += takesNext(textAt(at), prefix) ? 2 : 1;
  if (textAt(at) === '--') at += 1;
  while (/^[A-Za-z_]\w*=/.test(textAt(at))) at += 1;
  return at + (prefix.operands ?? 0);
}

function takesNext(option: string, {values}: Prefix): boolean {
  if (option.startsWith('--')) return longValues.some((name) => name.startsWith(option));
  const letters = option.slice(1).split('');
  const first = letters.findIndex((letter) => values.includes(letter));
  return first >= 0 && first === letters.length - 1;
}
