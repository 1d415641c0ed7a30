/** The lines of a conversation as they are parsed, and the row above its prompt. */

import {expect, test} from 'vitest';

import {advance} from '../../../cli/render/view/fold.ts';
import {emptyView} from '../../../cli/render/view/run-view.ts';
import type {ChatCommand} from '../../../cli/talk/command.ts';
import {commandTable, parseLine} from '../../../cli/talk/parse.ts';
import type {Root} from '../../../cli/talk/roots.ts';
import {chatStatus} from '../../../cli/talk/screen/prompt.ts';
import type {ContextMode} from '../../../machines/domain/interaction-form.ts';
import {messageText} from '../../../machines/message.ts';

function set(name: string, ...pairs: readonly (readonly [key: string, value: string])[]) {
  const overrides = pairs.map(([key, value]) => ({key, value, source: name}));
  return {kind: 'set', name, overrides} as const;
}

const say = (text: string) => ({kind: 'say', text}) as const;

function begin(
  form: 'agent' | 'ask' | 'discuss' | 'interview',
  request: string,
  mode?: ContextMode,
) {
  return {kind: 'begin', form, request, ...(mode && {contextMode: mode})} as const;
}

function setting(name: string, key: string, ...choices: readonly string[]) {
  return {kind: 'setting', name, key, choices} as const;
}

const understood: Readonly<Record<string, readonly ChatCommand[]>> = {
  '': [],
  '   ': [],
  'Fix the broken test': [say('Fix the broken test')],
  壊れたテストを直して: [say('壊れたテストを直して')],
  '/etc/hosts is wrong': [say('/etc/hosts is wrong')],
  ':q': [{kind: 'quit'}],
  ':ask what does it do?': [begin('ask', 'what does it do?')],
  ':scope plan-only': [set('/scope plan-only', ['agent.phase_scope', 'plan-only'])],
  ':) a happy task': [say(':) a happy task')],
  '//tmp is full': [say('/tmp is full')],
  'help me with /etc': [say('help me with /etc')],
  '/ask what does it do?': [begin('ask', 'what does it do?')],
  '/ASK what?': [begin('ask', 'what?')],
  '/ask is /cancel a command?': [begin('ask', 'is /cancel a command?')],
  '/ask --fresh what is 2 + 2?': [begin('ask', 'what is 2 + 2?', 'fresh')],
  '/discuss --full\nis it right?\nreally?': [begin('discuss', 'is it right?\nreally?', 'full')],
  '/agent --projected mend it': [begin('agent', 'mend it', 'projected')],
  '/replace do less': [{kind: 'replace', request: 'do less'}],
  '/ens': [set('/ens', ['agent.consensus_level', 'ensemble'])],
  '/solo': [set('/solo', ['agent.consensus_level', 'solo'], ['agent.strategy', 'quorum'])],
  '/fast': [set('/fast', ['agent.phase_scope', 'fast'])],
  '/scope plan-only': [set('/scope plan-only', ['agent.phase_scope', 'plan-only'])],
  '/strategy debate': [
    set('/strategy debate', ['agent.strategy', 'debate'], ['discuss.strategy', 'debate']),
  ],
  '/rule 75%': [set('/rule 75%', ['quorum.rule', '75%'])],
  '/rule': [
    setting('/rule', 'quorum.rule', 'majority, unanimous, at_least:N or N% (N from 1 to 100)'),
  ],
  '/scope': [setting('/scope', 'agent.phase_scope', 'full', 'fast', 'plan-only')],
  '/hil auto_reject': [set('/hil auto_reject', ['agent.hil_mode', 'auto_reject'])],
  '/model decision=gpt-5.2': [set('/model decision=gpt-5.2', ['agent.decision_model', 'gpt-5.2'])],
  '/model': [{kind: 'models'}],
  '/ens   /scope plan-only   /rule 75%': [
    set('/ens', ['agent.consensus_level', 'ensemble']),
    set('/scope plan-only', ['agent.phase_scope', 'plan-only']),
    set('/rule 75%', ['quorum.rule', '75%']),
  ],
  '/tree /focus 3 /cancel 3.1': [
    {kind: 'tree'},
    {kind: 'focus', place: '3'},
    {kind: 'cancel', place: '3.1'},
  ],
  '/focus none': [{kind: 'focus', place: 'none'}],
  '/approve': [{kind: 'decide', decision: 'approve', rest: ''}],
  '/approve 2': [{kind: 'decide', decision: 'approve', rest: '2'}],
  '/reject 2 see /etc/hosts': [{kind: 'decide', decision: 'reject', rest: '2 see /etc/hosts'}],
  '/interview job.toml': [begin('interview', 'job.toml')],
  '/answer seven years': [{kind: 'answer', text: 'seven years'}],
  '/answer 2.1 seven\nyears': [{kind: 'answer', place: '2.1', text: 'seven\nyears'}],
  '/answer 7': [{kind: 'answer', text: '7'}],
  '/answer': [{kind: 'answer', text: ''}],
  '/pause': [{kind: 'answer', text: '/pause'}],
  '/pause 2': [{kind: 'answer', place: '2', text: '/pause'}],
  '/skip': [{kind: 'answer', text: '/skip'}],
  '/why 2.1': [{kind: 'answer', place: '2.1', text: '/why'}],
  '/restart': [{kind: 'answer', text: '/restart'}],
  '/back': [{kind: 'answer', text: '/back'}],
  '/back Full name': [{kind: 'back', name: 'Full name'}],
  '/review': [{kind: 'review', name: ''}],
  '/submit': [{kind: 'submit'}],
  '/show': [{kind: 'show'}],
  '/show 3.1.2': [{kind: 'show', place: '3.1.2'}],
  '/sessions retry limit': [{kind: 'sessions', what: 'retry limit'}],
  '/resume k3j': [{kind: 'resume', what: 'k3j'}],
  '/help ask': [{kind: 'help', what: 'ask'}],
  '/quit': [{kind: 'quit'}],
  '/exit': [{kind: 'quit'}],
};

