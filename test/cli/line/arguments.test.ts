/** The parsed command line. */

import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';

import {describe, expect, it} from 'vitest';

import {helpText, helpTopics} from '../../../cli/help/text.ts';
import {parseArguments, type Line} from '../../../cli/line/arguments.ts';
import {readDecisionFlag} from '../../../cli/line/decision-flag.ts';
import {toDecision} from '../../../cli/line/decision.ts';
import {readRequest} from '../../../cli/line/request.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {setFolder} from '../folders.ts';
import {rowsOf, wordsOf} from '../texts.ts';

/** A folder without runs. */
const nowhere = {QUORATE_HOME: '/nowhere/quorate'};
const plain = {output: 'text', quiet: false, verbose: false, overrides: []};

async function lineOf(...argv: string[]): Promise<Line> {
  const wanted = await parseArguments(argv, nowhere);
  if (wanted.kind !== 'command') throw new Error(`this is ${wanted.kind}`);
  return wanted;
}

/** Runs the command when the arguments are accepted; a command refuses before it does anything. */
async function refusal(...argv: string[]): Promise<string> {
  const stdin = Object.assign(new PassThrough(), {isTTY: true});
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  try {
    const {command, parsed} = await lineOf(...argv);
    await command.run(parsed, {stdin, stdout, stderr, env: {}});
  } catch (error) {
    if (error instanceof AppError && error.code === 'usage') return error.message;
    throw error;
  }
  throw new Error('the arguments were accepted');
}

async function overrides(...argv: string[]): Promise<Record<string, unknown>> {
  const {parsed} = await lineOf(...argv);
  return Object.fromEntries(parsed.overrides.map(({key, value}) => [key, value]));
}

/** The request of a line, and its command. */
async function requestOf(argv: readonly string[]): Promise<{name: string; request: string}> {
  const {name, parsed} = await lineOf(...argv);
  const stdin = new PassThrough();
  stdin.end('from standard input');
  const {request} = await readRequest('agent', parsed.operands, stdin, () => {});
  return {name, request};
}

describe('questions', () => {
  it.each([
    [['ask', 'how', 'deep?'], 'how deep?'],
    [['ask', '-'], 'from standard input'],
    [['ask'], 'from standard input'],
    [['ask', '--', '--db', 'x'], '--db x'],
    [['ask', 'sessions'], 'sessions'],
  ])('%j is a question', async (argv, request) => {
    expect(await requestOf(argv)).toEqual({name: 'ask', request});
  });

  it.each([
    [['discuss', 'tabs', 'or', 'spaces?'], 'tabs or spaces?'],
    [['-q', 'discuss', '-'], 'from standard input'],
  ])('%j is a discussion', async (argv, request) => {
    expect(await requestOf(argv)).toEqual({name: 'discuss', request});
  });

  it('-m sets the participants and the moderator', async () => {
    expect(await overrides('discuss', 'x', '-m', 'participants=a,b', '-m', 'moderator=c')).toEqual({
      'discuss.participants': ['a', 'b'],
      'discuss.moderator': 'c',
    });
  });

  it('--db and --docs set the sources, anywhere after the command', async () => {
    expect(
      await overrides('ask', '--docs', 'a/*.md', 'why?', '--db', 'x.db', '--docs', 'b/*.md'),
    ).toEqual({'database.path': 'x.db', 'search.paths': ['a/*.md', 'b/*.md']});
    expect(await refusal('--db', 'x.db', 'a task')).toMatch(/--db; it belongs to quorate ask/);
    expect(await refusal('ask', '  ')).toMatch(/question is empty/);
    expect(await refusal('ask', '-5 // 2')).toMatch(/write: quorate ask -- "-5 \/\/ 2"/);
  });
});

