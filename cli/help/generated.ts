/** The help topics that are generated from the program's own data. */

import {type Reader, say} from '../language.ts';
import {fold, entry} from './fold.ts';
import * as japanese from './ja/topics.ts';
import {inJapanese} from './ja/translation.ts';

const policiesHead = `The policy reviewers decide by rule, without a model. They check every plan and every call before the panel does. A refusal
is final unless a person overrules it. They judge a command by its analysed effects. They can't judge a part
that they can't analyse: the voting models are informed of it, and without voting models a person decides. A command that
runs confined is approved where its changes can be undone. The refusals of each:`;

const policiesDiff =
  'In a diff (quorate review) they check the added lines; a minor finding is a remark, not a refusal:';

const policiesFoot =
  'They read commands as a shell does, and follow package scripts and shell scripts into their text; they run nothing.';

const settingsHead =
  'Every setting with its default; quorate config shows the values and their sources. Files are TOML: a key below its [section].';

function rowIn(english: string, reader: Reader): string {
  return say({en: english, ja: inJapanese(english)}, reader);
}

export async function offlineTopic(reader: Reader = {}): Promise<string> {
  const {offlineHelp} = await import('./offline.ts');
  return fold(offlineHelp(reader));
}

export async function policiesTopic(reader: Reader = {}): Promise<string> {
  const {diffRules, policyRules} = await import('../../actors/policies/index.ts');
  const lists = Object.entries(Object.groupBy(policyRules, ({policy}) => policy)).map(
    ([policy, rules = []]) =>
      `policy/${policy}\n\n${rules.map(({id, refuses}) => entry(id, rowIn(refuses, reader))).join('\n')}`,
  );
  return `${say({en: policiesHead, ja: japanese.policiesHead}, reader)}

${lists.join('\n\n')}

${say({en: policiesDiff, ja: japanese.policiesDiff}, reader)}

${diffRules.map(({id, refuses, severity}) => entry(id, `${rowIn(refuses, reader)} (${severity})`)).join('\n')}

${say({en: policiesFoot, ja: japanese.policiesFoot}, reader)}
`;
}

export async function settingsTopic(reader: Reader = {}): Promise<string> {
  const {settingsReference} = await import('../../actors/config/reference.ts');
  const sections = Object.entries(
    Object.groupBy(settingsReference(), ({key}) => key.split('.')[0] ?? ''),
  ).map(([section, rows = []]) => {
    const entries = rows.map(({key, takes, default: value, text}) =>
      entry(
        `${key} = ${value === '' ? '…' : value}`,
        takes === '' ? rowIn(text, reader) : `${rowIn(text, reader)} (${takes})`,
      ),
    );
    return `[${section}]\n${entries.join('\n')}`;
  });
  return `${say({en: settingsHead, ja: fold(japanese.settingsHead)}, reader)}

${sections.join('\n\n')}
`;
}
