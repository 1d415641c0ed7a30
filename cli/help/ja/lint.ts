/** The problems that the rules of quorate lint report. Each line: the English text, its Japanese. */

export const lint = `
No state handles the error of an actor that is invoked, or spawned by spawnChild: a failure stops the machine. = 呼び出したアクター、または spawnChild で生んだアクターのエラーを、どの状態も扱わない。失敗するとマシンが止まる。
No initial state and no transition leads to the state. = 初期状態も遷移も、この状態に至らない。
No transition leaves the state, and it does not end the machine: the machine stays there for ever. = この状態を出る遷移がなく、マシンも終わらない。マシンはそこに留まり続ける。
Every branch of a choice has a guard: when none holds, the machine waits for an event that never comes. = 選択のすべての枝にガードがある。どれも成り立たないと、マシンは来ないイベントを待つ。
Another transition is always taken before this one. = この遷移の前に、別の遷移が必ず取られる。
A transition waits for an event that cannot come. = 遷移が、来ることのないイベントを待つ。
An event is sent that no state handles. = 送られるイベントを、どの状態も扱わない。
A wildcard of a state takes events that a parent handles by name, or a bare * takes the error of an actor. = 状態のワイルドカードが、親が名前で扱うイベントを取る。または * だけでアクターのエラーを取る。
A final state has an output that nothing takes up, or a transition leads around it to where the output is expected. = 最終状態の出力を誰も受け取らない。または、出力が期待される所へ遷移が回り道する。
The logic of an invoked or spawned actor is missing, and the state waits for an actor that does not start; or sendTo names an id that no actor has. = 呼び出す、または生むアクターのロジックがなく、状態は始まらないアクターを待つ。または、どのアクターも持たない ID を sendTo が指す。
A delay has no implementation: the event comes at once. = 遅延に実装がなく、イベントがすぐに来る。
A guard has no implementation: the machine stops with an error when it checks the guard. = ガードに実装がなく、ガードを調べるときにマシンがエラーで止まる。
An action has no implementation: XState skips it. = アクションに実装がなく、XState が飛ばす。
A guard is an inline function: diagrams, inspectors and tests can only say that there is a condition. = ガードがインライン関数で、図、検査、テストは条件があるとしか言えない。
An action is an inline function: diagrams, inspectors and tests cannot say what it does. = アクションがインライン関数で、図、検査、テストは何をするかを言えない。
Other actions of the chart have names, but an assign is written inline: the chart does not say what it changes. = チャートのほかのアクションには名前があるのに、assign がインラインで、何を変えるかをチャートが言わない。`;
