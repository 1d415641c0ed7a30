/** Arithmetic in a question: extracts the expression for the calculator, if the question asks for nothing else. */

import {type Steps, toolAnswerText} from '../skills/skill.ts';

const courtesy =
  /^(?:please|what(?:'s| is| are)|how much is|calculate|compute|evaluate|work out|tell me|the|result|value|of|answer|to|is|equals?|計算して|計算|ください|いくつ|いくら|ですか|です|は|を|の|[\s?？=.:,。、!！])*$/i;

export function expressionIn(question: string): string | undefined {
  const text = spelt(question);
  const found = text.match(/[\d(.+-][\d\s.eE+\-*/%()_]*[\d)]/g) ?? [];
  const expression = found.toSorted((a, b) => b.length - a.length)[0]?.trim();
  if (expression === undefined || !/[\d)]\s*[+\-*/%]/.test(expression)) return undefined;
  // 2025-01-01, 555-1234
  if (/^\d+(?:-\d+)+$/.test(expression)) return undefined;
  return courtesy.test(text.replace(expression, '')) ? expression : undefined;
}

const spellings: readonly (readonly [RegExp, string])[] = [
  [/(?:\bsqrt\s*|√\s*|\bsquare root of\s+)(\(?)(\d[\d.]*)(\)?)(?![\d.])/gi, '$1$2$3 ** 0.5'],
  [/(\d[\d.]*)\s*の\s*(\d[\d.]*)\s*乗/g, '$1 ** $2'],
  [/(\d[\d.]*)\s*の\s*平方根/g, '$1 ** 0.5'],
  [/(?<=[\d)])\s*(?:\^|\s(?:to|raised to) the power of\s)\s*(?=[\d(])/gi, ' ** '],
  [/(?<=[\d)])\s+squared\b/gi, ' ** 2'],
  [/[×·]/g, '*'],
  [/÷/g, '/'],
  [/−/g, '-'],
  [/(?<=[\d)])\s+(?:times|multiplied by)\s+(?=[\d(])/gi, ' * '],
  [/(?<=[\d)])\s+(?:divided by|over)\s+(?=[\d(])/gi, ' / '],
  [/(?<=[\d)])\s+plus\s+(?=[\d(])/gi, ' + '],
  [/(?<=[\d)])\s+minus\s+(?=[\d(])/gi, ' - '],
  [/(?<=\d)\s*(?:%|percent)\s+of\s+(?=\d)/gi, ' / 100 * '],
  [/(?<=\b\d{1,3}(?:,\d{3})*),(?=(?:\d{3},)*\d{3}\b)/g, ''],
];

function spelt(question: string): string {
  return spellings.reduce(
    (text, [pattern, sign]) => text.replaceAll(pattern, sign),
    question.normalize('NFKC'),
  );
}

export function* compute(expression: string): Steps<string> {
  const [result] = yield [{tool: 'calculator', args: {expression}}];
  if (!result || result.isError)
    return `${expression} can't be computed: ${toolAnswerText(result)}`;
  return `${expression} = ${result.text}`;
}
