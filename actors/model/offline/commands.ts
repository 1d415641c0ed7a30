/** The skill that runs a command and reports what it prints. */

import {firstReading, phrase, type Slots} from './phrase.ts';
import type {Job, Skill} from './skill.ts';

/** Programs whose name is no word of a sentence, so that they can be told from one without quotes. */
const programs =
  /^(?:npm|npx|pnpm|yarn|bun|node|deno|tsc|git|cargo|rustc|go|make|python3?|pytest|pip3?|uv|ruff|mypy|tox|ruby|rake|bundle|mvn|gradle|docker|ls|cat|wc|echo|grep|rg|find|head|tail|sort|pwd|date|which|env|rm|mv|cp|mkdir|touch|diff|du|df|sed|awk|tree|jq|curl|\.\/\S+)$/;

/** Words of a sentence: a command that holds one has to be quoted. */
const prose =
  /^(?:and|then|but|if|on|in|for|with|until|unless|to|so|please|again|twice|once|when|after|before|all|every|my|our|the|a|an|it|them|what|why|how)$/i;

/** Commands that may stand alone, without a verb: `make` and `find` begin sentences, too. */
const alone =
  /^(?:ls|pwd|npm (?:test|t|run|ci|install|ls|outdated|audit)|npx|pnpm|yarn|bun|node|git [a-z]|cargo [a-z]|pytest|python3? \S+\.py|tsc|go (?:test|build|vet|run|fmt)|make(?: (?:test|check|build|lint|clean|all))?$|\.\/)(?=\s|$|[a-z])/;

const verbs = '(run|execute|start|launch)';
const called = '[the] [shell] [command] [:]';
const reporting =
  '[and report|and report its output|and report the output|and report the result|and report what it prints|and report what it printed|and show the output|and show me the output|and show its output|and show me the result|and show the result|and print the output|and tell me the result|and tell me what it prints|and tell me the output]';
const quotedPhrases = [
  `${verbs} ${called} {command:quoted} ${reporting}`,
  '{command:quoted} (を実行して|を実行する|を走らせて) [結果を報告して|結果を見せて|結果を教えて]',
  '(コマンド) {command:quoted} (を実行して|を実行する|を走らせて)',
].map(phrase);
const barePhrases = [
  `${verbs} ${called} {command:words} ${reporting}`,
  '{command:words} (を実行して|を実行する|を走らせて) [結果を報告して|結果を見せて|結果を教えて]',
].map(phrase);
const lonePhrase = [phrase('{command:words}')];
const loneInBackticks = /^\s*`([^`\n]+)`[\s.]*$/;

export const commands: Skill = {
  skill: 'commands',
  understand: (request) => {
    const command =
      firstReading(quotedPhrases, request, quotedCommand) ??
      firstReading(barePhrases, request, bareCommand) ??
      firstReading(lonePhrase, request, loneCommand) ??
      loneInBackticks.exec(request)?.[1];
    return command === undefined ? undefined : runningOf(command);
  },
};

/** A command in words, `quotes` of its own included, that nobody can take for prose. */
function bareCommand({command = ''}: Slots): string | undefined {
  const [program = '', ...words] = command.trim().split(/\s+/);
  const isCommand = programs.test(program) && !words.some((word) => prose.test(word));
  return isCommand ? command.trim() : undefined;
}

function quotedCommand({command = ''}: Slots): string | undefined {
  return command.trim() === '' ? undefined : command;
}

function loneCommand(slots: Slots): string | undefined {
  const command = bareCommand(slots);
  return command !== undefined && alone.test(command) ? command : undefined;
}

function runningOf(command: string): Job {
  return {
    objective: `Run ${command} and report its output`,
    tasks: [
      {
        id: 'run',
        description: `Run ${command}`,
        tool: 'run_command',
        args: {command},
      },
    ],
  };
}
