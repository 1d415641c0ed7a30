import {describe, expect, test} from 'vitest';
import {and, assign, createMachine, fromPromise, not, setup} from 'xstate';

import {toMermaid} from '../../diagrams/mermaid.ts';

const vote = setup({
  actors: {callModel: fromPromise(async () => 1)},
  delays: {grace: 100},
  guards: {isReady: () => true, isLate: () => false},
  actions: {record: () => undefined, report: () => undefined},
}).createMachine({
  id: 'vote',
  initial: 'asking',
  on: {'user.cancel': '.ended', 'note.added': {actions: 'record'}},
  states: {
    asking: {
      tags: 'waits',
      entry: ['report', assign({})],
      invoke: {
        id: 'call',
        src: 'callModel',
        onDone: {target: 'counting', guard: 'isReady', actions: 'record'},
        onError: 'ended',
      },
      after: {500: 'counting', grace: 'ended'},
      on: {
        'ballot.cast': {actions: {type: 'record'}},
        'ballot.late': {},
        'panel.closed': {target: 'counting', guard: and(['isReady', not('isLate')])},
      },
    },
    counting: {
      initial: 'adding',
      onDone: 'ended',
      states: {
        adding: {always: [{target: 'added', guard: () => true}, {target: 'back'}]},
        added: {type: 'final'},
        back: {type: 'history'},
      },
      on: {'count.restart': '.adding'},
    },
    ended: {type: 'final'},
  },
});

describe('a machine as text', () => {
  test('shows states, tags, events, guards, delays and invoked children by their names', () => {
    expect(toMermaid(vote)).toBe(`---
title: "vote"
---
stateDiagram-v2
  state "any state" as any_of_machine
  any_of_machine : on note.added
  state "asking" as asking
  asking : ‹waits›
  asking : entry / report
  asking : ⚙ callModel as call
  asking : on ballot.cast
  asking : ignores ballot.late
  state "counting" as counting {
    state "any state" as any_of_counting
    state "adding" as counting_adding
    state "added" as counting_added
    state "back (history)" as counting_back
    [*] --> counting_adding
    any_of_counting --> counting_adding : count.restart
    counting_adding --> counting_added : […]
    counting_adding --> counting_back : else
  }
  state "ended" as ended
  [*] --> asking
  any_of_machine --> ended : user.cancel
  asking --> counting : panel.closed [isReady and not isLate] or done [isReady] or after 500ms
  asking --> ended : after grace or failed
  counting --> ended : done
  classDef ended stroke-width:3px
  class counting_added,ended ended
`);
  });

  test('hides the actions that XState adds for delays', () => {
    expect(toMermaid(vote)).not.toContain('xstate.');
  });

  test('is the same text each time', () => {
    expect(toMermaid(vote)).toBe(toMermaid(vote));
  });
});

describe('a machine at a glance', () => {
  const stop = {done: {type: 'final'}, lost: {type: 'final'}} as const;
  const chart = setup({
    actors: {ask: fromPromise(async () => 1)},
    guards: {isGood: () => true},
    actions: {notify: () => undefined, count: () => undefined},
  }).createMachine({
    id: 'glance',
    initial: 'first',
    states: {
      first: {
        entry: ['notify', 'count'],
        invoke: {
          id: 'ask',
          src: 'ask',
          onDone: [{target: 'second', guard: 'isGood'}, {target: 'lost'}],
          onError: 'lost',
        },
      },
      second: {entry: 'notify', always: [{target: 'third', guard: 'isGood'}, {target: 'first'}]},
      third: {entry: 'notify', on: {'work.ended': 'done'}},
      ...stop,
    },
  });

  test('omits the name of an only event, and the entry actions of most states', () => {
    const drawing = toMermaid(chart);
    expect(drawing).toContain('first --> second : [isGood]\n');
    expect(drawing).toContain('first --> lost : else or failed\n');
    expect(drawing).toContain('second --> first : else\n');
    expect(drawing).toContain('first : entry / count\n');
    expect(drawing).not.toContain('notify');
  });
});

describe('a parallel state', () => {
  const regions = {
    lights: {initial: 'off', states: {off: {on: {'light.switch': 'on'}}, on: {}}},
    sound: {initial: 'off', states: {off: {}}, on: {'sound.stop': '#stop'}},
  };

  test('separates its regions, and draws transitions out of them at the outermost level', () => {
    const machine = createMachine({
      id: 'room',
      initial: 'open',
      states: {open: {type: 'parallel', states: regions}, closed: {id: 'stop', type: 'final'}},
    });
    expect(toMermaid(machine)).toBe(`---
title: "room"
---
stateDiagram-v2
  state "open" as open {
    state "lights" as open_lights {
      state "off" as open_lights_off
      state "on" as open_lights_on
      [*] --> open_lights_off
      open_lights_off --> open_lights_on : light.switch
    }
    --
    state "sound" as open_sound {
      state "off" as open_sound_off
      [*] --> open_sound_off
    }
  }
  state "closed" as closed
  [*] --> open
  open_sound --> closed : sound.stop
  classDef ended stroke-width:3px
  class closed ended
`);
  });

  test('may be the machine itself, with events that apply in any of its states', () => {
    const machine = createMachine({
      id: 'room',
      type: 'parallel',
      on: {'room.reset': '.lights.off'},
      states: {lights: regions.lights},
    });
    expect(toMermaid(machine)).toBe(`---
title: "room"
---
stateDiagram-v2
  state "room" as machine {
    state "any state" as any_of_machine
    --
    state "lights" as lights {
      state "off" as lights_off
      state "on" as lights_on
      [*] --> lights_off
      lights_off --> lights_on : light.switch
    }
  }
  any_of_machine --> lights_off : room.reset
`);
  });
});

describe('names with special characters of Mermaid', () => {
  test('get plain ids, unique even when two names collapse into one', () => {
    const drawing = toMermaid(
      createMachine({initial: 'a-b', states: {'a-b': {on: {'x.y': 'a_b'}}, a_b: {}, end: {}}}),
    );
    expect(drawing).toContain('state "a-b" as a_b\n');
    expect(drawing).toContain('state "a_b" as a_b_2\n');
    expect(drawing).toContain('state "end" as end_2\n');
    expect(drawing).toContain('a_b --> a_b_2 : x.y\n');
  });

  test('are written as entities in labels', () => {
    const drawing = toMermaid(
      createMachine({initial: 'a', states: {a: {on: {'x:y;z#"%%<br>\n{': 'q"'}}, 'q"': {}}}),
    );
    expect(drawing).toContain(': x#58;y#59;z#35;#34;#37;#37;#60;br#62; #123;\n');
    expect(drawing).toContain('state "q#34;" as q_');
  });
});

test('a choice is a diamond, and its actions are on the transitions to it', () => {
  const machine = setup({
    guards: {isReady: () => true},
    actions: {count: () => undefined},
  }).createMachine({
    id: 'choosing',
    initial: 'waiting',
    states: {
      waiting: {on: {'answer.given': 'weighed'}},
      weighed: {
        tags: 'choice',
        entry: 'count',
        always: [{guard: 'isReady', target: 'ended'}, {target: 'waiting'}],
      },
      ended: {type: 'final'},
    },
  });
  expect(toMermaid(machine)).toContain(`
  state "waiting" as waiting
  state weighed <<choice>>
  state "ended" as ended
  [*] --> waiting
  waiting --> weighed : answer.given / count
  weighed --> ended : [isReady]
  weighed --> waiting : else
`);
});
