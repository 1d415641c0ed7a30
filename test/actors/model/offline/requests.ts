/**
 * First requests to a coding agent, and their required results: every changed file, with its content, and words of the report.
 * A request with another outcome than `done` changes nothing, and its status is not completed.
 */

import {type Files, shiftJis} from './shop.ts';

export interface Tried {
  readonly request: string;
  /** Replaces the files of the shop. */
  readonly files?: Files;
  /** Added to the files of the shop. */
  readonly more?: Files;
  readonly outcome: 'done' | 'notUnderstood' | 'notDone';
  /** Changed files with their new content; `undefined`: removed. All other files stay unchanged. */
  readonly changes?: Readonly<Record<string, string | RegExp | undefined>>;
  readonly says?: RegExp;
}

const indexText = '// TODO: color of colors\nexport const getUser = () => getUserName();\n';
const cliText =
  'import {getUser} from "./index.js";\r\ngetUser(); // FIXME exit code\r\n// color\r\n';
const readme = '# Shop\n\n![badge](b.svg)\n\nThe shop sells every color.\n';
const pyText = 'def make_str(value):\n    color = value\n\nclass Option:\n    pass\n';
const cited = {outcome: 'notUnderstood', says: /does not understand/} as const;
const citedInJapanese = {
  outcome: 'notUnderstood',
  says: /を理解できません。[^]*\n- [^\n]*(?:説明して|作成して|置き換えて)\n/,
} as const;

