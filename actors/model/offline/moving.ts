/** The skill that deletes, moves or renames a file, by a command that is voted on. */

import {firstReading, phrase} from './phrase.ts';
import {done, notDone, partlyDone, refusal, type Skill, type Work, workedOut} from './skill.ts';
import {exists, lookFor} from './write-whole.ts';

const file = '[the] [file] {path:file}';
const target = '[the] [file] [name] {to:file}';

const deletions = [
  `(delete|remove|erase) ${file}`,
  '{path:file} (を削除して|を削除する|を消して|を消す)',
].map(phrase);
const moves = [
  `(rename|move) ${file} (to|into|as) ${target}`,
  '{path:file} (を|の名前を) {to:file} (に|へ) (変更して|変更する|リネームして|移動して|移動する|変えて|名前を変えて)',
].map(phrase);

export const moving: Skill = {
  skill: 'moving',
  understand: (request) => {
    const pair = firstReading(moves, request, ({path, to}) =>
      path && to && path !== to ? {path, to} : undefined,
    );
    if (pair) return moveJob(pair.path, pair.to);
    const path = firstReading(deletions, request, (slots) => slots['path']);
    return path === undefined ? undefined : deleteJob(path);
  },
};

function deleteJob(path: string) {
  return workedOut(
    {
      id: 'delete',
      description: `Look for ${path} and delete it with rm`,
      tool: 'run_command',
      expected_outcome: `${path} is there no more`,
    },
    {
      objective: `Delete ${path}`,
      reasoning: 'The request names one file. Whether it is there is looked up before and after.',
      work: () => deletion(path),
    },
  );
}

function moveJob(path: string, to: string) {
  return workedOut(
    {
      id: 'move',
      description: `Look for ${path} and for ${to}, and move the one to the other with mv, replacing nothing`,
      tool: 'run_command',
      expected_outcome: `${to} is there, and ${path} no more`,
    },
    {
      objective: `Move ${path} to ${to}`,
      reasoning: 'The request names both. Whether they are there is looked up before and after.',
      work: () => move(path, to),
    },
  );
}

function* deletion(path: string): Work {
  const [there] = yield [lookFor(path)];
  if (!exists(path, there)) return notDone(`there is no file ${path}.`);
  const [answer] = yield [{tool: 'run_command', args: {command: `rm -- ${word(path)}`}}];
  if (!answer || answer.isError) return refusal(`${path} was not deleted`, answer);
  const [after] = yield [lookAgain(path)];
  return exists(path, after) ? notDone(`${path} is still there.`) : done(`Deleted ${path}.`);
}

function* move(path: string, to: string): Work {
  const [there, taken] = yield [lookFor(path), lookFor(to)];
  if (!exists(path, there)) return notDone(`there is no file ${path}.`);
  if (exists(to, taken)) return notDone(`${to} exists already, and was not replaced.`);
  const folder = to.includes('/')
    ? `mkdir -p -- ${word(to.slice(0, to.lastIndexOf('/')))} && `
    : '';
  const command = `${folder}mv -n -- ${word(path)} ${word(to)}`;
  const [answer] = yield [{tool: 'run_command', args: {command}}];
  if (!answer || answer.isError) return refusal(`${path} was not moved`, answer);
  const [gone, come] = yield [lookAgain(path), lookAgain(to)];
  if (exists(path, gone) || !exists(to, come))
    return partlyDone(`${command} left ${path} where it was.`);
  return done(`Moved ${path} to ${to}. Files that name it were not changed.`);
}

/** The same look spelt out, so that it counts as a new one. */
function lookAgain(path: string) {
  const {tool, args} = lookFor(path);
  return {tool, args: {...args, max_results: 1}};
}

/** One word of a shell. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