describe('tasks', () => {
  it.each([
    [['fix the test'], 'fix the test'],
    [['fix', 'the', 'test'], 'fix the test'],
    [['show me the files'], 'show me the files'],
    [['--', 'show', 'me'], 'show me'],
    [['--', '-v'], '-v'],
    [['--', 'constructor'], 'constructor'],
    [['--', 'Deploy'], 'Deploy'],
    [['--', 'verify', 'k3v9x2m1q8z0'], 'verify k3v9x2m1q8z0'],
    [['examine', 'me'], 'examine me'],
    [['テストを直して'], 'テストを直して'],
    [['説明して', 'a.ts'], '説明して a.ts'],
    [['fix', 'the test', 'a.ts'], 'fix the test a.ts'],
    [['verify k3v9x2m1q8z0'], 'verify k3v9x2m1q8z0'],
    [['explain', 'architecture'], 'explain architecture'],
    [['count', '1000'], 'count 1000'],
    [['help', 'me', 'find', 'the', 'bug'], 'help me find the bug'],
    [['diff', 'the', 'two', 'files', 'and', 'explain'], 'diff the two files and explain'],
    [['diff', 'a.ts', 'b.ts', 'and explain', '-q'], 'diff a.ts b.ts and explain'],
    [['erase', 'the comments'], 'erase the comments'],
    [['--', 'diff', 'a', 'b'], 'diff a b'],
    [['update', 'the', 'README'], 'update the README'],
    [['review the code'], 'review the code'],
    [['--', 'review', 'the code'], 'review the code'],
    [['-q', 'sesions', 'and', 'more'], 'sesions and more'],
    [['-'], 'from standard input'],
    [[], 'from standard input'],
  ])('%j is a task', async (argv, request) => {
    expect(await requestOf(argv)).toEqual({name: '', request});
  });

  it('refuses an empty task', async () => {
    expect(await refusal('  ')).toMatch(/the task is empty/);
  });
});

describe('commands', () => {
  it.each([
    [['resume'], 'resume', [], {}],
    [['resume', 'abc'], 'resume', ['abc'], {}],
    [
      ['resume', 'x', '--decision', 'edit:a b.json'],
      'resume',
      ['x'],
      {decision: ['edit:a b.json']},
    ],
    [['resume', '--decision=done', 'x'], 'resume', ['x'], {decision: ['done']}],
    [['cancel', 'abc'], 'cancel', ['abc'], {}],
    [['show', '--', '-abc'], 'show', ['-abc'], {}],
    [['runs'], 'runs', [], {}],
    [['sessions', '--all'], 'runs', [], {all: ['']}],
    [['config', '--trust'], 'config', [], {trust: ['']}],
    [['config'], 'config', [], {}],
    [['doctor', '--online'], 'doctor', [], {online: ['']}],
    [['doctor', 'tools', '--start'], 'doctor', ['tools'], {start: ['']}],
    [['demo'], 'demo', [], {}],
  ])('%j is understood', async (argv, name, operands, flags) => {
    const line = await lineOf(...argv);
    expect(line.name).toBe(name);
    expect(line.parsed).toEqual({...plain, operands, flags});
  });

  it.each([
    [['approve'], {decision: 'approve'}],
    [['approve:0123abcd'], {decision: 'approve', digest: '0123abcd'}],
    [['edit:a b.json'], {decision: 'edit', file: 'a b.json'}],
    [['reject'], {decision: 'reject'}],
    [['reject:no: a backup first'], {decision: 'reject', reason: 'no: a backup first'}],
    [['reject', 'too much'], {decision: 'reject', reason: 'too much'}],
    [['done', undefined, '0123abcd'], {decision: 'done', digest: '0123abcd'}],
    [
      ['approve:0123abcd', ' tried it '],
      {decision: 'approve', digest: '0123abcd', reason: 'tried it'},
    ],
    [['edit:a.json', 'safer so'], {decision: 'edit', file: 'a.json', reason: 'safer so'}],
    [['reject:no', undefined, '0123abcd'], {decision: 'reject', reason: 'no', digest: '0123abcd'}],
    [
      ['edit:a.json', undefined, '0123abcd'],
      {decision: 'edit', file: 'a.json', digest: '0123abcd'},
    ],
  ])('the decision %j is %j', ([text = '', reason, gate], decision) => {
    expect(readDecisionFlag(text, reason, gate)).toEqual(decision);
  });

  it('--continue after chat is an option of chat', async () => {
    const {name, parsed} = await lineOf('--continue', 'chat', '--scope', 'fast');
    expect({name, flags: parsed.flags}).toEqual({name: 'chat', flags: {continue: ['']}});
    expect(parsed.overrides).toMatchObject([{key: 'agent.phase_scope', value: 'fast'}]);
  });

  it('--continue is resume without an ID', async () => {
    const {name, parsed} = await lineOf('-q', '--continue', '--output', 'json');
    expect({name, parsed}).toEqual({
      name: 'resume',
      parsed: {...plain, output: 'json', quiet: true, operands: [], flags: {}},
    });
    expect(await refusal('--continue', 'fix', 'it')).toMatch(/takes no words, not "fix it"/);
  });

  it('accepts global flags before and after a command, and the last of two applies', async () => {
    const expected = {...plain, output: 'json', cwd: '/x', quiet: true, operands: [], flags: {}};
    const before = await lineOf('--output', 'json', '-C', '/x', '-q', 'sessions');
    const after = await lineOf('--output', 'jsonl', 'sessions', '-q', '--output=json', '--cwd=/x');
    expect([before.parsed, after.parsed]).toEqual([expected, expected]);
  });

  it('shows help and version anywhere in the line', async () => {
    expect(await parseArguments(['--version'], nowhere)).toEqual({kind: 'version'});
    expect(await parseArguments(['x', '-h'], nowhere)).toEqual({kind: 'help'});
    expect(await parseArguments(['resume', '--help'], nowhere)).toEqual({
      kind: 'help',
      topic: 'resume',
    });
    expect((await lineOf('help', 'rules')).parsed.operands).toEqual(['rules']);
    expect(await parseArguments(['sessions', '-h'], nowhere)).toEqual({
      kind: 'help',
      topic: 'runs',
    });
    expect(await requestOf(['--', '--help'])).toEqual({name: '', request: '--help'});
  });
});

