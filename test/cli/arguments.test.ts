/** The command line as data. */

import {describe, expect, it} from 'vitest';

import {parseArguments} from '../../cli/arguments.ts';
import {helpText, helpTopics} from '../../cli/help.ts';
import {AppError} from '../../machines/domain/app-error.ts';

const plain = {output: 'text', quiet: false, verbose: false, overrides: []};

function refusal(...argv: string[]): string {
  try {
    parseArguments(argv);
  } catch (error) {
    if (error instanceof AppError && error.code === 'usage') return error.message;
    throw error;
  }
  throw new Error('the arguments were accepted');
}

function overrides(...argv: string[]): Record<string, unknown> {
  const command = parseArguments(argv);
  if (!('overrides' in command)) throw new Error('no command with overrides');
  return Object.fromEntries(command.overrides.map(({key, value}) => [key, value]));
}

describe('questions', () => {
  it.each([
    [['ask', 'how', 'deep?'], {task: 'how deep?', fromStdin: false}],
    [['ask', '-'], {fromStdin: true}],
    [['ask'], {fromStdin: false}],
    [['ask', '--', '--db', 'x'], {task: '--db x', fromStdin: false}],
  ])('%j is a run of the form ask', (argv, expected) => {
    expect(parseArguments(argv)).toEqual({kind: 'run', form: 'ask', ...plain, ...expected});
  });

  it('--db and --docs say what is asked, wherever they stand after the command', () => {
    expect(
      overrides('ask', '--docs', 'a/*.md', 'why?', '--db', 'x.db', '--docs', 'b/*.md'),
    ).toEqual({
      'database.path': 'x.db',
      'search.paths': ['a/*.md', 'b/*.md'],
    });
    expect(refusal('--db', 'x.db', 'a task')).toMatch(/--db; it belongs to quorate ask/);
    expect(refusal('ask', '  ')).toMatch(/question is empty/);
    expect(refusal('--hil', 'auto_approve', 'ask', 'why?')).toMatch(/--hil is for tasks/);
    expect(refusal('ask', '-5 // 2')).toMatch(/write: quorate ask -- "-5 \/\/ 2"/);
  });
});

describe('tasks', () => {
  it.each([
    [['fix the test'], {task: 'fix the test', fromStdin: false}],
    [['fix', 'the', 'test'], {task: 'fix the test', fromStdin: false}],
    [['show me the files'], {task: 'show me the files', fromStdin: false}],
    [['--', 'show', 'me'], {task: 'show me', fromStdin: false}],
    [['--', '-v'], {task: '-v', fromStdin: false}],
    [['constructor'], {task: 'constructor', fromStdin: false}],
    [['-'], {fromStdin: true}],
    [[], {fromStdin: false}],
  ])('%j is a run', (argv, expected) => {
    expect(parseArguments(argv)).toEqual({kind: 'run', form: 'agent', ...plain, ...expected});
  });

  it('refuses an empty task', () => {
    expect(refusal('  ')).toMatch(/the task is empty/);
  });
});

describe('commands', () => {
  it.each([
    [['resume'], {kind: 'resume'}],
    [['resume', 'abc'], {kind: 'resume', id: 'abc'}],
    [['resume', '--decision', 'approve'], {kind: 'resume', decision: {decision: 'approve'}}],
    [
      ['resume', 'x', '--decision', 'edit:a b.json'],
      {kind: 'resume', id: 'x', decision: {decision: 'edit', file: 'a b.json'}},
    ],
    [['cancel', 'abc'], {kind: 'cancel', id: 'abc'}],
    [['show', '--', '-abc'], {kind: 'show', id: '-abc'}],
    [['sessions'], {kind: 'sessions'}],
    [['config', '--trust'], {kind: 'config', trust: true}],
    [['config'], {kind: 'config', trust: false}],
    [['doctor', '--online'], {kind: 'doctor', online: true}],
    [['demo'], {kind: 'demo'}],
  ])('%j is understood', (argv, expected) => {
    expect(parseArguments(argv)).toEqual({...plain, ...expected});
  });

  it('takes global flags before and after a command', () => {
    const expected = {
      kind: 'sessions',
      output: 'json',
      cwd: '/x',
      quiet: true,
      verbose: false,
      overrides: [],
    };
    expect(parseArguments(['--output', 'json', '-C', '/x', '-q', 'sessions'])).toEqual(expected);
    expect(parseArguments(['sessions', '-q', '--output=json', '--cwd=/x'])).toEqual(expected);
  });

  it('shows help and version wherever they are asked for', () => {
    expect(parseArguments(['--version'])).toEqual({kind: 'version'});
    expect(parseArguments(['x', '-h'])).toEqual({kind: 'help'});
    expect(parseArguments(['resume', '--help'])).toEqual({kind: 'help', topic: 'resume'});
    expect(parseArguments(['help', 'rules'])).toEqual({kind: 'help', topic: 'rules'});
    expect(parseArguments(['--', '--help'])).toMatchObject({kind: 'run', task: '--help'});
  });
});

