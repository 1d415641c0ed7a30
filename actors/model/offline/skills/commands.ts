/** The skill that runs a command and reports its output. */

import {proseWords} from '../phrase.ts';
import {type Job, skillOf} from './skill.ts';

/** Names of programs that are recognized without quotes, because they rarely begin a sentence. */
const programs =
  /^(?:npm|npx|pnpm|yarn|bun|node|deno|tsc|git|cargo|rustc|go|make|python3?|pytest|pip3?|uv|ruff|mypy|tox|ruby|rake|bundle|mvn|gradle|docker|ls|cat|wc|echo|grep|rg|find|head|tail|sort|pwd|date|which|env|rm|mv|cp|mkdir|touch|diff|du|df|sed|awk|tree|jq|curl|\.\/\S+)$/;

/** Commands that are recognized without a verb. `make` and `find` alone are not, because they also begin sentences. */
const alone =
  /^(?:ls|pwd|npm (?:test|t|run|ci|install|ls|outdated|audit)|npx|pnpm|yarn|bun|node|git [a-z]|cargo [a-z]|pytest|python3? \S+\.py|tsc|go (?:test|build|vet|run|fmt)|make(?: (?:test|check|build|lint|clean|all))?$|\.\/)(?=\s|$|[a-z])/;

const prose = new RegExp(`^(?:${proseWords})$`, 'i');

export const commands = skillOf(
  {
    quoted: ({command = ''}) => runningOf(command),
    bare: ({command = ''}) => (isCommand(command) ? runningOf(command) : undefined),
    alone: ({command = ''}) =>
      alone.test(command) && isCommand(command) ? runningOf(command) : undefined,
    backticks: ({command = ''}, request) =>
      /^\s*`[^`\n]+`[\s.]*$/.test(request) ? runningOf(command) : undefined,
  },
  `
quoted
<run> {command:quoted} <report>
[コマンド] {command:quoted} (を実行して|を実行する|を走らせて) [結果を報告して|結果を見せて|結果を教えて]

bare
<run> {command:words} <report>
{command:words} (を実行して|を実行する|を走らせて) [結果を報告して|結果を見せて|結果を教えて]

alone
{command:words}

backticks
{command:quoted}
`,
  {
    run: ['(run|execute|start|launch) [the] [shell] [command] [:]'],
    report: [
      '[and report|and report its output|and report the output|and report the result|and report what it prints|and report what it printed|and show the output|and show me the output|and show its output|and show me the result|and show the result|and print the output|and tell me the result|and tell me what it prints|and tell me the output]',
    ],
  },
);

/** True if the first word is a known program and none of the others is a word of prose. */
function isCommand(command: string): boolean {
  const [program = '', ...words] = command.trim().split(/\s+/);
  return programs.test(program) && !words.some((word) => prose.test(word));
}

function runningOf(text: string): Job | undefined {
  const command = text.trim();
  return command === ''
    ? undefined
    : {
        objective: `Run ${command} and report its output`,
        task: {id: 'run', description: `Run ${command}`, tool: 'run_command', args: {command}},
      };
}