describe('a plan in a file', () => {
  const folder = setFolder();
  const plan = {objective: 'o', reasoning: 'r', tasks: [{id: '1', description: 'd'}]};
  const edited = (text?: string) => {
    const file = join(folder(), 'plan.json');
    if (text !== undefined) writeFileSync(file, text);
    return toDecision({decision: 'edit', file}, {tools: [], plan: undefined});
  };

  it('is parsed as strictly as a plan of a model', () => {
    expect(edited(JSON.stringify(plan))).toMatchObject({
      decision: 'edit',
      plan: {objective: 'o', tasks: [{id: '1', context_mode: 'full'}]},
    });
  });

  it.each([
    ['{', 'is not JSON'],
    [JSON.stringify({...plan, extra: 1}), 'extra'],
    [JSON.stringify({...plan, tasks: []}), 'tasks'],
    [JSON.stringify({...plan, tasks: [{...plan.tasks[0], tool: 'rm'}]}), 'names the tool rm'],
    [' '.repeat(2_000_000), 'larger than'],
    [undefined, 'there is no such file'],
  ])('is refused when it is invalid or missing (%#)', (text, said) => {
    expect(() => edited(text)).toThrow(said);
  });

  it('is not a folder', () => {
    const decision = {decision: 'edit', file: folder()} as const;
    expect(() => toDecision(decision, {tools: [], plan: undefined})).toThrow('not a regular file');
  });
});

describe('flags for the configuration', () => {
  it('become overrides of its keys', async () => {
    expect(
      await overrides(
        ...'--scope fast --rule 66% --hil auto_reject --final-review'.split(' '),
        ...'--max-cost 2.5 --max-calls 30 do it'.split(' '),
      ),
    ).toEqual({
      'agent.phase_scope': 'fast',
      'quorum.rule': '66%',
      'agent.hil_mode': 'auto_reject',
      'agent.require_final_review': true,
      'limits.max_cost_usd': 2.5,
      'limits.max_model_calls': 30,
    });
  });

  it.each([
    [['--plan-only', 'do it'], {'agent.phase_scope': 'plan-only'}],
    [['--scope', 'plan-only', 'do it'], {'agent.phase_scope': 'plan-only'}],
    [
      ['--ensemble', '--debate', 'do it'],
      {'agent.consensus_level': 'ensemble', 'agent.strategy': 'debate'},
    ],
    [['--strategy', 'debate', 'do it'], {'agent.strategy': 'debate'}],
    [
      ['resume', 'x', '--ensemble', '--strategy', 'debate'],
      {'agent.consensus_level': 'ensemble', 'agent.strategy': 'debate'},
    ],
    [['discuss', '--debate', 'x'], {'discuss.strategy': 'debate'}],
    [['--debate', 'discuss', 'x'], {'discuss.strategy': 'debate'}],
    [['discuss', '--strategy', 'debate', 'x'], {'discuss.strategy': 'debate'}],
  ])('%j sets %j', async (argv, keys) => {
    expect(await overrides(...argv)).toEqual(keys);
  });

  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['1.5h', 5_400_000],
    ['250', 250],
    ['250ms', 250],
  ])('reads the time %s', async (text, timeoutMs) => {
    expect(await overrides('do it', '--timeout', text)).toEqual({'limits.timeout_ms': timeoutMs});
  });

  it('a model without a role is used for every role, including the panel', async () => {
    expect(await overrides('do it', '-m', 'gpt-5.2')).toEqual({
      'agent.exploration_model': 'gpt-5.2',
      'agent.decision_model': 'gpt-5.2',
      'agent.review_models': ['gpt-5.2'],
      'ask.model': 'gpt-5.2',
      'discuss.participants': ['gpt-5.2'],
      'discuss.moderator': 'gpt-5.2',
      'interview.model': 'gpt-5.2',
      'interview.reviewer': 'gpt-5.2',
    });
  });

  it('several reviewers form a panel, and a model with a role takes precedence in any order', async () => {
    expect(
      await overrides('do it', '-m', 'review=a', '-m', 'base', '-m', 'review=b'),
    ).toMatchObject({'agent.review_models': ['a', 'b'], 'agent.decision_model': 'base'});
    expect(await overrides('do it', '--model=decision=a')).toEqual({'agent.decision_model': 'a'});
    expect(await overrides('do it', '-m', 'review=a,b')).toEqual({
      'agent.review_models': ['a', 'b'],
    });
  });
});

