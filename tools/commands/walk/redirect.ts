/** Effects of redirections, before their command runs. */

import {isLoadedPlace, type Made} from '../acts/makings.ts';
import {blindness, silentPlaces} from '../acts/place-acts.ts';
import type {EffectKind} from '../effect.ts';
import type {RawRedirect} from '../grammar/grammar.ts';
import type {Input} from '../program.ts';
import {isEndless} from '../read-program.ts';
import type {Word} from '../word.ts';
import {expandText, expandWord} from '../words/expand.ts';
import type {World} from '../words/world.ts';
import type {Call, Scope, Shell} from './shell.ts';

export interface Redirecting {
  readonly redirects: readonly RawRedirect[];
  readonly text: string;
  /** Nothing is printed: a redirection leaves its file empty. */
  readonly isEmpty: boolean;
}

export interface Redirected {
  readonly input: Call['input'];
  readonly shown: Call['redirects'];
  readonly world: World;
  /** A file may fail to open: then the command does not run. */
  readonly mayFail: boolean;
  /** The files that the command will have changed after it has run. */
  readonly made: readonly Made[];
}

const kinds: Readonly<Record<RawRedirect['operator'], EffectKind>> = {
  '>': 'writes',
  '>|': 'writes',
  '&>': 'writes',
  '>&': 'writes',
  '<>': 'writes',
  '>>': 'appends',
  '&>>': 'appends',
  '<': 'reads',
  '<&': 'reads',
  here: 'reads',
};

/** For one command. */
const maxRedirects = 100;

export async function redirect(
  shell: Shell,
  {redirects, text, isEmpty}: Redirecting,
  world: World,
  scope: Scope,
): Promise<Redirected> {
  let done: Redirected = {input: 'inherited', shown: [], world, mayFail: false, made: []};
  if (redirects.length > maxRedirects) {
    shell.ledger.miss({word: text, why: `has more than ${maxRedirects} redirections`});
    return {...done, mayFail: true};
  }
  for (const raw of redirects) {
    // oxlint-disable-next-line no-await-in-loop -- they take effect one after another
    done = await redirectOne(shell, raw, {text, isEmpty, scope}, done);
  }
  return done;
}

interface Around {
  readonly text: string;
  readonly isEmpty: boolean;
  readonly scope: Scope;
}

async function redirectOne(
  shell: Shell,
  raw: RawRedirect,
  {text, isEmpty, scope}: Around,
  done: Redirected,
): Promise<Redirected> {
  const expander = shell.expander(scope);
  if (raw.operator === 'here') {
    const {is: here, world} = await expandText(raw.target, done.world, expander);
    return {...done, world, input: raw.descriptor === 0 ? here : done.input};
  }
  const {is: words, world} = await expandWord(raw.target, done.world, expander);
  const [target] = words;
  const shown = target ? [...done.shown, {operator: raw.operator, target}] : done.shown;
  const input = raw.descriptor === 0 ? inputFrom(target) : done.input;
  const after = {...done, world, shown, input};
  if (!target || !isOnePlace(words)) {
    shell.ledger.miss({word: raw.target.written, why: 'a redirection to a computed place'});
    return {...after, mayFail: true};
  }
  if (isDuplicate(raw, target) || silentPlaces.test(target.text)) return after;
  const made = await open(shell, raw, target, {text, isEmpty}, world);
  return {...after, mayFail: true, made: [...done.made, ...made]};
}

function inputFrom(target: Word | undefined): Input {
  return target && isEndless(target.text) ? 'endless' : 'pipe';
}

function isOnePlace([word, ...more]: readonly Word[]): boolean {
  return word?.known === true && !word.pattern && more.length === 0;
}

/** `2>&1`, `<&-`. */
function isDuplicate({operator}: RawRedirect, {text}: Word): boolean {
  return /^[<>]&$/.test(operator) && /^(?:\d{1,3}-?|-)$/.test(text);
}

async function open(
  shell: Shell,
  {operator}: RawRedirect,
  target: Word,
  {text, isEmpty}: Omit<Around, 'scope'>,
  {folder}: World,
): Promise<readonly Made[]> {
  const problem = problemOf(operator, target, folder);
  if (problem !== undefined) {
    shell.ledger.miss({word: target.text, why: problem});
    return [];
  }
  const place = await shell.places.look(target.text, folder);
  const blind = blindness(place, kinds[operator], shell.places.makings);
  if (blind !== undefined) shell.ledger.miss({word: target.text, why: blind});
  const isEmptied = isEmpty && /^>\|?$/.test(operator) && place.state !== 'absent';
  const kind = isEmptied ? 'empties' : kinds[operator];
  const effect = {kind, target: place.path, place, by: text.slice(0, 160)};
  shell.ledger.add(effect);
  if (kind === 'reads') return [];
  if (kind === 'writes') shell.places.truncates(effect);
  return [
    {
      path: place.path,
      isOpaque: false,
      isThere: true,
      isLoaded: kind !== 'empties' && isLoadedPlace(place),
    },
  ];
}

function problemOf(
  operator: RawRedirect['operator'],
  {text}: Word,
  folder: string | undefined,
): string | undefined {
  const isOdd = operator === '<&' || /^\/dev\/(?:tcp|udp)\//.test(text);
  if (isOdd) return 'a redirection that shells read differently';
  const isLost = folder === undefined && !text.startsWith('/');
  return isLost ? 'the folder it lies in is not known' : undefined;
}
