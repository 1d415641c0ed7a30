/**
 * The modes of a screen, as Vim has them: what a key means.
 *
 * insert ⇄ normal ⇄ visual; normal → command, search → normal
 *
 *                a key without a meaning    Esc
 *   insert       is typed                   leads to normal
 *   normal       does nothing               forgets the keys before it
 *   visual       does nothing               leads to normal
 *   command      is typed                   leads to normal
 *   search       is typed                   leads to normal
 *
 * Which keys mean which action is data: without a key for normal mode, the mode is insert at all times. A sequence of keys has its meaning once it is complete; digits before it are a count.
 * Where text is typed, only a single key that types nothing has a meaning. A meaning leaves the chart as an emitted event.
 */

import {assign, emit, setup} from 'xstate';

import {isPrefix, isSilent, type KeyBinding, type Mode} from './keys.ts';

export interface ModesInput {
  readonly bindings: readonly KeyBinding[];
}

export interface ModesContext extends ModesInput {
  /** The keys of a sequence that is not complete. */
  readonly pending: readonly string[];
  /** The digits before them; 0: none. */
  readonly count: number;
}

export type ModesEvent =
  /** `key`: a character, or a name such as `Esc`, `Ctrl-W`. */
  | {readonly type: 'key.pressed'; readonly key: string}
  /** A command, or the words of a search. */
  | {readonly type: 'line.entered'};

export type ModesEmitted =
  /** `count` is undefined without digits. */
  | {readonly type: 'key.meant'; readonly action: string; readonly count: number | undefined}
  /** The key belongs to the line. */
  | {readonly type: 'key.typed'; readonly key: string};

export const modesMachine = setup({
  types: {} as {
    context: ModesContext;
    events: ModesEvent;
    emitted: ModesEmitted;
    input: ModesInput;
  },
  actions: {
    keepKey: assign(({context, event}) => withKey(context, keyOf(event))),
    forgetKeys: assign({pending: [], count: 0}),
    passMeaning: emit(({context, event}, mode: Mode) => meaning(context, mode, keyOf(event))),
    passKey: emit(({event}) => ({type: 'key.typed', key: keyOf(event)}) as const),
  },
  guards: {
    begins: ({context, event}, mode: Mode) => isBeginning(context, mode, keyOf(event)),
    completes: ({context, event}, mode: Mode) =>
      bindingFor(context, mode, keyOf(event)) !== undefined,
    /** The keys mean this action, which changes the mode. */
    means: ({context, event}, action: string) => meansAction(context, action, keyOf(event)),
  },
}).createMachine({
  id: 'modes',
  context: ({input}) => ({...input, pending: [], count: 0}),
  initial: 'insert',
  states: {
    insert: {
      on: {
        'key.pressed': [
          {guard: {type: 'means', params: 'normal'}, target: 'normal'},
          {
            guard: {type: 'completes', params: 'insert'},
            actions: {type: 'passMeaning', params: 'insert'},
          },
          {actions: 'passKey'},
        ],
      },
    },
    normal: {
      exit: 'forgetKeys',
      on: {
        'key.pressed': [
          {guard: {type: 'begins', params: 'normal'}, actions: 'keepKey'},
          {guard: {type: 'means', params: 'insert'}, target: 'insert'},
          {guard: {type: 'means', params: 'visual'}, target: 'visual'},
          {guard: {type: 'means', params: 'command'}, target: 'command'},
          {guard: {type: 'means', params: 'search'}, target: 'search'},
          {
            guard: {type: 'completes', params: 'normal'},
            actions: [{type: 'passMeaning', params: 'normal'}, 'forgetKeys'],
          },
          {actions: 'forgetKeys'},
        ],
      },
    },
    visual: {
      exit: 'forgetKeys',
      on: {
        'key.pressed': [
          {guard: {type: 'begins', params: 'visual'}, actions: 'keepKey'},
          {guard: {type: 'means', params: 'normal'}, target: 'normal'},
          {guard: {type: 'means', params: 'visual'}, target: 'normal'},
          {
            guard: {type: 'means', params: 'copy'},
            target: 'normal',
            actions: {type: 'passMeaning', params: 'visual'},
          },
          {
            guard: {type: 'completes', params: 'visual'},
            actions: [{type: 'passMeaning', params: 'visual'}, 'forgetKeys'],
          },
          {actions: 'forgetKeys'},
        ],
      },
    },
    command: {
      on: {
        'key.pressed': [
          {guard: {type: 'means', params: 'normal'}, target: 'normal'},
          {actions: 'passKey'},
        ],
        'line.entered': 'normal',
      },
    },
    search: {
      on: {
        'key.pressed': [
          {guard: {type: 'means', params: 'normal'}, target: 'normal'},
          {actions: 'passKey'},
        ],
        'line.entered': 'normal',
      },
    },
  },
});

function keyOf(event: ModesEvent): string {
  return event.type === 'key.pressed' ? event.key : '';
}

/** A larger count has no use, and would make a key take long. */
const maxCount = 9_999;

function withKey({pending, count}: ModesContext, key: string): Partial<ModesContext> {
  if (!isDigit({pending, count}, key)) return {pending: [...pending, key]};
  return {count: Math.min(maxCount, count * 10 + Number(key))};
}

/** 0 is a digit only after another one. */
function isDigit({pending, count}: Pick<ModesContext, 'pending' | 'count'>, key: string): boolean {
  return pending.length === 0 && (count > 0 ? /^\d$/ : /^[1-9]$/).test(key);
}

type Keyed = Pick<ModesContext, 'bindings' | 'pending' | 'count'>;

function isBeginning(context: Keyed, mode: Mode, key: string): boolean {
  if (isDigit(context, key)) return true;
  const typed = [...context.pending, key];
  return context.bindings.some(
    ({keys, modes}) => modes.includes(mode) && keys.length > typed.length && isPrefix(typed, keys),
  );
}

function bindingFor({bindings, pending}: Keyed, mode: Mode, key: string): KeyBinding | undefined {
  const typed = [...pending, key];
  if (mode !== 'normal' && mode !== 'visual' && !isSilent(typed)) return undefined;
  return bindings.find(
    ({keys, modes}) =>
      modes.includes(mode) && keys.length === typed.length && isPrefix(typed, keys),
  );
}

function meansAction({bindings, pending}: Keyed, action: string, key: string): boolean {
  const typed = [...pending, key];
  return bindings.some(
    (each) =>
      each.action === action && each.keys.length === typed.length && isPrefix(typed, each.keys),
  );
}

function meaning(context: Keyed, mode: Mode, key: string): ModesEmitted {
  const {action = ''} = bindingFor(context, mode, key) ?? {};
  return {type: 'key.meant', action, count: context.count === 0 ? undefined : context.count};
}
