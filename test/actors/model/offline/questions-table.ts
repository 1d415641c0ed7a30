/** Questions about the sample project, and the essentials of a right answer. They were written before the rules. */

export interface Question {
  readonly asked: string;
  readonly says: readonly RegExp[];
  readonly never?: RegExp;
}

const callers = [/src\/cart\.js:16/, /src\/main\.js:5/];

export const english: readonly Question[] = [
  {asked: 'Who calls computeTotal?', says: [...callers, /test\/cart\.test\.js:7/], never: /README/},
  {asked: 'Where is computeTotal called?', says: callers, never: /README/},
  {asked: 'Where is computeTotal defined?', says: [/src\/cart\.js:11/]},
  {asked: 'Where is formatPrice used?', says: [/src\/cart\.js:16/], never: /formatDate\(/},
  {asked: 'Which files use computeTotal?', says: [/src\/main\.js/, /test\/cart\.test\.js/]},
  {asked: 'Is formatDate used anywhere?', says: [/src\/format\.js:9/], never: /README|guide/},
  {asked: 'Where is Loader instantiated?', says: [/src\/util\.py:12/]},
  {asked: 'Where is the class Loader?', says: [/src\/util\.py:6/]},
  {asked: 'What is taxRate?', says: [/const taxRate = 0\.19/]},
  {asked: 'What is the value of MAX_RETRIES?', says: [/MAX_RETRIES = 3/]},
  {asked: 'How often is computeTotal called?', says: callers},
  {asked: 'What does computeTotal do?', says: [/src\/cart\.js:1\d/, /cart\.reduce/]},
  {asked: 'Show me the function addItem', says: [/src\/cart\.js:6/, /return \[\.\.\.cart, item\]/]},
  {asked: 'Who calls computeSum?', says: [/computeSum/], never: /src\/cart\.js:\d/},
  {
    asked: 'What does src/format.js do?',
    says: [/Formats prices and dates for people/, /formatPrice/, /formatDate/, /11 lines/],
  },
  {asked: 'What does src/cart.js export?', says: [/addItem/, /computeTotal/, /showTotal/]},
  {asked: 'What is in src/util.py?', says: [/Loads price lists/, /Loader/, /load_all/]},
  {asked: 'What is src/cart.js for?', says: [/Items and their total/]},
  {asked: 'Explain src/main.js', says: [/src\/main\.js/, /5 lines/]},
  {asked: 'How many lines does src/cart.js have?', says: [/\b17\b/]},
  {asked: 'How long is notes.txt?', says: [/3 lines/]},
  {asked: 'How many lines are in notes.txt?', says: [/\b3\b/]},
  {asked: 'What is in notes.txt?', says: [/first\n.*second\n.*third/]},
  {
    asked: 'What does docs/guide.md say about shipping?',
    says: [/shipped within two days/],
    never: /free shipping/,
  },
  {asked: 'What is docs/guide.md about?', says: [/Getting started/, /Shipping/, /Configuration/]},
  {asked: 'How big is config.json?', says: [/6 lines/]},
  {asked: 'What does src/missing.js do?', says: [/src\/missing\.js/], never: /formatPrice/},
  {asked: 'How many rows are in data.csv?', says: [/\b3 rows/]},
  {asked: 'Which columns does data.csv have?', says: [/date/, /product/, /amount/, /city/]},
  {asked: 'What is the sum of amount in data.csv?', says: [/\b60\b/]},
  {asked: 'What is in data.csv?', says: [/3 rows/, /product/]},
  {asked: 'How many columns has data.csv?', says: [/\b4 columns/]},
  {asked: 'What is the average amount in data.csv?', says: [/\b20\b/]},
  {asked: 'What is the port in config.json?', says: [/"port": 3000/]},
  {asked: 'What port does the server use?', says: [/3000/]},
  {
    asked: 'What does README.md say about installing?',
    says: [/## Install|\(Install\)/, /npm install/],
    never: /showTotal/,
  },
  {asked: 'How do I install it?', says: [/npm install/]},
  {asked: 'How do I run the tests?', says: [/node --test|npm test/]},
  {asked: 'Which version is this?', says: [/1\.4\.2/]},
  {asked: 'What is the licence?', says: [/MIT/]},
  {asked: 'Which version of Node does it need?', says: [/>=20/]},
  {asked: 'When are returns accepted?', says: [/30 days/]},
  {asked: 'How many customers are there in sales.sqlite?', says: [/\b3\b/]},
  {asked: 'What does this change?', says: [/^Nothing is attached/]},
  {asked: 'What is in .gitignore?', says: [/^No file \.gitignore was found.*\.gitignore names/]},
  {asked: 'What does the zebra eat?', says: [/zebra|No file|Nothing/], never: /\n> /},
];

export const japanese: readonly Question[] = [
  {asked: 'computeTotal はどこで呼ばれていますか？', says: callers, never: /README/},
  {asked: 'computeTotal はどこで定義されていますか？', says: [/src\/cart\.js:11/]},
  {asked: 'formatPrice を使っているのはどこですか？', says: [/src\/cart\.js:16/]},
  {
    asked: 'src/format.js は何をしますか？',
    says: [/Formats prices and dates/, /formatPrice/, /11 行/],
  },
  {asked: 'src/cart.js は何行ありますか？', says: [/17 行/]},
  {asked: 'data.csv は何行ありますか？', says: [/3 行/]},
  {asked: 'data.csv にはどんな列がありますか？', says: [/product/, /amount/]},
  {asked: 'data.csv の amount の合計は？', says: [/60/]},
  {asked: 'notes.txt には何が書いてありますか？', says: [/first\n.*second/]},
  {asked: 'README.md にはインストールについて何と書いてありますか？', says: [/npm install/]},
  {asked: '返品は何日以内ですか？', says: [/三十日以内/]},
  {asked: 'ポートはどこで変更できますか？', says: [/config\.json で変更できます/]},
  {asked: 'バージョンは何ですか？', says: [/1\.4\.2/]},
  {asked: 'config.json の port はいくつですか？', says: [/"port": 3000/]},
  {asked: 'MAX_RETRIES の値は？', says: [/MAX_RETRIES = 3/]},
  {asked: 'このプロジェクトは何をしますか？', says: [/cart/, /1\.4\.2/]},
  {asked: 'シマウマは何を食べますか？', says: [/見つかりません/], never: /\n> /},
];