test.each(Object.entries(understood))('%j is understood', (line, commands) => {
  expect(parseLine(line)).toEqual({ok: true, commands});
});

const refused: Readonly<Record<string, string>> = {
  '/': 'there is no /; /help lists the commands',
  '/aks what?': 'there is no /aks; did you mean /ask? /help lists the commands',
  '/council is it right?': 'there is no /council; did you mean /discuss? /help lists the commands',
  '/resmue': 'there is no /resmue; did you mean /resume? /help lists the commands',
  '/ens /rul 75%': 'there is no /rul; did you mean /rule? /help lists the commands',
  quit: 'did you mean /quit? For a task, type a little more',
  Help: 'did you mean /help? For a task, type a little more',
  '/ask': '/ask needs a question after it',
  '/agent --fresh': '/agent needs a task after it',
  '/ask --frehs what?':
    '/ask takes --fresh, --projected, --full, not --frehs; did you mean "--fresh"?',
  '/interview': '/interview needs a form after it',
  '/pause now': '/pause takes the number of an interview, not "now"',
  '/replace': '/replace needs the new request after it; /cancel only cancels',
  '/ens now': '/ens takes nothing after it',
  '/scope plan': '/scope takes full, fast, plan-only, not "plan"; did you mean "plan-only"?',
  '/strategy war': '/strategy takes quorum, debate, not "war"',
  '/rule 101%':
    '"101%" is not a quorum rule; /rule takes majority, unanimous, at_least:N or N% (N from 1 to 100)',
  '/hil auto':
    '/hil takes interactive, auto_reject, auto_approve, not "auto"; did you mean "auto_reject"?',
  '/model desicion=a':
    '/model: there is no role "desicion" among exploration, decision, review, ask, participants, moderator, interview, interview-reviewer; did you mean "decision"?',
  '/model decision=a,b':
    '/model decision=a,b: only the roles review and participants take several models',
  '/model a b': '/model takes one ROLE=NAME; several models: review=a,b',
  '/focus three': '/focus takes a number such as 3 or 3.1, not "three"; /tree shows them',
  '/cancel 3.': '/cancel takes a number such as 3 or 3.1, not "3."; /tree shows them',
  '/tree 3': '/tree takes nothing after it',
};

test.each(Object.entries(refused))('%j is refused', (line, problem) => {
  const reading = parseLine(line);
  expect(reading.ok ? reading : messageText(reading.problem)).toBe(problem);
});

test('the name of a command is an answer like any other during a question', () => {
  const said = {ok: true, commands: [say('Done')]};
  expect(parseLine('Done', true)).toEqual(said);
  expect(parseLine('/tree', true)).toEqual({ok: true, commands: [{kind: 'tree'}]});
});

test('every documented command can be parsed', () => {
  const names =
    'agent ask discuss interview replace solo ens fast scope strategy rule model hil'.split(' ');
  const others =
    'approve always reject edit revise retry done fail answer skip why back review submit pause restart rate init show diff undo fork rewind tree focus cancel config cost'.split(
      ' ',
    );
  const last = 'sessions resume new export help quit exit q'.split(' ');
  expect(Object.keys(commandTable)).toEqual([...names, ...others, ...last]);
});

const usage = {modelCalls: 12, inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0.25};

const view = advance(emptyView, {
  type: 'usage',
  model: 'mock/worker',
  spent: usage,
  totals: usage,
  seq: 1,
  at: 0,
  interaction: 'r1',
  actor: '',
});

const root: Root = {
  number: 1,
  id: 'r1',
  session: 'r1',
  form: 'agent',
  request: 'Say hello',
  view,
  startedAt: 0,
  isOpen: true,
};

function status(width: number): string {
  const waiting = [{place: '2'}];
  const working = [root, root];
  return chatStatus({working, waiting, focused: {root}, width, now: 87_000}) ?? '';
}

test('parts that do not fit are omitted completely, before the part that waits for a person', () => {
  const whole =
    '1 · starting · 12 model calls · $0.25 · 1 min 27 s · 2 waits for you · 1 other running';
  expect(status(whole.length + 1)).toBe(whole);
  const parts = new Set(whole.split(' · '));
  const rows = Array.from(whole, (_, width) => status(width + 1)).slice(9);
  expect(rows.filter((row, at) => row.length > at + 10 - 1)).toEqual([]);
  expect(rows.flatMap((row) => row.split(' · ')).filter((part) => !parts.has(part))).toEqual([]);
  const roomy = rows.slice('1 · 2 waits for you'.length - 9);
  expect(roomy.filter((row) => !row.includes('2 waits for you'))).toEqual([]);
});
