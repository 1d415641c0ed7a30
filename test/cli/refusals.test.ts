/** Lines that can not run, of every command: exit 2 and one message in the language of the screen; nothing is written. */

import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {beforeAll, expect, test} from 'vitest';

import {type Ran, runLine} from '../support/command-line.ts';
import {setFolder} from './folders.ts';
import {rowsOf, wordsOf} from './rows.ts';

const folder = setFolder(true);
const japanese = /[ぁ-んァ-ン一-龠]/;

beforeAll(() => writeFileSync(join(folder(), 'notes.md'), '# Notes\n'));

async function refused(line: string, ...more: readonly string[]): Promise<Ran> {
  const env = {HOME: folder(), QUORATE_HOME: join(folder(), 'data'), XDG_CONFIG_HOME: folder()};
  return await runLine(['-C', folder(), ...more, ...wordsOf(line)], env);
}

/** The line, its message, and a part of it in Japanese. */
const usage = rowsOf(String.raw`
stats --limit 0 ⇒ --limit takes a number from 1, not "0"
stats --since yesterday ⇒ --since takes an age such as 24h, 7d or 2w, or a day such as
stats --since 2026-02-30 ⇒ --since takes an age
stats --output csv ⇒ --output takes text, json, jsonl, not "csv"
verify ⇒ quorate verify needs
verify nothing ⇒ there is no run nothing
verify ./nothing.jsonl ⇒ nothing.jsonl can't be read: ENOENT
verify x --key nothing.pem ⇒ nothing.pem can't be read: ENOENT
prune --yes ⇒ needs an ID or a criterion: --older AGE, --larger SIZE or --form FORM
prune abc --older 30d --yes ⇒ takes IDs or criteria, not both
prune --older 30d ⇒ without a terminal, quorate prune needs --yes
prune --older 30 --yes ⇒ --older takes an age such as 12h, 30d or 8w, not "30"
prune --larger big --yes ⇒ --larger takes a size such as 500kb, 10mb or 1gb
prune --form agnet --yes ⇒ did you mean "agent"?
inspect --port 99999 ⇒ a number from 0 to 65535, not "99999" ⇒ "99999" は使えません
inspect --port 80x ⇒ a number from 0 to 65535, not "80x" ⇒ "80x" は使えません
inspect --port -1 ⇒ a number from 0 to 65535, not "-1" ⇒ "-1" は使えません
inspect --html a.html --stately ⇒ --stately ⇒ --stately とは使えません
inspect --stately --port 0 ⇒ --port ⇒ --port とは使えません
inspect nobody ⇒ there is no run nobody ⇒ 実行 nobody はありません
inspect a b ⇒ "a b"
inspect --stately ⇒ there is no run in
inspect --html a.html ⇒ there is no run in
serve --port x ⇒ --port takes a number from 0 to 65535, not "x"
serve --port 65536 ⇒ --port takes a number
serve --rate 0 ⇒ --rate takes a number
chat Write ⇒ quorate chat takes no words except an ID after --resume
chat --resume ⇒ --resume needs an ID; see: quorate runs
chat --resume nothing ⇒ there is no conversation nothing
chat --continue Write ⇒ --continue resumes the latest conversation; another one: --resume ID
policy ⇒ name a command
policy "  " ⇒ name a command
policy npm test ⇒ policy takes
discuss Why? --rule unanimous ⇒ quorate discuss takes no --rule
discuss " " ⇒ the question is empty; write: quorate discuss
ask "  " ⇒ the question is empty
ask --decision approve x ⇒ quorate resume
--frobnicate "do it" ⇒ --frobnicate
--rule most "do it" ⇒ majority
resume nosuchrun ⇒ nosuchrun
panel m6583sexcihz ⇒ use quorate stats
--completion csh ⇒ --completion takes bash, zsh, fish, not "csh"
show --bogus ⇒ --bogus
reviw ⇒ review
--scope fsat x ⇒ fast
show a b ⇒ only the ID of a run
resume --reason x ⇒ --reason goes with --decision
help nothing ⇒ no help on "nothing"
mutants x.ts ⇒ quorate mutants was removed
lint --rule nothing x.ts ⇒ nothing
diagram --format svg ⇒ --format needs a machine
paths no-such-machine ⇒ no-such-machine
lint no-such-machine ⇒ no-such-machine
review --diff a --base b ⇒ --base
recount nothing ⇒ there is no run nothing
`);

test.each(usage)('%s', async (line = '', message = '', part = '') => {
  const {code, out, err} = await refused(line);
  expect([code, out]).toEqual([2, '']);
  expect(err.replaceAll(/\s+/g, ' ')).toContain(message);
  expect(err).not.toMatch(japanese);
  const translated = await refused(line, '--lang', 'ja');
  expect([translated.code, translated.out]).toEqual([2, '']);
  expect(translated.err).toMatch(japanese);
  expect(translated.err).toContain(part);
});

/** Errors of the configuration and of models. */
const others = rowsOf(String.raw`
ask --db none.sqlite x ⇒ none\.sqlite: there is no such file
ask --db notes.md x ⇒ notes\.md
ask -m ask=gpt-5.2 x ⇒ OPENAI_API_KEY
ask --docs ../**/*.md x ⇒ search\.paths.*climbs
discuss Why? -m participants=policy/safety ⇒ can only review; name a model
discuss Why? -m moderator=nobody/x ⇒ nobody
-m nowhere/model "do it" ⇒ nowhere
-m claude-sonnet-4.5 "do it" ⇒ ANTHROPIC_API_KEY
--rule at_least:5 "do it" ⇒ at_least:5.*3
-C /nowhere/at/all "do it" ⇒ nowhere\/at\/all
`);

test.each(others)('%s, in one line', async (line = '', message = '') => {
  const {code, out, err} = await refused(line);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(new RegExp(message, 's'));
  expect(err.trim().split('\n')).toHaveLength(1);
});

test('no line has begun a run or written a file', async () => {
  expect((await refused('sessions --all')).out).toMatch(/no runs yet/);
  expect(readdirSync(folder()).filter((name) => name !== 'data')).toEqual(['notes.md']);
});

test.each(['reviw', 'resume --reason x', 'diagram --format svg'])(
  '%s: LANG decides the language, and the flag wins',
  async (line) => {
    const words = wordsOf(line);
    const ja = await runLine(words, {LANG: 'ja_JP.UTF-8'});
    expect(await runLine(['--lang', 'ja', ...words], {LANG: 'C'})).toEqual(ja);
    const en = await runLine(['--lang', 'en', ...words], {LANG: 'ja_JP.UTF-8'});
    expect(en).toEqual(await runLine(words, {}));
  },
);