export const overviews: readonly Tried[] = [
  {
    request: 'Write an overview of this repository to OVERVIEW.md',
    outcome: 'done',
    changes: {
      'OVERVIEW.md':
        /^# Overview: shop\n[^]*shop 1\.2\.3: Sells paint[^]*sells every colour[^]*`npm test`[^]*2 comments say TODO or FIXME/,
    },
  },
  {
    request: 'Write an overview of this repository to OVERVIEW.md',
    files: {
      'pyproject.toml':
        '[project]\nname = "click"\nversion = "8.2"\ndescription = "Composable"\nrequires-python = ">=3.10"\n[project.scripts]\nclick = "click:main"\n',
      'README.md': '# Click\n\nClick makes command lines.\n',
      'src/click/core.py': 'x = 1\n',
      '.github/x.yml': 'a: 1\n',
    },
    outcome: 'done',
    changes: {
      'OVERVIEW.md':
        /4 files[^]*click 8\.2: Composable[^]*Click makes command lines[^]*Python >=3\.10[^]*script click: `click:main`/,
    },
  },
  {
    request: 'Write an overview of this repository to OVERVIEW.md',
    files: {},
    outcome: 'notDone',
    says: /contains no files/,
  },
  {
    request: 'Write an overview of this repository to OVERVIEW.md in Japanese',
    outcome: 'done',
    changes: {'OVERVIEW.md': /^# 概要: shop\n[^]*## 言語[^]*コメントは 2 個/},
  },
  {
    request: 'Write a short overview of this repository to OVERVIEW.md',
    outcome: 'done',
    changes: {'OVERVIEW.md': /^# Overview: shop\n(?:(?!Largest)[^])*$/},
  },
  {request: 'Write an overview of this repository to OVERVIEW.md in French', ...cited},
  {
    request: 'このリポジトリの概要を OVERVIEW.md に書いて',
    outcome: 'done',
    changes: {'OVERVIEW.md': /^# 概要: shop/},
  },
  {request: 'Explain this repository', outcome: 'done', says: /shop 1\.2\.3[^]*sells every colour/},
];

export const marks: readonly Tried[] = [
  {
    request: 'Collect all TODO and FIXME comments into TODO.md',
    outcome: 'done',
    changes: {
      'TODO.md':
        /2 TODO and FIXME comments in 2 files[^]*src\/cli\.js\n\n- line 2[^]*src\/index\.js\n\n- line 1/,
    },
  },
  {
    request: 'Collect all TODO comments into TODO.md',
    more: {'sjis.txt': shiftJis},
    outcome: 'done',
    changes: {'TODO.md': /not UTF-8: sjis\.txt/},
    says: /not UTF-8: sjis\.txt/,
  },
  {
    request: 'src の TODO を一覧にして',
    outcome: 'done',
    says: /\nsrc の TODO コメントは 1 件です。\nsrc\/index\.js:1/,
  },
  {
    request: 'Append "完了です" to notes.txt',
    outcome: 'done',
    changes: {'notes.txt': 'precious\n完了です\n'},
    says: /\nChanged notes\.txt\.\n/,
  },
];

const numbers = Array.from({length: 230}, (_, index) => index);

export const scopes: readonly Tried[] = [
  {
    request: 'Replace colour with color',
    files: Object.fromEntries(numbers.map((number) => [`${number}.txt`, 'a colour\n'])),
    outcome: 'notDone',
    says: /230 lines of 230 files[^]*Nothing was changed/,
  },
  {
    request: 'Replace colour with color in *.md',
    outcome: 'done',
    changes: {'README.md': readme, 'docs/a.md': 'color getUser\n'},
  },
  {
    request: 'Replace colour with color in all Python files',
    outcome: 'done',
    changes: {'lib/util.py': pyText},
  },
  {
    request: 'Rename getUser to fetchUser in the docs folder',
    outcome: 'done',
    changes: {'docs/a.md': 'colour fetchUser\n'},
  },
  {
    request: 'Replace colour with color everywhere except src and docs',
    outcome: 'done',
    changes: {'README.md': readme, 'lib/util.py': pyText},
  },
  {
    request: 'docs 以外で「colour」を「color」に置き換えて',
    outcome: 'done',
    changes: {
      'README.md': readme,
      'lib/util.py': pyText,
      'src/index.js': indexText,
      'src/cli.js': cliText,
    },
  },
  {request: "Don't replace colour with color", ...cited},
  {request: 'Replace colour with color in comments of src', ...cited},
  {request: 'Replace colour with color in docs and nowhere', outcome: 'notDone', says: /nowhere/},
];

export const files: readonly Tried[] = [
  {
    request: 'Create a file notes.txt with the content "Hello"',
    outcome: 'notDone',
    says: /notes\.txt exists already[^]*precious/,
  },
  {
    request: 'Create a file notes.txt with the content "Hello" if it does not exist',
    outcome: 'done',
    says: /exists already[^]*left as it is/,
  },
  {
    request: 'Create a file new.txt with the content "Hello" if it does not exist',
    outcome: 'done',
    changes: {'new.txt': 'Hello\n'},
  },
  {
    request: 'Create a file photo.png with the content "Hello"',
    more: {'photo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1])},
    outcome: 'notDone',
    says: /photo\.png exists but can't be read, so it was not changed/,
  },
  {
    request: 'Replace the content of notes.txt with "Hello"',
    outcome: 'done',
    changes: {'notes.txt': 'Hello\n'},
  },
  {
    request: 'Append the line "Done." to src/cli.js',
    outcome: 'done',
    changes: {'src/cli.js': /\/\/ colour\r\nDone\.\r\n$/},
  },
  {
    request: 'new.txt を「こんにちは」という内容で作成して',
    outcome: 'done',
    says: /\nnew\.txt を作成しました。\n/,
    changes: {'new.txt': 'こんにちは\n'},
  },
  {
    request: 'Append "x" to sjis.txt',
    more: {'sjis.txt': shiftJis},
    outcome: 'notDone',
    says: /not in UTF-8/,
  },
  {request: 'Rename a.js to z.js', outcome: 'done', changes: {'a.js': undefined, 'z.js': 'a();\n'}},
  {request: 'Rename a.js to check.js', outcome: 'notDone', says: /check\.js exists already/},
  {request: 'Create a README.md', ...cited},
  {request: 'README.md を日本語に翻訳して', ...citedInJapanese},
  {request: 'hello.py を作って', ...citedInJapanese},
];

export const running: readonly Tried[] = [
  {request: 'Run the tests', outcome: 'done', says: /npm test[^]*DETAIL of the check/},
  {
    request: 'Run the tests',
    files: {'package.json': '{"scripts": {"test": "echo DETAIL; exit 1"}}'},
    outcome: 'notDone',
    says: /npm test[^]*DETAIL/,
  },
  {request: 'Run the tests', files: {'go.txt': ''}, outcome: 'notDone', says: /no manifest/},
  {request: 'Run npm test and then npm run build', outcome: 'done', says: /42/},
  {
    request: 'List TODOs, then run `npm test` and report',
    outcome: 'done',
    says: /1 TODO comment[^]*src\/index\.js:1[^]*DETAIL of the check/,
  },
  {
    request: 'What is the version? Then list TODOs',
    outcome: 'done',
    says: /shop 1\.2\.3[^]*1 TODO comment/,
  },
  {request: 'Run `npm test` and fix what fails', ...cited},
  {request: 'Run `cat notes.txt` and explain it', ...cited},
  {
    request: 'Run `echo hi > ../outside.txt`',
    outcome: 'notDone',
    says: /outside-workspace|workspace/,
  },
  {request: 'Run `cat /etc/hostname`', outcome: 'notDone', says: /outside-workspace|workspace/},
  {request: 'Run `rm -rf docs`', outcome: 'notDone', says: /mass-delete|deletion/},
  {request: '`node check.js` を実行して', outcome: 'done', says: /DETAIL of the check/},
];

export const others: readonly Tried[] = [
  {request: 'Fix the bug', ...cited},
  {request: 'Add a test', ...cited},
  {request: 'バグを直して', ...citedInJapanese},
  {request: 'Write a poem to poem.txt', ...cited},
  {request: 'Create a.txt with "x" and then make it pretty', ...cited},
  {request: 'Where is make_str defined?', outcome: 'done', says: /lib\/util\.py:1: def make_str/},
  {request: 'How many files are in this repository?', outcome: 'done', says: /11 files/},
  {request: 'How do I run the tests?', outcome: 'done', says: /npm test/},
];
