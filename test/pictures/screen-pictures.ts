/** The full screen of a conversation in a real terminal, with models that a script answers. */

import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {ballot, call, isBallot} from '../support/agent-models.ts';
import {createLauncher} from '../support/launch.ts';
import {type ReceivedRequest, type Said, startMockOpenAi} from '../support/mock-openai.ts';
import {startInTmux} from '../support/tmux.ts';

export const screenColumns = 108;
const rows = 30;

const plan = {
  objective: 'Make the failing test pass',
  reasoning: 'Without the slow test, all tests pass.',
  tasks: [
    {
      id: '1',
      description: 'Remove the slow test',
      tool: 'run_command',
      args: {command: 'rm -rf test/slow'},
    },
    {id: '2', description: 'Run the tests', tool: 'run_command', args: {command: 'npm test'}},
  ],
};

const answer = `The planner retries **three times**: \`maxRetries\` in \`src/retry.ts\`.

\`\`\`ts
const maxRetries = 3;
\`\`\`

- A rate limit waits as long as the provider says.
- A reply that is cut off is asked for once more.
`;

const reasons: Readonly<Record<string, string>> = {
  ada: 'Deleting the test hides the failure; fix the cause in src/retry.ts.',
  ben: 'rm -rf removes fixtures that other tests read.',
};

function reply({model, tools, ...received}: ReceivedRequest): Said {
  if (tools.includes('create_plan')) return call('create_plan', plan);
  if (!isBallot({model, tools, ...received})) return {text: answer};
  const reason = reasons[model];
  return reason === undefined
    ? ballot('approve', 'The steps are small.')
    : ballot('reject', reason);
}

export interface ScreenPicture {
  readonly name: string;
  /** With the codes of their colours. */
  readonly rows: readonly string[];
}

/** A gate with its votes in a pane, and the answer to a question in another tab. */
export async function takeScreens(): Promise<readonly ScreenPicture[]> {
  const launcher = createLauncher();
  const server = await startMockOpenAi(reply);
  const work = join(launcher.folder, 'shop');
  mkdirSync(join(work, 'src'), {recursive: true});
  writeFileSync(join(work, 'src/retry.ts'), 'export const maxRetries = 3;\n');
  mkdirSync(join(launcher.folder, 'config/quorate'), {recursive: true});
  writeFileSync(join(launcher.folder, 'config/quorate/config.toml'), configFor(server.baseUrl));
  const window = await startInTmux([], {
    folder: launcher.folder,
    cwd: work,
    env: {COLORTERM: '', FORCE_COLOR: '1'},
    columns: screenColumns,
    rows,
  });
  const {type, press, sees, coloured} = window;
  try {
    await sees(/^solo>$/m);
    type('How often does the planner retry?');
    press('Enter');
    await sees(/^\[1 ✓ /m);
    press('Escape');
    await sees('-- NORMAL --');
    type(':tabnew! agent');
    press('Enter');
    type('Make the failing test pass');
    press('Enter');
    await sees(/\[2 \? [^]*^solo 2>$/m);
    press('Escape');
    await sees('-- NORMAL --');
    type(':vsplit votes');
    press('Enter');
    await sees('── 2 votes ──');
    type('i');
    await sees(/^(?![^]*NORMAL)/);
    const gate = coloured();
    press('C-PageUp');
    await sees(/^\[1 ✓ /m);
    return [
      {name: 'screen-gate', rows: gate},
      {name: 'screen-answer', rows: coloured()},
    ];
  } finally {
    window.close();
    await server.close();
    launcher.remove();
  }
}

function configFor(baseUrl: string): string {
  return `[agent]
exploration_model = "lab/worker"
decision_model = "lab/worker"
review_models = ["lab/ada", "lab/ben", "lab/cleo"]
max_plan_revisions = 1
[ask]
model = "lab/worker"
[providers.lab]
base_url = "${baseUrl}"
`;
}
