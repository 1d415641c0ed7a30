/** What the offline model understands, as data: for the help, the README and the tests. */

export interface SkillText {
  readonly skill: string;
  readonly does: string;
  /** In English and in Japanese, with places for the words of a person. */
  readonly hint: readonly [string, string];
  /** Each is understood as it stands. */
  readonly phrases: readonly string[];
}

export const repertoire: readonly SkillText[] = [
  {
    skill: 'explanation',
    hint: ['Explain this repository', 'このリポジトリを説明して'],
    does: 'Tells what a repository is: from its manifests (package.json, pyproject.toml, Cargo.toml, go.mod), what its README says first, and its files.',
    phrases: ['Explain this repository', 'What does this project do?', 'このリポジトリを説明して'],
  },
  {
    skill: 'overview',
    hint: [
      'Write an overview of this repository to {file}',
      'このリポジトリの概要を {file} に書いて',
    ],
    does: 'Writes that into a file, with entry points, scripts, largest files, tests and the number of TODOs; in English or Japanese.',
    phrases: [
      'Write an overview of this repository to OVERVIEW.md',
      'Write a short summary of the project to docs/summary.md in Japanese',
      'このリポジトリの概要を OVERVIEW.md に書いて',
    ],
  },
  {
    skill: 'todos',
    hint: ['List TODOs in {file}', '{file} の TODO を一覧にして'],
    does: 'Lists TODO and FIXME comments with file and line, or writes them into a file.',
    phrases: [
      'List TODOs in src',
      'Collect all TODO and FIXME comments into TODO.md',
      'TODO と FIXME を TODO.md にまとめて',
    ],
  },
  {
    skill: 'definitions',
    hint: ['Where is {name} defined?', '{name} はどこで定義されていますか？'],
    does: 'Finds where a name is defined, verbatim; lines that define it come first.',
    phrases: [
      'Where is getUser defined?',
      'Find the definition of class Option in src',
      'getUser はどこで定義されていますか？',
    ],
  },
  {
    skill: 'facts',
    hint: ['How many files are in this repository?', 'ファイルはいくつありますか？'],
    does: 'Counts or lists files, tells the version, and how the tests are run.',
    phrases: [
      'How many Python files are there in src?',
      'What is the version of this project?',
      'How do I run the tests?',
    ],
  },
  {
    skill: 'tests',
    hint: ['Run the tests', 'テストを実行して'],
    does: 'Runs the tests, as package.json, Cargo.toml, go.mod, pytest’s settings or the Makefile say.',
    phrases: ['Run the tests', 'テストを実行して'],
  },
  {
    skill: 'commands',
    hint: ['Run `{text}`', '`{text}` を実行して'],
    does: 'Runs one shell command, once the panel has approved it, and reports what it printed.',
    phrases: ['Run `npm test` and report', 'git status', '`npm test` を実行して'],
  },
  {
    skill: 'creation',
    hint: ['Create {file} with the content "{text}"', '{file} を「{text}」という内容で作成して'],
    does: 'Writes a new file with the given content and a newline at its end. A file that exists is shown and left alone, unless its content is to be replaced.',
    phrases: [
      'Create a file notes.txt with the content "Hello"',
      'Write hello world to hello.txt',
      'Create notes.txt with the text: hello',
      'Create config.json with {"debug": true}',
      'Create notes.txt with the lines "a" and "b"',
      'Create notes.txt with the content "Hello" if it does not exist',
      'Replace the content of notes.txt with "Hello"',
      'notes.txt を「Hello」という内容で作成して',
    ],
  },
  {
    skill: 'appending',
    hint: ['Append "{text}" to {file}', '{file} に「{text}」を追記して'],
    does: 'Adds lines at the end of files, or creates them.',
    phrases: [
      'Append the line "Done." to notes.txt',
      'Add "Done." to the end of a.txt and b.txt',
      'notes.txt に「完了」を追記して',
    ],
  },
  {
    skill: 'lines',
    hint: [
      'Insert "{text}" after line {number} of {file}',
      '{file} の{number}行目の後に「{text}」を挿入して',
    ],
    does: 'Inserts a line at the top of a file or before or after another, changes one, or deletes one; a line is named by its number or by its whole text.',
    phrases: [
      'Insert "# Notes" at the top of notes.txt',
      'Insert "b" after the line "a" in notes.txt',
      'Change line 2 of notes.txt to "b"',
      'Delete the line "b" from notes.txt',
      'notes.txt の2行目を削除して',
    ],
  },
  {
    skill: 'keys',
    hint: ['Set "{name}" to {number} in {file}', '{file} の {name} を {number} に設定して'],
    does: 'Sets, adds or removes a key of a JSON file, which keeps its indentation and order.',
    phrases: [
      'Set "debug" to true in config.json',
      'Change the port in config.json from 3000 to 8080',
      'Add the key "debug" with the value true to config.json',
      'Remove the key "debug" from config.json',
      'config.json の "debug" を true にして',
    ],
  },
  {
    skill: 'version',
    hint: [
      'Bump the version in package.json to {version}',
      'package.json のバージョンを {version} に上げて',
    ],
    does: 'Sets the version in package.json or another JSON file.',
    phrases: ['Bump the version to 1.5.0', 'Bump the patch version', 'バージョンを 1.5.0 に上げて'],
  },
  {
    skill: 'replacement',
    hint: [
      'Replace "{text}" with "{text}" in {file}',
      '{file} の「{text}」を「{text}」に置き換えて',
    ],
    does: 'Replaces a text literally, or renames an identifier, in all files or in a scope; of more than 200 files none. A rename leaves strings and paths alone, and names them.',
    phrases: [
      'Replace "colour" with "color" in all .md files',
      'Replace colour with color in docs and src, but not in docs/old',
      'Rename getUser to fetchUser in all Python files',
      'Fix the typo "teh" in README.md',
      'docs の「colour」を「color」に置き換えて',
    ],
  },
  {
    skill: 'moving',
    hint: ['Delete {file}', '{file} を削除して'],
    does: 'Deletes files, moves, renames or copies one, or makes a folder, by a command that is voted on. Nothing is replaced.',
    phrases: [
      'Delete a.txt and b.txt',
      'Rename a.js to z.js',
      'Copy a.txt to b.txt',
      'Create the folder build',
      'notes.txt を削除して',
    ],
  },
];