/** Refused with the next step; a hint instead of a run. */
const refused = rowsOf(String.raw`
sesions ⇒ unknown command "sesions"; did you mean "sessions"\? Or, if .*quorate -- sesions
--scop fast x ⇒ unknown option --scop; did you mean "--scope"\?
ask --ensemble x ⇒ ask takes no --ensemble|--ensemble
ask --strategy debate x ⇒ ask takes no --strategy, which is for: a task
--strategy war x ⇒ --strategy takes quorum, debate, not "war"
resume --scope fast ⇒ resume takes no --scope
x --forget ⇒ unknown option --forget; it belongs to quorate config
x --rule ⇒ --rule needs a value
x --rule half ⇒ "half" is not a quorum rule; write majority, unanimous, at_least:N
x --rule at_least:0 ⇒ is not a quorum rule
x --rule 101% ⇒ is not a quorum rule
x --scope ful ⇒ --scope takes full, fast, plan-only, not "ful"; did you mean "full"
x --hil yolo ⇒ --hil takes interactive, auto_reject, auto_approve, not "yolo"
x --output xml ⇒ --output takes text, json, jsonl, not "xml"
x --timeout soon ⇒ --timeout takes a time such as 90s
x --timeout 0 ⇒ --timeout takes a time
x --max-cost -1 ⇒ --max-cost takes a number, not "-1"
x --max-calls NaN ⇒ --max-calls takes a number
x --max-cost 1e99 ⇒ --max-cost takes a number
x -m reviw=a ⇒ no role "reviw" .*did you mean "review"
x -m review= ⇒ names no model
x -m review=a, ⇒ names no model
x -m decision=a,b ⇒ only the roles review and participants take several
x -m participants=a ⇒ calls no model in the role participants
discuss x -m review=a ⇒ its roles are participants, moderator
x -m ask=a ⇒ no model in the role ask; .* exploration, decision, review
ask x -m review=a ⇒ no model in the role review; its roles are ask
x -m a -m b ⇒ two models for every role \(a, b\)
x -C "" ⇒ -C names no folder
cancel ⇒ quorate cancel needs the ID of a run
show me all ⇒ only the ID of a run.*write: quorate -- show me all
demo it ⇒ quorate demo takes no words
doctor tool ⇒ no words but tools, not "tool"; did you mean "tools"
doctor --start ⇒ --start goes with quorate doctor tools only
doctor tools --online ⇒ --online goes with quorate doctor only
doctor tools -m gpt-5.2 ⇒ -m gpt-5\.2 goes with quorate doctor only
resume --decision aprove ⇒ not "aprove"; did you mean "approve"
resume --decision edit: ⇒ --decision takes approve, always, reject, edit:FILE
resume x --decision approve:abc
  ⇒ --decision approve: expects the sha256 that the run shows \(8 digits or more\)
resume x --decision reject: ⇒ the reason is empty
resume x --decision reject:a --reason b ⇒ reason is given twice
resume x --decision done --reason b ⇒ goes with approve, always, reject, revise and edit:FILE
resume x --decision approve --reason " " ⇒ the reason is empty
resume x --reason b ⇒ --reason goes with --decision
resume x --gate 0123abcd ⇒ --gate goes with --decision
resume x --decision approve:0123abcd --gate 0123abcd ⇒ sha256 is given twice
resume x --decision reject --gate 7
  ⇒ --gate expects the sha256 that the run shows \(8 digits or more\), not "7"
resume --decision approve:0123abcd ⇒ needs the ID.*--decision approve$
sessions --limit 0 ⇒ --limit takes a number from 1
help ruls ⇒ no help on "ruls".*did you mean "rules"
show x --rule unanimous ⇒ quorate show takes no --rule, which is for: a task
--max-cost 5 sessions ⇒ quorate runs takes no --max-cost
sessions --log x ⇒ quorate runs takes no --log
cancel x -m gpt-5 ⇒ quorate cancel takes no --model
export x --output json ⇒ quorate export takes no --output
help --scope fast ⇒ quorate help takes no --scope
demo --hil auto_reject ⇒ quorate demo takes no --hil
resume --scope fast ⇒ quorate resume takes no --scope
--hil auto_approve ask why? ⇒ quorate ask takes no --hil
review the code ⇒ write: quorate -- review the code$
-q reindex ⇒ unknown command "reindex"; .*write: quorate -- reindex$
Publish
  ⇒ ^unknown command "Publish"; see quorate --help; if it is a task, write: quorate -- Publish$
constructor ⇒ ^unknown command "constructor"
check-backups ⇒ ^unknown command "check-backups"
enqueue k3v9x2m1q8z0 ⇒ ^unknown command "enqueue".*write: quorate -- enqueue k3v9x2m1q8z0$
shwo k3v9x2 ⇒ did you mean "show"
shwo abcdefghijkl ⇒ did you mean "show"
shwo k3v9x2m1q8z0.2.1 -v --output json ⇒ did you mean "show"
cat notes.txt ⇒ ^unknown command "cat".*write: quorate -- cat notes\.txt$
purge ./old src/a ⇒ ^unknown command "purge"
run2 plan.json ⇒ ^unknown command "run2"
help me ⇒ no help on "me"
help rewind ⇒ ^quorate rewind was removed: use quorate fork ID
help ruls gate ⇒ quorate help takes only a topic
login ⇒ ^unknown command "login"; see quorate --help
mutants x.ts ⇒ ^quorate mutants was removed: quorate paths --vitest
run-plan plan.json ⇒ ^quorate run-plan was removed: use quorate --plan FILE
mutants --list ⇒ ^quorate mutants was removed
tools ⇒ ^quorate tools was removed: use quorate doctor tools;
-q tools github --trust ⇒ ^quorate tools was removed
diff a b
  ⇒ ^quorate diff was removed: use quorate show ID --from POINT .*; if it is a task, write: quorate -- diff a b$
diff k3v9x2m1q8z0 plan.1 -q ⇒ ^quorate diff was removed
council how many tabs? ⇒ ^quorate council was removed: use quorate discuss;
council "tabs or spaces?" -q ⇒ ^quorate council was removed
erase src/a.ts ⇒ ^quorate erase was removed: use quorate prune ID
enqueue ⇒ ^unknown command "enqueue"
statz ⇒ did you mean "stats"
--format json x ⇒ unknown option --format; it belongs to quorate diagram
-c ⇒ unknown option -c; see quorate --help
--contin ⇒ did you mean "--continue"
`);

