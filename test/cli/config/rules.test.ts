/** Rules in a file that spawn interactions: accepted and refused ones, and the required owner of the file. */

import {afterEach, beforeEach, describe, expect, it} from 'vitest';

import {toSpawnRules} from '../../../actors/config/rules.ts';
import {plainStyle} from '../../../cli/render/style.ts';
import {settingsText} from '../../../cli/render/tables/settings.ts';
import {createConfigFolders, type ConfigFolders} from './workspace.ts';

let folders: ConfigFolders;
beforeEach(() => {
  folders = createConfigFolders();
});
afterEach(() => folders.remove());

const rule = `[[spawn]]
when = "plan.rejected:2"
form = "discuss"
request = "What is wrong with this plan?"
`;

describe('a file of the user', () => {
  it('has rules in its order; an event alone means its first time, and the form has a default context mode', async () => {
    folders.writeUser(`${rule}[[spawn]]
when = "task.failed"
form = "ask"
request = """
Why did it fail?
Look at the tests."""
context_mode = "fresh"
`);
    const {config, warnings} = await folders.load();
    expect(warnings).toEqual([]);
    expect(toSpawnRules(config)).toEqual([
      {event: 'plan.rejected', nth: 2, form: 'discuss', request: 'What is wrong with this plan?'},
      {
        event: 'task.failed',
        nth: 1,
        form: 'ask',
        request: 'Why did it fail?\nLook at the tests.',
        contextMode: 'fresh',
      },
    ]);
  });

  it.each([
    [
      'plan.rejectd:2',
      ':2:1: spawn: entry 0.when: "plan.rejectd:2" names no event that a rule can count; did you mean "plan.rejected"?',
    ],
    [
      'lunch',
      ':2:1: spawn: entry 0.when: "lunch" names no event that a rule can count; write plan.rejected, action.rejected, task.failed or quorum.noQuorum, followed by :N for its N-th time',
    ],
    [
      'task.failed:0',
      ':2:1: spawn: entry 0.when: "task.failed:0" has no number from 1 to 1000 after the colon; write "task.failed:2" for the second, "task.failed" for the first',
    ],
    [
      'action.rejected:two',
      ':2:1: spawn: entry 0.when: "action.rejected:two" has no number from 1 to 1000 after the colon; write "action.rejected:2" for the second, "action.rejected" for the first',
    ],
    [
      'quorum.noQuorum:1:2',
      ':2:1: spawn: entry 0.when: "quorum.noQuorum:1:2" has no number from 1 to 1000 after the colon; write "quorum.noQuorum:2" for the second, "quorum.noQuorum" for the first',
    ],
  ])('cannot have when = "%s"', async (when, message) => {
    folders.writeUser(rule.replace('plan.rejected:2', when));
    expect(await folders.refusal()).toBe(folders.userFile + message);
  });

  it.each([
    [
      'a key that no rule has',
      `${rule}\n${rule}requests = "x"\n`,
      ':10:1: unknown key "spawn.1.requests"; did you mean "spawn.1.request"?',
    ],
    [
      'a form that is a root only',
      rule.replace('discuss', 'review'),
      ':3:1: spawn: entry 0.form: takes "agent" or "ask" or "discuss" or "interview", not "review"',
    ],
    [
      'a rule that asks nothing',
      rule.replace('What is wrong with this plan?', ' '),
      ':4:1: spawn: entry 0.request: " " is empty; write a task, a question or a topic',
    ],
    [
      'a rule without a request',
      rule.replace(/request.*\n/, ''),
      ':1:3: spawn: entry 0.request: is missing; it takes text in quotes',
    ],
    [
      'one table in single brackets',
      rule.replace('[[spawn]]', '[spawn]'),
      ':1:2: spawn: takes tables, each headed [[spawn]], not a table',
    ],
    [
      'an unknown context mode',
      `${rule}context_mode = "half"\n`,
      ':5:1: spawn: entry 0.context_mode: takes "full" or "projected" or "fresh", not "half"',
    ],
  ])('cannot have %s', async (_what, text, message) => {
    folders.writeUser(text);
    expect(await folders.refusal()).toBe(folders.userFile + message);
  });

  it('is shown as written', async () => {
    folders.writeUser(rule);
    const {explain} = await folders.load();
    const shown = settingsText(
      explain().filter(({key}) => key === 'spawn'),
      plainStyle,
    );
    expect(shown).toContain(
      `spawn = [{when = "plan.rejected:2", form = "discuss", request = "What is wrong with this plan?"}]  # ${folders.userFile}:1:3; default []\n`,
    );
    expect(shown).toMatch(
      /^# rules by which an interaction spawns another, each headed \[\[spawn\]\]/,
    );
  });
});

describe('a project file', () => {
  const ignored =
    'spawn is ignored: until you trust this folder, its settings may only tighten; see what it wants: quorate config --trust --show';
  const own = rule.replace('plan', 'action');

  it.each([
    ['spawns nothing', '', rule, []],
    ['puts no rule in the place of one of the user', own, rule, ['action.rejected']],
    ['takes no rule of the user away', own, 'spawn = []\n', ['action.rejected']],
  ])('%s until the user trusts it', async (_what, user, project, events) => {
    folders.writeUser(user);
    folders.writeProject(project);
    const {config, warnings} = await folders.load();
    expect(toSpawnRules(config).map(({event}) => event)).toEqual(events);
    expect(warnings.map(({en}) => en)).toEqual([
      expect.stringMatching(`^quorate\\.toml:1:[13]: ${ignored}$`),
    ]);
  });

  it('has its rules once it is trusted', async () => {
    folders.writeProject(rule);
    await folders.trust();
    expect(toSpawnRules((await folders.load()).config)).toHaveLength(1);
  });
});
