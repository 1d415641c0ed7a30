/** Words that do not characterise a question's topic. */

import {textWords} from '../text/words.ts';

const english = `a about above actually after again against all almost already also although always
  am among an and another any anybody anyhow anyone anything anyway are around as at away be became
  because become becomes been before being below between both but by came can cannot come comes
  could did do does doing done down during each either else enough even ever every everybody
  everyone everything exactly far few for from further get gets getting got had happen happened
  happens has have having he her here hers herself him himself his how however i if in indeed
  instead into is it its itself just keep keeps kept knew know known knows let lets like ll made
  make makes making many may maybe me mean means meant might mine more most mostly much must my
  myself neither never no nor not now of off often on once one ones only onto or other others
  otherwise our ours out over own per perhaps please quite rather re really s same saw seem seems
  several shall she should since so some somebody somehow someone something sometimes soon still
  such sure t than that the their theirs them themselves then there these they thing things this
  those though three through thus till to together too toward towards two under unless until up upon
  us usually various ve very via want wanted wants was we well went were what whatever when whenever
  where wherever whether which while who whoever whole whom whose why will with within wonder would
  yes yet you your yours`;

/** Shorter hiragana words are always particles or endings. */
const japanese = `いくつ いくら いただき いただく ください くださる くらい ぐらい くれる しまう すぎる それで そんな できる ところ
  どうして どちら どなた どんな もらえる やすい られる ありま 何 誰 教え 知り`;

const particle = /^\p{Script=Hiragana}{1,2}$/u;

let known: ReadonlySet<string> | undefined;

/** `word`: as returned by `wordsOf`. */
export function isStopWord(word: string): boolean {
  known ??= new Set(textWords(`${english} ${japanese}`));
  return particle.test(word) || known.has(word);
}
