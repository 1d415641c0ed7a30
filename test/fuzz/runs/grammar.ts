/** Scripts of hostile runs: the attempts of `grammar.txt`, expanded and mixed. */

import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import type {JsonObject} from '../../../machines/domain/json.ts';
import {type Chooser, createChooser} from '../../support/dice.ts';
import {
  aims,
  edit,
  type Grade,
  grades,
  isServerTool,
  type Mode,
  modeOf,
  panels,
  type Script,
  sh,
  type Step,
  use,
  write,
} from './script.ts';

interface Rule {
  readonly alternatives: readonly string[];
  /** Undefined for a rule that is not an attempt. */
  readonly aim: Step['aim'] | undefined;
  readonly weight: number;
  /** Pairs of a name and the rule whose alternative it has in the whole attempt. */
  readonly bound: readonly (readonly [name: string, rule: string])[];
}

const rules: ReadonlyMap<string, Rule> = new Map(
  readFileSync(join(import.meta.dirname, 'grammar.txt'), 'utf8')
    .split(/^== /m)
    .slice(1)
    .map((section) => {
      const [, name = '', words = '', text = ''] =
        /^([\w-]+)([^\n]*?)(?: :: |\n)(.*)\n$/s.exec(section) ?? [];
      const [aim, weight, ...bound] = words.trim().split(' ');
      return [
        name,
        {
          alternatives: text.split(/ ¦ |\n/).flatMap(repeated),
          aim: aims.find((each) => each === aim),
          weight: Number(weight ?? 0),
          bound: bound.map((pair) => [pair.replace(/=.*/, ''), pair.slice(pair.indexOf('=') + 1)]),
        },
      ] as const;
    }),
);

/** An alternative as often as it counts. */
function repeated(alternative: string): readonly string[] {
  const [, count = '1', text = alternative] = /^(\d+)× (.*)$/s.exec(alternative) ?? [];
  return Array.from({length: Number(count)}, () => text);
}

/** Throws for an unknown name. */
export function alternativesOf(name: string): readonly string[] {
  const rule = rules.get(name);
  if (!rule) throw new Error(`the grammar has no rule "${name}"`);
  return rule.alternatives;
}

type Bound = Map<string, string>;

/** The text without names, the innermost first. */
function expand(choose: Chooser, text: string, bound: Bound): string {
  const [whole, name] = /‹([^‹›]*)›/.exec(text) ?? [];
  if (whole === undefined || name === undefined) return text.replaceAll('⏎', '\n');
  return expand(
    choose,
    text.replace(whole, () => valueOf(choose, name, bound)),
    bound,
  );
}

function valueOf(choose: Chooser, name: string, bound: Bound): string {
  if (name.startsWith('?')) return choose.pick(name.slice(1).split('⁄'));
  const rest = name.slice(1);
  if (name.startsWith('~')) return spellPath(choose, valueOf(choose, rest, bound));
  if (name.startsWith('"')) return JSON.stringify(valueOf(choose, rest, bound));
  return bound.get(name) ?? expand(choose, choose.pick(alternativesOf(name)), bound);
}

function attempt(choose: Chooser, name: string): readonly Step[] {
  const {aim = 'none', bound: pairs = []} = rules.get(name) ?? {};
  const bound: Bound = new Map();
  for (const [key, rule] of pairs) bound.set(key, valueOf(choose, rule, bound));
  const steps = expand(choose, choose.pick(alternativesOf(name)), bound).split(' ▸ ');
  return steps.map((text) => stepOf(choose, text, aim));
}

/** The first form that matches makes the step. */
const forms: readonly (readonly [
  RegExp,
  (choose: Chooser, parts: readonly string[], aim: Step['aim']) => Step,
])[] = [
  [/^- (.*)$/s, (choose, [text = '']) => stepOf(choose, text, 'none')],
  [/^~ (.*)$/s, (choose, [text = ''], aim) => sh(wrap(choose, text), aim)],
  [/^in (\S+): (.*)$/s, (_, [folder, text = ''], aim) => sh(text, aim, folder)],
  [/^use (\S+) (.*)$/s, (_, [tool = '', args = ''], aim) => use(tool, argsOf(args), aim)],
  [/^write (\S+?):(?: (.*))?$/s, (_, [path = '', text = ''], aim) => write(path, text, aim)],
  [
    /^edit (\S+): (.*) ⇒ (.*)$/s,
    (_, [path = '', before = '', after = ''], aim) => edit(path, before, after, aim),
  ],
  [/^(.*)$/s, (_, [text = ''], aim) => sh(text, aim)],
];