it.each(refused)('%s is refused', async (line = '', message = '') => {
  expect(await refusal(...wordsOf(line))).toMatch(new RegExp(message));
});

it.each([
  ['explain', 'utf8'],
  ['explain', 'base64', 'sha256'],
])('words with digits are a request if no run has such an ID: %j', async (...argv) => {
  expect((await lineOf(...argv)).parsed.operands).toEqual(argv);
});

describe('the help', () => {
  it('names every option and command, on lines that fit', async () => {
    const text = await helpText('all');
    const options = [
      '--model',
      '--plan-only',
      '--rule',
      '--hil',
      '--final-review',
      '--cwd',
      '--max-cost',
    ];
    const others = ['--max-calls', '--timeout', '--output', '--quiet', '--verbose', '--version'];
    const topics = await helpTopics();
    for (const option of [...options, ...others, '--continue']) expect(text).toContain(option);
    for (const topic of ['resume', 'cancel', 'runs', 'show', 'config', 'doctor', 'demo']) {
      expect(text).toContain(`\n  ${topic}`);
      expect(topics).toContain(topic);
    }
  });

  it('of a command shows its operands, its own options and examples', async () => {
    const text = await helpText('ask');
    expect(text).toMatch(
      /^Usage: quorate ask \[--db FILE\] \[--docs GLOB\] \[--no-folder\] \[options\] QUESTION…\n/,
    );
    expect(text).toMatch(/\n +--db FILE +a SQLite file/);
    expect(text).toContain('\n  quorate ask --db sales.sqlite');
    expect(text).toContain(
      'Also: -m -C --max-cost --max-calls --timeout --output --log --detach --journal --lang -q -v --plain;',
    );
  });

  it('is the general one for an unknown topic', async () => {
    expect(await helpText('constructor')).toBe(await helpText());
  });
});
