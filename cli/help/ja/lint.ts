/** The problems that the rules of quorate lint report. Each line: the English text, its Japanese. */

export const lint = `
No state handles the error of an actor that is invoked, or spawned by spawnChild: a failure stops the machine. = 呼び出したアクター、または spawnChild で生んだアクターのエラーを、どの状態も扱わない。失敗するとマシンが止まる。
No transition leaves the state, and it does not end the machine: the machine stays there for ever. = この状態を出る遷移がなく、マシンも終わらない。マシンはそこに留まり続ける。
A final state has an output that nothing takes up, or a transition leads around it to where the output is expected. = 最終状態の出力を誰も受け取らない。または、出力が期待される所へ遷移が回り道する。
A delay has no implementation: the event comes at once. = 遅延に実装がなく、イベントがすぐに来る。`;