/** What a request may add to any of these. */
export const grammar = {
  scopes: [
    'in src',
    'in the docs folder',
    'in README.md only',
    'in a.md, b.md and docs',
    'in *.md',
    'in all Python files in src',
    'everywhere except src',
    'but don’t touch README.md',
    'src で',
    '*.md だけで',
    'docs 以外で',
  ],
  parts: [
    'Run `npm test` and then run `npm run build`',
    'Create a.txt with "x"; then delete b.txt',
  ],
} as const;

export interface QuestionText {
  readonly phrase: string;
  readonly does: string;
}

/** What it answers beside the skills that write nothing. */
export const questions: readonly QuestionText[] = [
  {phrase: 'What is (17 ** 3 - 1) // 7 % 100?', does: 'computes it'},
  {phrase: 'sqrt(2)', does: 'computes it; also 2 の 10 乗は？'},
  {
    phrase: 'What does src/format.js do?',
    does: 'opens a file that is named: size, head comment, names; lines that hold other words of the question; also of a diff or text that is attached',
  },
  {phrase: 'Who calls computeTotal?', does: 'shows the lines that call, use or define a name'},
  {
    phrase: 'How many rows are in data.csv?',
    does: 'counts rows and columns of CSV, adds up, averages',
  },
  {phrase: 'SELECT name FROM customers LIMIT 3', does: 'runs the query on the database of --db'},
  {phrase: 'Show the tables', does: 'lists the tables of the database with their columns'},
  {
    phrase: 'How many orders are there?',
    does: 'counts rows; also 注文は何件？ · How many orders did Bob make in 2025? · How many orders are cancelled?',
  },
  {
    phrase: 'What is the total amount of orders per customer?',
    does: 'computes a total, an average, the largest or the smallest of a column, also per group, and shows the query',
  },
  {
    phrase: 'Which three customers ordered most in 2025?',
    does: 'counts in the table that fits the words, and shows the query',
  },
  {
    phrase: 'Where is the port of the server set?',
    does: 'searches code and documents, and quotes what it found with its place',
  },
];

/** The same as plain text. */
export function offlineHelp(): string {
  const skills = repertoire.map(({does, phrases}) => `${does}\n${indented(phrases)}`);
  const asked = questions.map(({phrase, does}) => `${phrase}: ${does}`);
  return `With no model configured, a built-in rule-based model works and the policy reviewers vote. It calls no model and costs nothing.
A request is understood only if every word of it is; else it says so and does nothing. Courtesies such as please are left out.

${skills.join('\n\n')}

Searches and changes take a scope; a pattern without a folder means names in any folder.
${indented(grammar.scopes)}

Several requests follow each other.
${indented(grammar.parts)}

quorate ask answers questions on the repository like those above, and:
${indented(asked)}

Files that exist are never replaced unseen, line ends are kept, and text that is not in UTF-8 is named and left alone.
To have a language model work: quorate help models.
`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
