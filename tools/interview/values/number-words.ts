/** Numbers in words: `twenty-five`, `two hundred and six`, 二十五, 三百六. Up to 999,999; undefined for anything else. */

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const fillers = /^(?:about|around|roughly|exactly|only|just|almost|a|over|maybe) /;
const multiples: Readonly<Record<string, number>> = {hundred: 100, thousand: 1_000};

/** With a unit after it, if any: `twelve years`. */
export function readNumberWords(text: string): number | undefined {
  if (text.length > 100) return undefined;
  const plain = text.toLowerCase().replace(fillers, '').replaceAll('-', ' ');
  const words = plain.split(/[ .,!]+/).filter((word) => word !== '' && word !== 'and');
  const values = words.map(wordValue);
  const unit = values.findIndex((value) => value === undefined);
  const used = words.slice(0, unit < 0 ? words.length : unit);
  if (used.length === 0 || words.length - used.length > 2) return undefined;
  if (values.slice(used.length).some((value) => value !== undefined)) return undefined;
  return sumOf(used);
}

function sumOf(words: readonly string[]): number {
  let total = 0;
  let group = 0;
  for (const word of words) {
    if (word === 'hundred') group = Math.max(group, 1) * 100;
    else if (word === 'thousand') [total, group] = [total + Math.max(group, 1) * 1_000, 0];
    else group += wordValue(word) ?? 0;
  }
  return total + group;
}

function wordValue(word: string): number | undefined {
  const one = ones.indexOf(word);
  if (one >= 0) return one;
  const ten = tens.indexOf(word);
  return ten >= 0 ? (ten + 2) * 10 : multiples[word];
}

const kanjiDigits = '〇一二三四五六七八九';
const kanjiNumber =
  /^(?:約|およそ|だいたい)?([〇一二三四五六七八九十百千万]{1,12})(?:年|歳|才|人|名|個|本|枚|回|件|円|[かヶカケ]月|時間|日|分|社|台|冊|つ)?間?(?:くらい|ぐらい|ほど)?(?:です|だ)?$/u;
const kanjiUnits: Readonly<Record<string, number>> = {十: 10, 百: 100, 千: 1_000};

export function readKanjiNumber(text: string): number | undefined {
  const written = kanjiNumber.exec(text)?.[1];
  if (written === undefined) return undefined;
  if (/^[〇一二三四五六七八九]{2,}$/u.test(written)) {
    return Number(Array.from(written, (char) => kanjiDigits.indexOf(char)).join(''));
  }
  let total = 0;
  let group = 0;
  let digit = 0;
  for (const char of written) {
    const unit = kanjiUnits[char];
    if (char === '万') [total, group, digit] = [total + Math.max(group + digit, 1) * 10_000, 0, 0];
    else if (unit === undefined) digit = kanjiDigits.indexOf(char);
    else [group, digit] = [group + Math.max(digit, 1) * unit, 0];
  }
  return total + group + digit;
}