function stepOf(choose: Chooser, text: string, aim: Step['aim']): Step {
  for (const [form, make] of forms) {
    const [, ...parts] = form.exec(text) ?? [];
    if (parts.length > 0) return make(choose, parts, aim);
  }
  throw new Error(`not a step: ${text}`);
}

function argsOf(text: string): JsonObject {
  return JSON.parse(text);
}

/** A command inside others that only pass it on. */
function wrap({pick, oneIn}: Chooser, command: string): string {
  if (oneIn(2)) return command;
  const quoted = command.includes("'") ? [] : alternativesOf('quoted-wrap');
  const around = pick([...alternativesOf('wrap'), ...quoted]);
  return around.replaceAll('⏎', '\n').replaceAll('‹c›', () => command);
}

/** Each attempt in proportion to its weight. */
const attempts = [...rules].flatMap(([name, {weight}]) => Array.from({length: weight}, () => name));

/** The same for the same seed. With a grade, policies decide alone. */
export function scriptFor(seed: number, grade?: Grade): Script {
  const choose = createChooser(seed);
  const {pick, oneIn, roll} = choose;
  const mode = modeFor(choose);
  const chosen = Array.from({length: 1 + roll(3)}, () => attempt(choose, pick(attempts)));
  const steps = mix(choose, oneIn(2) ? [...chosen, attempt(choose, 'busy')] : chosen);
  const request = pick(alternativesOf('request'));
  const hasServer = steps.some(({tool}) => isServerTool(tool));
  const isTrusted = hasServer && seed % 2 === 0;
  const marked = steps.map((step) => mark(choose, step));
  return {seed, mode: grade ? modeOf(grade) : mode, request, steps: marked, isTrusted};
}

function modeFor({pick, oneIn}: Chooser): Mode {
  const panel = pick<Mode['panel']>([...panels, 'policies', 'policies', 'models', 'auto']);
  const hasModels = panel === 'models' || (panel === 'auto' && oneIn(3));
  return {panel, grade: pick(grades), hasModels, isEnsemble: panel === 'models' && oneIn(20)};
}

/** Several attempts at once, each in its own order. */
function mix({roll}: Chooser, rows: readonly (readonly Step[])[]): readonly Step[] {
  const left = rows.map((row) => [...row]);
  const mixed: Step[] = [];
  for (let open = left; open.length > 0; open = open.filter((row) => row.length > 0)) {
    const next = open[roll(open.length)]?.shift();
    if (next) mixed.push(next);
  }
  return mixed;
}

function mark({oneIn}: Chooser, step: Step): Step {
  if (oneIn(12)) return {...step, isPlanned: true};
  return oneIn(10) ? {...step, isJoined: true} : step;
}

/** A path of the workspace as a shell may receive it. */
function spellPath({pick, oneIn, roll}: Chooser, path: string): string {
  if (oneIn(2)) return path;
  const last = path.lastIndexOf('/') + 1;
  const cut = Math.min(path.length - 1, last + 1 + roll(3));
  return pick([
    `./${path}`,
    `"${path}"`,
    `'${path}'`,
    `${path.slice(0, cut)}*`,
    `${path.slice(0, cut)}?${path.slice(cut + 1)}`,
    `${path.slice(0, cut)}[${path.at(cut)}]${path.slice(cut + 1)}`,
    `"$PWD/${path}"`,
    `src/../${path}`,
    `$(echo ${path})`,
    `{${path},${path}}`,
    `${path.slice(0, cut)}''${path.slice(cut)}`,
    `${path.slice(0, cut)}\\${path.slice(cut)}`,
    `"$(printf %s ${path})"`,
    `./src/.././${path}`,
    `$(ls -d ${path})`,
    `~+/${path}`,
  ]);
}
