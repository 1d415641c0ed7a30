/** Questions about the sample project, and the required parts of a correct answer. They were written before the rules. */

export interface Question {
  readonly asked: string;
  readonly says: readonly RegExp[];
  readonly never?: RegExp;
}

const callers = [/src\/cart\.js:16/, /src\/main\.js:5/];

export const english: readonly Question[] = [
  {asked: 'Who calls computeTotal?', says: [...callers, /test\/cart\.test\.js:7/], never: /README/},
  {asked: 'What is taxRate?', says: [/const taxRate = 0\.19/]},
  {asked: 'Who calls computeSum?', says: [/computeSum/], never: /src\/cart\.js:\d/},
  {asked: 'What does src/cart.js export?', says: [/addItem/, /computeTotal/, /showTotal/]},
  {asked: 'What is in src/util.py?', says: [/Loads price lists/, /Loader/, /load_all/]},
  {asked: 'How many lines does src/cart.js have?', says: [/\b17\b/]},
  {asked: 'What is in notes.txt?', says: [/first\n.*second\n.*third/]},
  {
    asked: 'What does docs/guide.md say about shipping?',
    says: [/shipped within two days/],
    never: /free shipping/,
  },
  {asked: 'What is docs/guide.md about?', says: [/Getting started/, /Shipping/, /Configuration/]},
  {asked: 'How many rows are in data.csv?', says: [/\b3 rows/]},
  {asked: 'Which columns does data.csv have?', says: [/date/, /product/, /amount/, /city/]},
  {asked: 'What is the sum of amount in data.csv?', says: [/\b60\b/]},
  {asked: 'How many columns has data.csv?', says: [/\b4 columns/]},
  {asked: 'What is the average amount in data.csv?', says: [/\b20\b/]},
  {asked: 'What is the port in config.json?', says: [/"port": 3000/]},
  {asked: 'What port does the server use?', says: [/3000/]},
  {asked: 'How do I install it?', says: [/npm install/]},
  {asked: 'How do I run the tests?', says: [/node --test|npm test/]},
  {asked: 'Which version is this?', says: [/1\.4\.2/]},
  {asked: 'How many customers are there in sales.sqlite?', says: [/\b3\b/]},
  {asked: 'What does this change?', says: [/^Nothing is attached/]},
  {asked: 'What is in .gitignore?', says: [/^No file \.gitignore was found.*\.gitignore names/]},
  {asked: 'What is the port?', says: [/config\.json:2\n> "port": 3000/], never: /export|import/},
  {asked: 'What is in the docs folder?', says: [/docs\/guide\.md/], never: /Getting started/},
  {asked: 'What files are in the test folder?', says: [/test\/cart\.test\.js/]},
  {asked: 'Where is config.json read?', says: [/docs\/guide\.md:13/], never: /"port"/},
  {asked: 'Which dependencies does this project have?', says: [/left-pad/]},
  {asked: 'What scripts are there?', says: [/node src\/main\.js/, /node --test/]},
  {asked: 'Which file is the entry point?', says: [/src\/main\.js/]},
  {asked: 'What is the second line of notes.txt?', says: [/notes\.txt:2: second$/]},
  {asked: 'What does the zebra eat?', says: [/No searched file contains/], never: /\n> /},
];

export const japanese: readonly Question[] = [
  {asked: 'computeTotal はどこで呼ばれていますか？', says: callers, never: /README/},
  {asked: '返品は何日以内ですか？', says: [/三十日以内/]},
  {asked: 'ポートはどこで変更できますか？', says: [/config\.json で変更できます/]},
  {asked: 'MAX_RETRIES の値は？', says: [/MAX_RETRIES = 3/]},
  {asked: 'このプロジェクトは何をしますか？', says: [/cart/, /1\.4\.2/]},
  {asked: 'docs には何のファイルがありますか？', says: [/docs\/ja\.md/], never: /Getting started/},
  {asked: 'どのファイルが format.js を読み込んでいますか？', says: [/src\/cart\.js:2/]},
];
