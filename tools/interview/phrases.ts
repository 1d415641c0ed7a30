/**
 * What whole replies mean that are no answers, in English and Japanese. A reply means one only as a whole, without the courtesies
 * around it: `I skip breakfast` is an answer.
 */

import {fold} from './fold.ts';

const english: Readonly<Record<Command, string>> = {
  skip: `skip|pass|next|next question|skip question|skip to the next|skip to the next one|skip to the next question|move on|
    go to the next|go to the next question|leave blank|leave empty|leave it blank|leave it empty|leave it|leave it as is|leave it as it is|keep it|keep it as is|keep it as it is|don't know|i don't know|dunno|no idea|i have no idea`,
  decline: `decline|i decline|prefer not to say|i prefer not to say|prefer not to answer|i prefer not to answer|rather not say|
    i'd rather not|i would rather not|i'd rather not say|i would rather not say|i'd rather not answer|i would rather not answer|
    don't want to say|i don't want to say|don't want to answer|i don't want to answer|i don't want to answer that question|
    i don't want to tell you|i won't say|i won't answer|i will not answer|i refuse|i refuse to answer|no comment|none of your business|
    it's none of your business|that's none of your business|that's private|that's personal|too personal|that's too personal`,
  why: `why|but why|why though|why do you ask|why do you ask that|why are you asking|why are you asking that|why do you need|why do you need to know|
    why do you need that|why do you want to know|why do you want that|why is this needed|why is that needed|why is it needed|why is this necessary|
    what for|what is this for|what's this for|what is that for|what's that for|what do you need that for|what do you need this for|
    what do you need it for|how come|who will see this|what will you do with it|what will you do with that|what is it used for|
    what do you mean|what does that mean|what does this mean`,
  pause: `pause|take a break|i need a break|break|have to go|i have to go|gotta go|i've got to go|be right back|brb|come back later|i'll come back later|
    i will come back later|continue later|i'll continue later|let's continue later|finish later|i'll finish later|i'll finish this later|do this later|
    i'll do this later|i'll do it later|save and exit|save for later|not now|maybe later`,
  quit: `quit|exit|cancel|stop|abort|end|bye|goodbye|i quit|i give up|forget it|never mind|nevermind|i want to stop|i want to quit|
    stop asking|stop asking me|stop interview|quit interview|end interview|cancel interview|end conversation|/quit|/exit|/cancel`,
  continue: `continue|resume|go on|carry on|keep going|let's go|let's continue|let's go on|i'm back|back|pick up where we left off|where were we`,
  startOver: `start over|start again|restart|start from scratch|start from the beginning|from the beginning|begin again|start anew|start all over`,
  submit: `submit|submit form|submit now|send|send now|send off|confirm|confirmed|confirm and submit|i confirm|yes submit|yes send|yes confirm|
    go ahead and submit|ready to submit|finish|finished|done|all done|i'm done`,
  agree: `yes|y|yep|yeah|yup|sure|ok|okay|fine|right|correct|perfect|great|good|all good|looks good|looks fine|looks right|looks correct|looks good to me|lgtm|
    that's right|that is right|i confirm that everything is correct|i confirm everything is correct|that's correct|that is correct|it's correct|it is correct|all correct|it's all correct|everything is correct|
    everything's correct|everything is right|that's all right|all right|alright|that's fine|go ahead|proceed|yes that's right|yes that's correct|
    yes it is|yes all good|yes all correct|yes looks good|yes go ahead`,
  disagree: `no|n|nope|nah|wrong|not right|not correct|incorrect|that's wrong|that's not right|not yet|no it's not|no it isn't`,
  without: `none|n/a|na|not applicable|i don't have one|don't have one|i have none|i haven't got one|i don't have any|i don't have it`,
  back: `go back|previous|previous question|back to the previous question|go back to the previous question|one back|one question back`,
  lost: `hello|hi|hey|help|what|huh|eh|hm|hmm|sorry|pardon|excuse me|i don't understand|don't understand|i didn't understand|what should i say|
    what should i do|what do i do|test|testing|hello there|are you there|anyone there`,
};

