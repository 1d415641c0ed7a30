/** Plans and decisions: shown with all their parts, over files in their current state, from a file, and on record. */

import {existsSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import type {RunResult, Waiting} from '../../machines/domain/result.ts';
import {
  act,
  ballot,
  call,
  isBallot,
  isPlanBallot,
  roundOf,
  writePlan,
} from '../support/agent-models.ts';
import {type Launched, eventsOf} from '../support/launch.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {idIn, setStage} from './stage.ts';

function resultIn({stdout}: Launched): RunResult {
  const result: RunResult = JSON.parse(stdout);
  return result;
}

/** Two tasks that do not depend on each other. */
const leftAndRight = {
  objective: 'Both',
  reasoning: 'r',
  tasks: ['left', 'right'].map((id) => ({
    id,
    description: `Write ${id}`,
    tool: 'write_file',
    args: {path: `${id}.txt`, content: `${id}\n`},
  })),
};

describe('a decision', () => {
  const {at, launch, serve, workspace} = setStage({graceMs: 100});

  test('a protected write that a worker proposes is shown with its diff wherever it is decided', async () => {
    const args = {
      path: '.github/workflows/ci.yml',
      content: 'on: push\njobs: {}\n',
      create_dirs: true,
    };
    await serve((received) => {
      if (isBallot(received)) return ballot('approve');
      if (received.tools.includes('create_plan')) {
        const tasks = [{id: 'w', description: 'Set up the checks'}];
        return call('create_plan', {objective: 'Checks', reasoning: 'r', tasks});
      }
      const mayWrite = received.tools.includes('write_file') && received.turn === 0;
      return mayWrite ? call('write_file', args) : act(received);
    });
    const waiting = await launch('Set up the checks in .github/workflows/ci.yml');
    expect(waiting.code).toBe(4);
    const shown = await launch('show', idIn(waiting));
    for (const text of [waiting.stderr, shown.stdout + shown.stderr]) {
      for (const part of ['+on: push', '+jobs: {}', 'Deciding on sha256 ', `in ${workspace()}`]) {
        expect(text).toContain(part);
      }
    }
    const json = JSON.parse((await launch('show', idIn(waiting), '--output', 'json')).stdout);
    expect(json).toMatchObject({
      state: 'waiting',
      waiting: {
        question: {kind: 'protected'},
        workspace: workspace(),
        diff: '--- /dev/null\n+++ b/.github/workflows/ci.yml\n@@ -0,0 +1,2 @@\n+on: push\n+jobs: {}',
        votes: [{approved: true}],
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });

  test('after a replan the plan to decide on is shown, and can be edited as shown', async () => {
    const first = {
      objective: 'First plan',
      reasoning: 'r',
      tasks: [
        {id: 'good', description: 'g', tool: 'run_command', args: {command: 'true'}},
        {id: 'bad', description: 'b', tool: 'run_command', args: {command: 'exit 3'}},
      ],
    };
    const args = {path: 'note.txt', content: 'x\n'};
    const task = {id: 'next', description: 'n', tool: 'write_file', args, depends_on: ['good']};
    const second = {objective: 'Second plan', reasoning: 'r', tasks: [task]};
    let plans = 0;
    await serve((received) => {
      if (isPlanBallot(received) && received.text.includes('Second plan'))
        return ballot('reject', 'no');
      if (isBallot(received)) return ballot('approve');
      if (!received.tools.includes('create_plan')) return act(received);
      plans += 1;
      return call('create_plan', plans === 1 ? first : second);
    });
    const waiting = await launch('Do both, and write note.txt');
    const shown = await launch('show', idIn(waiting));
    for (const text of [waiting.stderr, shown.stdout]) {
      expect(text).toContain('Plan Objective: Second plan');
      expect(text).toContain('write_file {"path":"note.txt","content":"x\\n"} · after good');
    }
    const file = at('plan.json');
    const edited = {...args, content: 'edited\n'};
    writeFileSync(file, JSON.stringify({...second, tasks: [{...task, args: edited}]}));
    const done = await launch('resume', idIn(waiting), '--decision', `edit:${file}`);
    expect(done.stderr).toMatch(/plan, revision \d: Second plan \(by person\)/);
    expect(done.stderr).toContain(
      'write_file {"path":"note.txt","content":"edited\\n"} · after good',
    );
    expect(existsSync(join(workspace(), 'note.txt'))).toBe(true);
    expect(readFileSync(join(workspace(), 'note.txt'), 'utf8')).toBe('edited\n');
  });

  test('with several questions, the named one is answered, and none without a name', async () => {
    await serve((received) => {
      if (isBallot(received)) return ballot(isPlanBallot(received) ? 'approve' : 'abstain');
      if (!received.tools.includes('create_plan')) return act(received);
      return call('create_plan', leftAndRight);
    });
    const first = await launch('Write both');
    const id = idIn(first);
    const {waiting} = JSON.parse((await launch('show', id, '--output', 'json')).stdout);
    const asked: readonly Waiting[] = [waiting, ...waiting.others];
    const digests = asked.map(({digest}) => digest.slice(0, 8));
    const [one = '', other = ''] = digests;
    const [oneFile = '', planOfFile = ''] = asked.map(({diff = ''}) =>
      join(workspace(), diff.includes('left') ? 'left.txt' : 'right.txt'),
    );
    expect([oneFile, planOfFile].toSorted()).toEqual(
      ['left.txt', 'right.txt'].map((name) => join(workspace(), name)),
    );
    const shown = await launch('show', id);
    for (const digest of digests) {
      for (const text of [first.stderr, shown.stderr]) {
        expect(text).toContain(`resume ${id} --decision approve:${digest} `);
        expect(text).toContain(`resume ${id} --decision reject --gate ${digest} `);
      }
    }

    const blind = await launch('resume', id, '--decision', 'reject');
    expect(blind.code).toBe(2);
    expect(blind.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `run ${id} asks 2 questions; add --gate DIGEST for the one that the decision answers: ` +
        `${one} (action: Too few reviewers voted on this action.), ${other} (action: `,
    );
    const strange = await launch('resume', id, '--decision', 'approve:00000000');
    expect(strange.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `is for sha256 00000000, but run ${id} waits for one on ${one} (action: `,
    );
    const approved = await launch('resume', id, '--decision', `approve:${other}`);
    expect(approved.code).toBe(4);
    expect([existsSync(oneFile), existsSync(planOfFile)]).toEqual([false, true]);
    const rejected = await launch('resume', id, '--decision', 'reject:not that', '--gate', one);
    expect(rejected.stdout).toContain('not that');
    expect(existsSync(oneFile)).toBe(false);
  });

  test('a decision against the panel is shown with its reason, and an invalid edit has no effect', async () => {
    await serve((received) => {
      if (isPlanBallot(received)) return ballot('reject', 'not good enough');
      return isBallot(received) ? ballot('approve') : act(received);
    });
    const id = idIn(await launch('Write a note'));
    const file = at('plan.json');
    const tasks = [{...writePlan.tasks[0], args: {path: 'note.txt'}}];
    writeFileSync(file, JSON.stringify({...writePlan, tasks}));
    const edited = await launch('resume', id, '--decision', `edit:${file}`, '--reason', 'shorter');
    expect(edited.code).toBe(4);
    expect(edited.stderr).toContain("the decision took no effect: the edited plan can't run: ");
    const shown = (await launch('show', id)).stdout.replaceAll(/\s+/g, ' ');
    expect(shown).toContain(
      'person edited plan "Write a note": shorter (no effect: the edited plan can\'t run: task write',
    );
    expect(shown).not.toContain('against the panel');
    const done = await launch('resume', id, '--decision', 'approve', '--reason', 'I checked it');
    const first =
      'completed: A person allowed the plan "Write a note", which the panel rejected.\n';
    expect(done.stdout.startsWith(first)).toBe(true);
    expect(done.stdout).toMatch(
      /\n {2}person approved plan "Write a note" against the panel: I checked it · \d{4}-\d\d-\d\d \d\d:\d\d · sha256 [0-9a-f]{8}\n/,
    );
    expect((await launch('show', id)).stdout).toContain(first);
    const {decisions} = resultIn(await launch('resume', id, '--output', 'json'));
    expect(decisions?.filter(({by}) => by === 'person')).toMatchObject([
      {decision: 'edit', reason: 'shorter', refused: expect.stringContaining("can't run")},
      {decision: 'approve', reason: 'I checked it'},
    ]);
  });

  test('a person who asks for another plan or another action has it made, voted on and run', async () => {
    const heard: string[] = [];
    await serve((received) => {
      const isAnew = /only the second line/.test(received.text);
      if (received.tools.includes('create_plan')) {
        heard.push(received.text);
        const task = {id: isAnew ? 'b' : 'a', description: 'Write the note'};
        const {objective, reasoning} = writePlan;
        return call('create_plan', {objective, reasoning, tasks: [task]});
      }
      if (isPlanBallot(received)) return ballot(isAnew ? 'approve' : 'reject', 'too long');
      if (isBallot(received))
        return ballot(/two\n|two\\n/.test(received.text) ? 'approve' : 'abstain');
      if (!received.tools.includes('write_file')) return act(received);
      if (received.turn > 1) return {text: 'Done.'};
      const content = /make it two/.test(received.text) ? 'two\n' : 'one\n';
      return call('write_file', {path: 'note.txt', content});
    });
    const id = idIn(await launch('Write a note'));
    const silent = await launch('resume', id, '--decision', 'revise');
    expect(silent.code).toBe(2);
    expect(silent.stderr).toContain('--decision revise needs words');
    const planned = await launch('resume', id, '--decision', 'revise:only the second line');
    expect(planned.stderr).toMatch(
      /decided by person: revise\n {2}received: only the second line\n/,
    );
    expect(heard.at(-1)).toMatch(/# Said meanwhile[^]*only the second line/);
    expect(planned.stderr).toContain('plan "Write a note", round 2: APPROVED');
    expect(planned.code).toBe(4);
    const done = await launch('resume', id, '--decision', 'revise', '--reason', 'make it two');
    expect(readFileSync(join(workspace(), 'note.txt'), 'utf8')).toBe('two\n');
    expect(done.code).toBe(0);
    const shown = (await launch('show', id)).stdout.replaceAll(/\s+/g, ' ');
    expect(shown).toMatch(/person asked for another version of.*asked for another action instead/);
  });

  test('ballots of concurrent votes are listed with their proposal', async () => {
    let begun = 0;
    await serve((received) => {
      if (received.tools.includes('create_plan')) {
        return call('create_plan', leftAndRight);
      }
      if (!isBallot(received)) return act(received);
      if (!isPlanBallot(received)) begun += 1;
      const isLeft =
        received.text.includes('write_file left.txt') || received.text.includes('"left.txt"');
      return isPlanBallot(received) || isLeft ? ballot('approve') : ballot('reject', 'not right');
    });
    const {stderr} = await launch('Write both');
    expect(begun).toBeGreaterThan(3);
    expect(stderr).toContain('action "write_file left.txt", round 1: APPROVED');
    expect(stderr).toContain('action "write_file right.txt", round 1: REJECTED');
    expect(stderr).toMatch(/REJECTED .*\n +└─ .*not right/);
  });
});

const readme = 'one\ntwo\nthree\n';

const firstPlan = {
  objective: 'Shorten README.md',
  reasoning: 'It is long.',
  parameters: {target: 'PROD', force: true},
  tasks: [
    {
      id: 'write',
      description: 'Write README.md',
      tool: 'write_file',
      args: {path: 'README.md', content: 'one\nnew\n'},
      context_mode: 'projected',
      context_brief: 'be short',
    },
  ],
};

/** The text in one line, without quotation marks. */
function inOneLine(each: string): string {
  return each.replaceAll(/^> /gm, '').replaceAll(/\s+/g, ' ');
}

function write(id: string, path: string, content: string, dependsOn: readonly string[] = []) {
  const args = {path, content, create_dirs: true};
  return {id, description: `Write ${path}`, tool: 'write_file', args, depends_on: dependsOn};
}

function planOf(...tasks: readonly object[]): object {
  return {objective: 'Shorten README.md', reasoning: 'It is long.', tasks};
}

describe('a plan over files', () => {
  /** The plan of the model. */
  let plan: object;

  const {launch, put, workspace} = setStage({
    models: (received) => {
      if (received.tools.includes('create_plan')) return call('create_plan', plan);
      if (isPlanBallot(received)) votes.plans.push(received.text);
      else if (isBallot(received)) votes.actions += 1;
      return isBallot(received) ? ballot('reject', 'it loses text') : act(received);
    },
    graceMs: 100,
    agent: 'max_plan_revisions = 1',
    prepare: () => {
      plan = firstPlan;
      votes = {actions: 0, plans: []};
      put('README.md', readme);
    },
  });

  /** Ballots on actions, and the prompts of ballots on plans. */
  let votes: {actions: number; plans: string[]};

  /** Waits at the gate of the plan. */
  async function waiting(): Promise<Launched & {readonly id: string; readonly digest: string}> {
    const launched = await launch('Rewrite README.md');
    const [, id = '', digest = ''] =
      /quorate resume (\S+) --decision approve:(\w+)/.exec(launched.stderr) ?? [];
    return {...launched, id, digest};
  }

  test('parameters, context modes and the diff of a write are shown wherever a plan is judged', async () => {
    const asked = await waiting();
    expect(asked.code).toBe(4);
    const shown = await launch('show', asked.id);
    for (const place of [asked.stderr, shown.stdout]) {
      for (const part of [
        'target: PROD',
        'force: true',
        'context: projected',
        '-two -three +new',
      ]) {
        expect(inOneLine(place)).toContain(part);
      }
    }
    expect(votes.plans).not.toEqual([]);
    for (const prompt of votes.plans) {
      expect(inOneLine(prompt)).toContain('"target": "PROD"');
      expect(inOneLine(prompt)).toContain('-two -three +new');
    }
    const json = JSON.parse((await launch('show', asked.id, '--output', 'json')).stdout);
    expect(json).toMatchObject({
      waiting: {
        plan: {parameters: firstPlan.parameters, tasks: [{context_mode: 'projected'}]},
        diff: expect.stringContaining('-two\n-three\n+new'),
      },
    });
  });

  test('a plan over a changed file needs another decision than the same plan before', async () => {
    const first = await waiting();
    put('README.md', `${readme}four\n`);
    const second = await waiting();
    expect(second.digest).not.toBe(first.digest);
  });

  const readmePath = () => join(workspace(), 'README.md');

  test.each(['README.md', './README.md'])(
    'an approved plan that writes a file twice, the second time as %s, covers both writes',
    async (path) => {
      plan = planOf(write('a', 'README.md', 'A\n'), write('b', path, 'B\n', ['a']));
      const {id, digest, stderr} = await waiting();
      expect(stderr).toContain('task a also writes README.md');
      const done = await launch('resume', id, '--decision', `approve:${digest}`);
      expect(done.code).toBe(0);
      expect(votes.actions).toBe(0);
      expect(readFileSync(readmePath(), 'utf8')).toBe('B\n');
    },
  );

  test('neither write of a file is covered if the file has changed since', async () => {
    plan = planOf(write('a', 'README.md', 'A\n'), write('b', 'README.md', 'B\n'));
    const {id, digest} = await waiting();
    put('README.md', 'precious\n');
    const done = await launch('resume', id, '--decision', `approve:${digest}`);
    expect(done.code).not.toBe(0);
    expect(votes.actions).toBeGreaterThan(1);
    expect(readFileSync(readmePath(), 'utf8')).toBe('precious\n');
  });

  test('a write that could not be previewed is not covered later', async () => {
    symlinkSync('README.md', join(workspace(), 'link.md'));
    plan = planOf(write('a', 'link.md', 'A\n'));
    const {id, digest, stderr} = await waiting();
    expect(stderr).toContain('no diff: link.md is a link');
    rmSync(join(workspace(), 'link.md'));
    put('link.md', 'precious\n');
    const done = await launch('resume', id, '--decision', `approve:${digest}`);
    expect(done.code).not.toBe(0);
    expect(readFileSync(join(workspace(), 'link.md'), 'utf8')).toBe('precious\n');
  });
});

const planOfFile = {
  ...writePlan,
  tasks: [{...writePlan.tasks[0], args: {path: 'note.txt', content: 'from the file\n'}}],
};

describe('a plan from a file', () => {
  const {at, launch, launcher, server} = setStage({
    models: answer,
    prepare: () => {
      isFirstPlanGood = true;
    },
  });

  let isFirstPlanGood: boolean;

  function answer(received: ReceivedRequest): Said {
    if (isPlanBallot(received) && roundOf(received) === 1 && !isFirstPlanGood) {
      return ballot('reject', 'say hello');
    }
    return isBallot(received) ? ballot('approve') : act(received);
  }

  function save(name: string, value: unknown): string {
    const file = at(name);
    writeFileSync(file, JSON.stringify(value));
    return file;
  }

  /** The number of calls of a planner. */
  const drafts = (): number =>
    server.received.filter(({tools}) => tools.includes('create_plan')).length;

  const note = (): string => at('work/note.txt');

  test('the reviewed plan of a run can be run later, from its result or as a plan', async () => {
    const {stdout} = await launch('--scope', 'plan-only', '--output', 'json', 'Write a note');
    const result: unknown = JSON.parse(stdout);
    for (const value of [result, Object(result)['plan']]) {
      rmSync(note(), {force: true});
      expect(existsSync(note())).toBe(false);
      const {code, stdout: events} = await launch(
        '--plan',
        save('p.json', value),
        '--output',
        'jsonl',
      );
      expect(code).toBe(0);
      expect(eventsOf(events).find(({type}) => type === 'plan.created')).toMatchObject({
        by: 'person',
      });
      expect(eventsOf(events).at(-1)).toMatchObject({
        status: 'completed',
        plan: Object(result)['plan'],
        reviews: [{kind: 'plan', approved: true}, {kind: 'action'}],
      });
    }
    expect(drafts()).toBe(1);
    expect(readFileSync(note(), 'utf8')).toBe('hello\n');
  });

  test('a plan from a file that the panel rejects is revised, not run', async () => {
    isFirstPlanGood = false;
    const {code} = await launch('--plan', save('other.json', planOfFile));
    expect(code).toBe(0);
    const planner = server.received.find(({tools}) => tools.includes('create_plan'));
    expect(planner?.text).toMatch(/# Previous plan\n[\s\S]*from the file[\s\S]*say hello/);
    expect(readFileSync(note(), 'utf8')).toBe('hello\n');
  });

  test('an invalid plan is refused before anything begins', async () => {
    const {code, stderr} = await launch('--plan', save('bad.json', {tasks: []}));
    expect(code).toBe(2);
    expect(stderr).toMatch(/the plan is not valid: .*objective/);
    expect(server.received).toEqual([]);
  });

  test('a plan is not run beside a task', async () => {
    const {code, stderr} = await launch('--plan', save('other.json', planOfFile), 'Write a note');
    expect(code).toBe(2);
    expect(stderr).toMatch(/write it without a task/);
    expect(server.received).toEqual([]);
  });

  test("invalid arguments end the run: no model repairs a person's text", async () => {
    const tasks = [{id: 'a', description: 'b', tool: 'write_file', args: {path: 7}}];
    const {code, stdout} = await launch('--plan', save('args.json', {...writePlan, tasks}));
    expect(code).toBe(1);
    expect(stdout).toMatch(/path/);
    expect(drafts()).toBe(0);
  });

  test('without a model a vetoed plan waits for a person unchanged', async () => {
    rmSync(at('config'), {recursive: true});
    const tasks = [{id: 'a', description: 'b', tool: 'run_command', args: {command: 'rm -rf /'}}];
    const file = save('rm.json', {...writePlan, tasks});
    const args = ['-C', 'work', '--plan', file, '--output', 'json'];
    const {code, stdout} = await launcher.run(args);
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'waiting',
      waiting: {
        question: {
          kind: 'plan',
          plan: {tasks},
          reason: expect.stringMatching(/^The planner proposed a plan that was rejected before\./),
        },
      },
      reviews: [{verdict: 'rejected'}],
    });
    expect(stdout).not.toContain('does not understand');
  });
});