describe('flags for the configuration', () => {
  it('become overrides of its keys', () => {
    expect(
      overrides(
        ...'--scope fast --rule 66% --hil auto_reject --final-review'.split(' '),
        ...'--max-cost 2.5 --max-calls 30 do-it'.split(' '),
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
    ['90s', 90_000],
    ['10m', 600_000],
    ['1.5h', 5_400_000],
    ['250', 250],
    ['250ms', 250],
  ])('reads the time %s', (text, timeoutMs) => {
    expect(overrides('x', '--timeout', text)).toEqual({'limits.timeout_ms': timeoutMs});
  });

  it('gives a model without a role every role, the panel included', () => {
    expect(overrides('x', '-m', 'gpt-5.2')).toEqual({
      'agent.exploration_model': 'gpt-5.2',
      'agent.decision_model': 'gpt-5.2',
      'agent.review_models': ['gpt-5.2'],
      'discuss.participants': ['gpt-5.2'],
      'discuss.moderator': 'gpt-5.2',
      'ask.model': 'gpt-5.2',
    });
  });

  it('makes a panel of several reviewers, and lets a role win over no role in any order', () => {
    expect(overrides('x', '-m', 'review=a', '-m', 'base', '-m', 'review=b')).toMatchObject({
      'agent.review_models': ['a', 'b'],
      'agent.decision_model': 'base',
    });
    expect(overrides('x', '--model=decision=a')).toEqual({'agent.decision_model': 'a'});
  });
});

describe('slips are named, with the next step', () => {
  it.each([
    [['sesions'], /unknown command "sesions"; did you mean "sessions"\? .*quorate -- sesions/],
    [['--scop', 'fast', 'x'], /unknown option --scop; did you mean "--scope"\?/],
    [['--ensemble', 'x'], /unknown option --ensemble; see quorate --help/],
    [['--strategy', 'debate', 'x'], /unknown option --strategy; see/],
    [['x', '--trust'], /unknown option --trust; it belongs to quorate config/],
    [['x', '--rule'], /--rule needs a value/],
    [['x', '--rule', 'half'], /"half" is no quorum rule; write majority, unanimous, at_least:N/],
    [['x', '--rule', 'at_least:0'], /no quorum rule/],
    [['x', '--rule', '101%'], /no quorum rule/],
    [
      ['x', '--scope', 'ful'],
      /--scope takes full, fast, plan-only, not "ful"; did you mean "full"/,
    ],
    [['x', '--hil', 'yolo'], /--hil takes interactive, auto_reject, auto_approve, not "yolo"/],
    [['x', '--output', 'xml'], /--output takes text, json, jsonl, not "xml"/],
    [['x', '--timeout', 'soon'], /--timeout takes a time such as 90s/],
    [['x', '--timeout', '0'], /--timeout takes a time/],
    [['x', '--max-cost', '-1'], /--max-cost takes a number, not "-1"/],
    [['x', '--max-calls', 'NaN'], /--max-calls takes a number/],
    [['x', '--max-cost', '1e99'], /--max-cost takes a number/],
    [['x', '-m', 'reviw=a'], /no role "reviw" .*did you mean "review"/],
    [['x', '-m', 'review='], /names no model/],
    [['x', '-m', 'a', '-m', 'b'], /two models for every role \(a, b\)/],
    [['x', '-C', ''], /-C names no folder/],
    [['cancel'], /quorate cancel needs the ID of a run/],
    [['show', 'me', 'all'], /only the ID of a run.*write: quorate -- show me all/],
    [['demo', 'it'], /quorate demo takes no words/],
    [['resume', '--decision', 'aprove'], /not "aprove"; did you mean "approve"/],
    [['resume', '--decision', 'edit:'], /--decision takes approve, reject, edit:FILE/],
    [['help', 'ruls'], /no help on "ruls".*did you mean "rules"/],
  ])('%j', (argv, message) => {
    expect(refusal(...argv)).toMatch(message);
  });
});

describe('the help', () => {
  it('names every option and command that is understood, on lines that fit', () => {
    const text = helpText() ?? '';
    const options = [
      '--model',
      '--scope',
      '--rule',
      '--hil',
      '--final-review',
      '--cwd',
      '--max-cost',
    ];
    const others = ['--max-calls', '--timeout', '--output', '--quiet', '--verbose', '--version'];
    for (const option of [...options, ...others]) expect(text).toContain(option);
    for (const topic of ['resume', 'cancel', 'sessions', 'show', 'config', 'doctor', 'demo']) {
      expect(text).toContain(`\n  ${topic}`);
      expect(helpTopics).toContain(topic);
    }
    expect(text).not.toContain('--ensemble');
    for (const topic of [undefined, ...helpTopics]) {
      const longest = (helpText(topic) ?? '').split('\n').map((line) => line.length);
      expect(Math.max(...longest)).toBeLessThanOrEqual(125);
    }
  });

  it('has no text for a topic that does not exist', () => {
    expect(helpText('constructor')).toBeUndefined();
  });
});