const japanese: Readonly<Record<Command, string>> = {
  skip: `スキップ|スキップする|スキップします|スキップで|スキップして|飛ばす|飛ばします|飛ばして|とばして|パス|パスする|パスします|パスで|次|次へ|次の質問|次の質問へ|
    次に進む|次に進んで|そのまま|そのままで|そのままでいいです|元のままで|変更しない|変更しません|空欄|空欄で|空白で|分からない|分かりません|わからない|わかりません|知らない|知りません`,
  decline: `答えたくない|答えたくありません|答えたくないです|回答したくない|回答したくありません|言いたくない|言いたくありません|言いたくないです|
    教えたくない|教えたくありません|回答しない|回答しません|答えません|回答を控えます|回答は控えます|控えます|控えさせてください|控えさせていただきます|
    回答拒否|拒否|拒否します|ノーコメント|秘密です|内緒です`,
  why: `なぜ|なぜですか|なんで|なんでですか|どうして|どうしてですか|何のため|何のためですか|何のために|何のために聞くのですか|何に使う|何に使うの|何に使うのですか|何に使いますか|
    なぜ聞くのですか|なぜ聞くんですか|なぜ必要|なぜ必要ですか|なぜ必要なのですか|なぜ必要なんですか|どうして必要ですか|どうして聞くのですか|理由は|理由は何ですか|
    どういう意味|どういう意味ですか|どういうこと|どういうことですか`,
  pause: `一時停止|一時停止する|一時停止します|中断|中断する|中断します|中断したい|休憩|休憩する|休憩します|休憩したい|少し休憩|ちょっと休憩|また後で|またあとで|後で続ける|後で続けます|
    あとで続けます|続きは後で|続きはあとで|後でやります|あとでやります|保存して終了|今はやめておきます`,
  quit: `やめる|やめます|やめたい|やめたいです|もうやめる|もうやめます|もうやめたい|終了|終了する|終了します|終わり|終わります|中止|中止する|中止します|キャンセル|キャンセルする|キャンセルします|さようなら|ストップ`,
  continue: `続ける|続けます|続けて|続けましょう|続き|続きから|続きからで|続行|続行する|続行します|再開|再開する|再開します|進む|進めて|進めます|戻りました|ただいま`,
  startOver: `最初から|最初からやり直す|最初からやり直したい|最初からやり直します|初めから|はじめから|初めからやり直す|やり直す|やり直し|やり直します|やり直したい|リセット`,
  submit: `送信|送信する|送信します|送信して|提出|提出する|提出します|提出して|送る|送ります|送って|確定|確定する|確定します|確定して|はい送信|はい送信します|はい送信して|
    これで送信|これで送信します|これで送信して|完了|完了です|以上|以上です`,
  agree: `はい|ええ|うん|ok|okです|オーケー|オッケー|了解|了解です|大丈夫|大丈夫です|問題ない|問題ないです|問題ありません|問題なし|よい|よいです|いいです|良いです|よろしい|よろしいです|結構です|
    内容に間違いありません|間違いはありません|全部合っています|すべて合っています|
    合っています|合ってます|あっています|合ってる|間違いない|間違いないです|間違いありません|正しい|正しいです|その通り|その通りです|そうです|これで|これでお願いします|これでいいです|これで大丈夫|これで大丈夫です|
    はい大丈夫です|はい合っています|はい問題ありません|はいこれで|はいそうです`,
  disagree: `いいえ|いえ|いや|違う|違います|ちがう|ちがいます|間違い|間違いです|間違っています|間違ってます|まだ|まだです`,
  without: `なし|なしです|無し|ない|ないです|ありません|持っていない|持っていません|持ってない|持ってません|該当なし|特になし`,
  back: `戻る|戻ります|戻って|戻りたい|前に戻る|前に戻って|前の質問|前の質問に戻る|前の質問に戻って|一つ前に戻る`,
  lost: `こんにちは|もしもし|ヘルプ|助けて|え|は|何|なに|何ですか|テスト|意味がわからない|意味がわかりません|どうすればいい|どうすればいいですか`,
};

const commandNames = [
  'skip',
  'decline',
  'why',
  'pause',
  'quit',
  'continue',
  'startOver',
  'submit',
  'agree',
  'disagree',
  'without',
  'back',
  'lost',
] as const;

export type Command = (typeof commandNames)[number];

const commands = new Map<string, Command>(
  commandNames.flatMap((command) =>
    `${english[command]}|${japanese[command]}`
      .split('|')
      .map((phrase) => [phrase.trim(), command] as const),
  ),
);

const leading =
  /^(?:ok|okay|well|um|uh|oh|hey|hi|sorry|please|just|actually|can we|could we|can i|could i|may i|can you|could you|let's|let us|let me|i want to|i'd like to|i would like to|i'll|i will|i need to|i wish to|では|じゃあ|じゃ|それでは|えーと|えっと|あの|すみません|すいません|ごめんなさい) /;
const trailing =
  / (?:please|pls|plz|thanks|thank you|thx|for now|now|then|it|that|this|this one|that one|this question|that question|the question|this field|the form|the interview|the answers|my answers)$/;
const politeEnd =
  /(?:を)?(?:でお願いします|をお願いします|お願いします|お願い|ください|下さい|したいです|させてください|です(?:か|ね|よ)?)$/u;
/** What is asked about with it is never an agreement. */
const asking: ReadonlySet<Command> = new Set(['agree', 'submit', 'disagree', 'without']);

/** The longest phrase is shorter. */
const maxLength = 120;

/** Undefined for a reply that is none. */
export function commandOf(text: string): Command | undefined {
  if (text.length > 4 * maxLength) return undefined;
  const folded = fold(text).text.toLowerCase().trim();
  if (folded.length > maxLength) return undefined;
  const command = found(plainPhrase(folded));
  return command !== undefined && asking.has(command) && folded.endsWith('?') ? undefined : command;
}

function plainPhrase(folded: string): string {
  return folded.replaceAll(/[\s,.!?;:"*…~]+/gu, ' ').trim();
}

/** As it stands, then with one courtesy after the other taken away. */
function found(phrase: string): Command | undefined {
  let rest = phrase;
  for (;;) {
    const command = commands.get(rest) ?? commands.get(rest.replaceAll(' ', ''));
    if (command !== undefined) return command;
    const shorter = withoutCourtesy(rest);
    if (shorter === rest || shorter === '') return undefined;
    rest = shorter;
  }
}

function withoutCourtesy(phrase: string): string {
  for (const courtesy of [leading, trailing, politeEnd]) {
    const rest = phrase.replace(courtesy, '').trim();
    if (rest !== phrase) return rest;
  }
  return phrase;
}
