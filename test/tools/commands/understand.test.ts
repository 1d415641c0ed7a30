/** The analysis of a command: which lines only read, and the effects of the others. */

import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative, resolve} from 'node:path';

import {array, assert, asyncProperty, constantFrom, oneof, string} from 'fast-check';
import {afterAll, expect, test} from 'vitest';

import {understand} from '../../../tools/commands/reader.ts';
import {createSurroundings, type Surroundings} from '../../../tools/commands/surroundings.ts';
import {cells, pairs} from '../../support/rows.ts';
import {createGround, type Ground, onlyReads, understandingText} from './understood.ts';

/** With a link that leads out, and names that a pattern must not match by accident. */
const ground = createGround(afterAll);
ground.put('deep/er/c.ts');
ground.put('data.json', '{}\n');
ground.put('5');
ground.put('{}');
ground.put('notes/x.txt');
ground.link('out', '/etc');
ground.link('deep/out', '/etc');
ground.link('in', 'src');

async function readsOnly(command: string): Promise<boolean> {
  return onlyReads(await ground.understand(command));
}

/** Rows in which `§` is a `$` before a brace. */
function rows(text: string): [string, string][] {
  return pairs(text.replaceAll('§', '$'));
}

/** A line that only reads, and the same line with an option or a word that does more. */
test.each(
  rows(String.raw`
  cat src/a.ts ⇒ cat --pager src/a.ts ¦ sort src/a.ts ⇒ sort -o src/b.ts src/a.ts ¦ sort src/a.ts ⇒ sort src/a.ts -usrc/b.ts -osrc/b.ts
  sort src/a.ts ⇒ sort --output=src/b.ts src/a.ts ¦ sort src/a.ts ⇒ sort --outp=src/b.ts src/a.ts ¦ sort -ru src/a.ts ⇒ sort -ruo src/b.ts src/a.ts
  sort src/a.ts ⇒ sort --compress-program=./x src/a.ts ¦ sort src/a.ts ⇒ sort --files0-from=new.txt ¦ sort src/a.ts ⇒ sort -T deep src/a.ts ¦ sort -k 1 -- src/a.ts ⇒ sort -k -- -o src/b.ts src/a.ts
  sort src/a.ts ⇒ sort --random-source=new.txt src/a.ts ¦ wc src/a.ts ⇒ wc --files0-from=new.txt ¦ du src ⇒ du --files0-from=new.txt
  du src ⇒ du -L src ¦ du src ⇒ du -X new.txt src ¦ uniq src/a.ts ⇒ uniq src/a.ts src/b.ts ¦ uniq -c src/a.ts ⇒ uniq -c -- src/a.ts src/b.ts ¦ uniq src/a.ts ⇒ uniq src/*.ts
  xxd src/a.ts ⇒ xxd src/a.ts src/b.ts ¦ xxd src/a.ts ⇒ xxd -r src/a.ts ¦ xxd -p src/a.ts ⇒ xxd -ps /etc/passwd ¦ md5sum src/a.ts ⇒ md5sum -c src/a.ts
  sha256sum src/a.ts ⇒ sha256sum --check src/a.ts ¦ cksum src/a.ts ⇒ cksum -c src/a.ts ¦ base64 src/a.ts ⇒ base64 src/a.ts -o src/b.ts
  tail src/a.ts ⇒ tail -f src/a.ts ¦ tail -5 src/a.ts ⇒ tail -5f src/a.ts ¦ tail -n 5 src/a.ts ⇒ tail -n 5 --follow src/a.ts ¦ tail src/a.ts ⇒ tail --retry src/a.ts
  strings src/a.ts ⇒ strings @new.txt ¦ strings src/a.ts ⇒ strings -T elf64 src/a.ts ¦ hexdump src/a.ts ⇒ hexdump -f new.txt src/a.ts
  diff src/a.ts src/b.ts ⇒ diff -r src deep ¦ diff src/a.ts src/b.ts ⇒ diff src deep ¦ diff src/a.ts src/b.ts ⇒ diff -l src/a.ts src/b.ts
  diff src/a.ts src/b.ts ⇒ diff --from-file=new.txt src/a.ts ¦ diff src/a.ts src/b.ts ⇒ diff src/*.ts ¦ bat src/a.ts ⇒ bat --pager ./x src/a.ts
  bat --paging=never src/a.ts ⇒ bat --paging=always src/a.ts ¦ bat src/a.ts ⇒ bat --config-file=x src/a.ts ¦ bat src/a.ts ⇒ bat --diff src/a.ts
  ls src ⇒ ls -L src ¦ ls -R src ⇒ ls -RL src ¦ ls src ⇒ ls --dereference src ¦ tree src ⇒ tree -o new.txt src ¦ tree src ⇒ tree -l src ¦ tree -L 2 src ⇒ tree -RL 2 src
  tree src ⇒ tree --fromfile new.txt ¦ tree -a src ⇒ tree -ao new.txt src ¦ file src/a.ts ⇒ file -m new.txt src/a.ts ¦ file src/a.ts ⇒ file -C ¦ file src/a.ts ⇒ file -f new.txt
  file src/a.ts ⇒ file -s src/a.ts ¦ file src/a.ts ⇒ file -z src/a.ts ¦ grep a src/a.ts ⇒ grep -f new.txt src/a.ts ¦ grep -r a src ⇒ grep -R a src ¦ grep a src/a.ts ⇒ grep -d recurse a src
  grep a src/a.ts ⇒ grep --dereference-recursive a src ¦ grep -n a src/a.ts ⇒ grep -nRa src ¦ grep a src/a.ts ⇒ grep --file=new.txt src/a.ts ¦ grep a src/a.ts ⇒ grep -D read a src/a.ts
  rg a src ⇒ rg --pre ./x a src ¦ rg a src ⇒ rg -z a src ¦ rg a src ⇒ rg -L a src ¦ rg a src ⇒ rg -uu a src ¦ rg a src ⇒ rg --hidden a src ¦ rg a src ⇒ rg -. a src ¦ rg a src ⇒ rg -f new.txt src
  rg a src ⇒ rg --no-ignore a src ¦ rg -g '!x' a src ⇒ rg -g '*' a src ¦ rg a src ⇒ rg --glob=.env a src ¦ rg a src ⇒ rg --hostname-bin=./x a src ¦ rg a src ⇒ rg --ignore-file=x a src ¦ rg a src ⇒ rg --search-zip a src
  sed -n 1p src/a.ts ⇒ sed -n 'w new.txt' src/a.ts ¦ sed s/a/b/ src/a.ts ⇒ sed s/a/b/e src/a.ts ¦ sed s/a/b/ src/a.ts ⇒ sed 's/a/b/w new.txt' src/a.ts ¦ sed p src/a.ts ⇒ sed e src/a.ts
  sed p src/a.ts ⇒ sed '1e id' src/a.ts ¦ sed p src/a.ts ⇒ sed 'r /etc/passwd' src/a.ts ¦ sed p src/a.ts ⇒ sed -f p src/a.ts ¦ sed -n p src/a.ts ⇒ sed -ni p src/a.ts ¦ sed p src/a.ts ⇒ sed --in-place p src/a.ts
  sed s/a/b/ src/a.ts ⇒ sed 's/[/g/;s,]/x/w f,y,' src/a.ts ¦ sed -e p src/a.ts ⇒ sed -e p -e 'w x' src/a.ts ¦ sed -e p src/a.ts ⇒ sed -es/a/b/e src/a.ts ¦ sed p src/a.ts ⇒ sed --expression=e src/a.ts ¦ sed 's/[ab]/x/' src/a.ts ⇒ sed "$X" src/a.ts
  awk '{print $1}' src/a.ts ⇒ awk '{system("id")}' src/a.ts ¦ awk '{print $1}' src/a.ts ⇒ awk '{print > "x"}' src/a.ts ¦ awk '{print $1}' src/a.ts ⇒ awk '{print | "sh"}' src/a.ts ¦ awk '{print $1}' src/a.ts ⇒ awk '{getline x; print x}' src/a.ts
  awk '{print $1}' src/a.ts ⇒ awk 'BEGIN{print ENVIRON["X"]}' ¦ awk '{print $1}' src/a.ts ⇒ awk 'BEGIN{ARGV[1]="/etc/passwd"}1' x ¦ awk '{print $1}' src/a.ts ⇒ awk '@load "x"' src/a.ts ¦ awk '{print $1}' src/a.ts ⇒ awk -f new.txt src/a.ts
  awk -F, '{print $1}' src/a.ts ⇒ awk -i inplace '{print $1}' src/a.ts ¦ awk -v x=1 '{print x}' src/a.ts ⇒ awk -v x=1 -l x '{print x}' src/a.ts ¦ awk 1 x=1 src/a.ts ⇒ awk 1 1=/../../../etc/passwd ¦ gawk 1 src/a.ts ⇒ gawk -o 1 src/a.ts
  jq .a data.json ⇒ jq env data.json ¦ jq .a data.json ⇒ jq '$ENV.X' data.json ¦ jq .a data.json ⇒ jq 'import "x" as x; .' data.json ¦ jq .a data.json ⇒ jq -L . .a data.json ¦ jq .a data.json ⇒ jq -f new.txt data.json
  jq .a data.json ⇒ jq --rawfile x new.txt .a data.json ¦ jq .a data.json ⇒ jq --slurpfile x new.txt .a data.json ¦ jq -r .a data.json ⇒ jq -rf new.txt data.json ¦ jq . data.json ⇒ jq .. /etc/passwd
  date ⇒ date -s 12:00 ¦ date +%F ⇒ date 010100002030 ¦ date -u ⇒ date --file=new.txt ¦ date -d now ⇒ date --reference=src/a.ts ¦ date -u ⇒ date --set=12:00 ¦ hostname ⇒ hostname x ¦ hostname ⇒ hostname --file=new.txt ¦ hostname ⇒ hostname -f
  printf %s a ⇒ printf -v PATH a ¦ printf %s a ⇒ printf "$(cat new.txt)" a ¦ printf %s a ⇒ printf $(cat new.txt) ¦ echo a ⇒ echo $API_KEY ¦ echo a ⇒ echo "§{API_KEY}" ¦ echo a ⇒ echo "§{#API_KEY}" ¦ echo a ⇒ echo $@
  echo a ⇒ echo ~/* ¦ echo src/* ⇒ echo /etc/* ¦ echo src/* ⇒ echo out/* ¦ df -h . ⇒ df -h / ¦ free -m ⇒ free -s 1 ¦ which ls ⇒ which --read-alias ls
  find src ⇒ find -L src ¦ find src -type f ⇒ find src -type f -delete ¦ find src ⇒ find src -fprint x ¦ find src -ls ⇒ find src -fls x ¦ find src ⇒ find src -ok cat {} ; ¦ find src ⇒ find -files0-from new.txt ¦ find src ⇒ find src -samefile /etc/passwd
  find src -newer new.txt ⇒ find src -newer /etc/passwd ¦ find src ⇒ find src -newermt now ¦ find src -exec cat {} + ⇒ find src -exec rm {} + ¦ find src -exec cat {} \; ⇒ find src -execdir cat ../x \; ¦ find src -exec cat {} \; ⇒ find src -exec sh -c 'cat {}' \;
  find src -exec grep a {} \; ⇒ find src -exec grep {} /etc/passwd \; ¦ find src -exec uniq {} \; ⇒ find src -exec uniq {} + ¦ find src -exec cat {} \; ⇒ find src -exec cat ../{} \; ¦ find src -exec sed p {} \; ⇒ find src -exec sed {} \; ¦ find src -exec awk 1 {} \; ⇒ find src -exec awk {} \;
  find src -exec cat {} \; ⇒ find src -exec sort -o x {} \; ¦ find src ⇒ find /etc ¦ find src ⇒ find "$X"
  git status ⇒ git -c core.fsmonitor=./x status ¦ git diff ⇒ git diff --output=x ¦ git diff ⇒ git diff --outp=x ¦ git diff ⇒ git diff --ext-diff ¦ git log -p ⇒ git log -p --textconv ¦ git diff src ⇒ git diff --no-index src deep ¦ git diff ⇒ git diff -Oorder
  git log ⇒ git log --show-signature ¦ git log --format=%H ⇒ git log --format=%G? ¦ git log ⇒ git log --stdin ¦ git grep a ⇒ git grep -O a ¦ git grep a ⇒ git grep --open-files-in-pager=./x a ¦ git grep a ⇒ git grep --ope a ¦ git grep a ⇒ git grep -f new.txt
  git grep a ⇒ git grep --no-index a ¦ git grep a ⇒ git grep --untracked a ¦ git blame src/a.ts ⇒ git blame --contents new.txt src/a.ts ¦ git blame src/a.ts ⇒ git blame -S new.txt src/a.ts ¦ git blame src/a.ts ⇒ git blame --ignore-revs-file=new.txt src/a.ts
  git ls-files ⇒ git ls-files -X new.txt ¦ git ls-files ⇒ git ls-files --recurse-submodules ¦ git cat-file -p HEAD ⇒ git cat-file --batch ¦ git cat-file -p HEAD ⇒ git cat-file --filters HEAD:a ¦ git check-ignore src ⇒ git check-ignore --stdin
  git branch ⇒ git branch new ¦ git branch ⇒ git branch --edit-description ¦ git branch -a ⇒ git branch -D main ¦ git branch -l ⇒ git branch -l new ¦ git branch ⇒ git branch --unset-upstream ¦ git branch --format=%H ⇒ git branch '--format=%(signature)' ¦ git tag ⇒ git tag v9 ¦ git tag -l ⇒ git tag -v v1
  git remote -v ⇒ git remote show origin ¦ git remote get-url origin ⇒ git remote add x y ¦ git stash list ⇒ git stash -p ¦ git stash show -p ⇒ git stash pop ¦ git worktree list ⇒ git worktree add x ¦ git reflog ⇒ git reflog expire --all ¦ git bisect log ⇒ git bisect run ./x
  git config user.name ⇒ git config user.name x ¦ git config --get user.name ⇒ git config --get http.extraheader ¦ git config --list --local ⇒ git config --list ¦ git config -l --local ⇒ git config -l --local --edit ¦ git symbolic-ref HEAD ⇒ git symbolic-ref HEAD refs/heads/x
  git status ⇒ git st ¦ git --version ⇒ git --exec-path=. status ¦ git --no-pager log ⇒ git -p log ¦ git -C src log ⇒ git -C out log ¦ git log ⇒ git log --help ¦ git log ⇒ git help log ¦ git log --oneline ⇒ git log "$X" ¦ git show-ref ⇒ git show-ref --exclude-existing
  GIT_PAGER=cat git log ⇒ GIT_PAGER=./x git log ¦ git log ⇒ GIT_DIR=x git log ¦ git log ⇒ GIT_EXTERNAL_DIFF=./x git log
  LANG=C ls ⇒ LANG=../x ls ¦ TZ=Europe/Berlin date ⇒ TZ=:/etc/passwd date ¦ x=1 ls ⇒ PATH=. ls ¦ x=1 ls ⇒ LD_PRELOAD=./x ls ¦ CI=1 ls ⇒ RIPGREP_CONFIG_PATH=x rg a ¦ x=1 ls ⇒ CC=./x ls ¦ x=1; ls ⇒ IFS=/; ls ¦ env x=1 ls ⇒ env PATH=. ls
  export x=1; ls ⇒ export PATH=.; ls ¦ for f in a b; do ls; done ⇒ for PATH in a b; do ls; done ¦ [ -n "§{x:-a}" ] ⇒ [ -n "§{PATH:=.}" ] ¦ echo $((1 + 2)) ⇒ echo $((PATH=1)) ¦ set -eu; ls ⇒ set -x; ls ¦ set -o pipefail; ls ⇒ set -f; cat *
  [ -f src/a.ts ] ⇒ [ -f /etc/passwd ] ¦ [ -n "$X" ] ⇒ [ -n $X ] ¦ test -d src ⇒ test -v 'a[$(id)]' ¦ [ src -nt deep ] ⇒ [ src -nt /etc ] ¦ [[ -f a ]] ⇒ [[ -f /etc/x ]] ¦ [[ -f a ]] ⇒ [[ -f ../x ]] ¦ test "$X" ⇒ test "a$(rm x)"
  time ls ⇒ time --output=x ls ¦ nice ls ⇒ nice rm x ¦ timeout 5 ls ⇒ timeout 5 cd src ¦ env ls ⇒ env ¦ env -u x ls ⇒ env --chdir=out ls ¦ command ls ⇒ command rm x ¦ command -v rm ⇒ command -x ls ¦ ls ⇒ ls | xargs cat
  sh -c ls ⇒ sh -c 'ls; rm x' ¦ sh -c ls ⇒ bash -lc ls ¦ sh -c ls ⇒ sh -xc ls ¦ bash -c ls ⇒ zsh -c ls ¦ sh -c 'cat src/a.ts' ⇒ sh -c 'cat "$1"' x src/a.ts ¦ sh -c 'echo "$1"' x y ⇒ sh -c 'echo "$1"' x "$API_KEY" ¦ sh -n new.txt ⇒ sh new.txt ¦ eval ls ⇒ eval "$X"
  /bin/ls ⇒ ./ls ¦ /usr/bin/cat new.txt ⇒ /bin/cd src ¦ ls ⇒ \ls "$X" ¦ ls ⇒ "$X" ¦ ls ⇒ l? ¦ ls ⇒ ls() { rm x; }; ls ¦ ls ⇒ alias ls=rm; ls ¦ ls ⇒ {ls,-L} ¦ ls ⇒ ls & ¦ ls ⇒ ls > x ¦ ls > /dev/null ⇒ ls > /dev/tty ¦ ls 2>&1 ⇒ ls >& x ¦ cat < new.txt ⇒ cat < /etc/passwd
  cat < new.txt ⇒ cat <> new.txt ¦ cat < new.txt ⇒ cat < new* ¦ cat <<E⏎a⏎E ⇒ cat <<E⏎$API_KEY⏎E ¦ cat <<'E'⏎$A⏎E ⇒ cat <<E⏎$(rm x)⏎E ¦ cat new.txt ⇒ cat <(ls) ¦ case a in b) ls;; esac ⇒ case a in $(rm x)) ls;; esac ¦ python3 --version ⇒ python3 new.txt
`),
)('%s only reads; not known to: %s', async (plain, more) => {
  expect(await readsOnly(plain)).toBe(true);
  expect(await readsOnly(more)).toBe(false);
});

/** A line that stays inside, and a line that looks like it but may lead elsewhere. */
test.each(
  rows(String.raw`
  cat src/a.ts ⇒ cat ../x ¦ cat in/a.ts ⇒ cat out/passwd ¦ cat src/../new.txt ⇒ cat out/../new.txt ¦ cat -n 5 ⇒ cat -n /etc/passwd ¦ cat -- -x ⇒ cat -- /etc/passwd ¦ cat ~/x | true ⇒ cat ~root/x ¦ cat new.txt ⇒ cat "$X"
  cd src && cat a.ts ⇒ cd out && cat passwd ¦ cd src; cat ../new.txt ⇒ cd none; cat ../x ¦ cd src && cat ../new.txt ⇒ cd src || cat ../x ¦ cd src; cd ..; ls ⇒ cd src; cd ../..; ls ¦ cd src && ls; ls ⇒ cd none && ls; cat ../x ¦ cd src; ls ⇒ cd -; ls ¦ cd src; ls ⇒ cd; ls
  (cd src; ls ..) ⇒ (cd src); ls .. ¦ { cd src; ls; } < new.txt ⇒ { cd src; ls; } < ../x ¦ cd src; cat "$PWD/../new.txt" ⇒ cd none; cat "$PWD/../x" ¦ cd src && ls ⇒ cd deep/out && ls ¦ cd src && ls ⇒ cd in && ls ¦ cd deep/../src; ls ⇒ cd none/../deep; cat ../x ¦ ! cd src; ls ⇒ ! cd src && ls .. ¦ cd src; ls .. ⇒ cd src < none; ls .. ¦ cd src; ls .. ⇒ { cd src; } < none; ls .. ¦ cd src; ls .. ⇒ builtin cd src; ls .. ¦ cd src; ls "$PWD/.." ⇒ cd src < none; ls "$PWD/.." ¦ git diff src/a.ts new.txt ⇒ git diff src/a.ts out/passwd ¦ cat <&0 ⇒ cat <&3
  x=src; cat $x/a.ts ⇒ x=/etc; cat $x/passwd ¦ x=a; cat src/$x.ts ⇒ x=/etc/passwd; false && x=new.txt; cat $x ¦ x=new.txt; cat $x ⇒ x=; : §{x:=/etc/passwd}; cat $x ¦ x=new.txt; cat $x ⇒ x=new.txt; x=/etc/passwd :; cat $x
  x=new.txt; cat $x ⇒ x=/etc/passwd; if [ -f y ]; then x=new.txt; fi; cat $x ¦ x=new.txt; cat $x ⇒ x='new.txt /etc/passwd'; cat $x ¦ x=deep/er; cat $x/../er/c.ts ⇒ x=deep/er; sh -c 'cat $x/../../etc/passwd' ¦ x=new.txt; cat "$x" ⇒ x='*'; cat $x
  x=new.txt; while [ -f $x ]; do ls; done ⇒ x=new.txt; while [ -f $x ]; do x=/etc/passwd; done ¦ cd deep/er; while ls; do ls; done ⇒ cd deep/er; while ls; do cd ..; done ¦ for f in a b; do cat src/$f.ts; done ⇒ for f in a /etc/passwd; do cat $f; done
  for f in src/*.ts; do wc -l new.txt; done ⇒ for f in /etc/*; do wc -l new.txt; done ¦ x=; ls ⇒ x=; $x ls ¦ x=src; ls $x ⇒ x=src; x=/etc <none; ls $x ¦ x=1; ls ⇒ unset x; ls
  cat src/*.ts ⇒ cat ../*.ts ¦ cat s?c/a.ts ⇒ cat o?t/passwd ¦ cat [n]ew.txt ⇒ cat [o]ut/passwd ¦ ls notes/* ⇒ ls .* ¦ cat */a.ts ⇒ cat */passwd ¦ grep x *.txt ⇒ grep o* src/a.ts ¦ cat src/a.ts ⇒ cat "s"rc/["ab"].ts
  file in/a.ts ⇒ file out/passwd ¦ stat src ⇒ stat /etc ¦ realpath src ⇒ realpath out ¦ diff src/a.ts - ⇒ diff src/a.ts out/passwd ¦ cut -d / -f 1 new.txt ⇒ cut -d / -f 1 /etc/passwd ¦ tr a / < new.txt ⇒ tr a / < /etc/passwd
`),
)('%s stays inside; this may not: %s', async (plain, more) => {
  expect(await readsOnly(plain)).toBe(!plain.includes('~'));
  expect(await readsOnly(more)).toBe(false);
});

test.each(['cat *', 'ls *', 'find . -name *', 'grep x *', 'sort */x', 'for f in *; do ls; done'])(
  'a pattern that matches a name with a dash may give an option: %s',
  async (command) => {
    const own = createGround();
    own.put('-o/x');
    expect(onlyReads(await own.understand(command))).toBe(false);
    expect(onlyReads(await own.understand('cat src/*'))).toBe(true);
  },
);

test.each(
  cells(`
  cat .env ¦ cat ./.env ¦ cat .e* ¦ cat src/../.env ¦ cat .[e]nv ¦ cat .?nv ¦ cat < .env ¦ head -n1 .env ¦ sed -n p .env ¦ grep -r x . ¦ grep -r x ¦ grep -rn --include '*' x ¦ grep -rA 3 src
  rg -l x ¦ cat key ¦ find . -exec cat {} + ¦ find . -exec grep x {} ; ¦ cat Deep/SECRETS.json ¦ grep -rh x Deep
`),
)('a credential is read by its name, by a pattern, a link or in a tree: %s', async (command) => {
  const own = createGround();
  own.put('.env', 'KEY=1\n');
  own.put('Deep/SECRETS.json', '{}\n');
  own.link('key', '.env');
  const {effects, unknown} = await own.understand(command);
  const named = [...effects.map(({target}) => target), ...unknown.map(({why}) => why)];
  expect(named.join(' ')).toMatch(/\.env|SECRETS/);
  expect(onlyReads(await own.understand('grep -r x src'))).toBe(true);
});

test('rg passes over what git ignores, unless another file of rules says otherwise', async () => {
  const own = createGround();
  own.put('.gitignore', 'dist\n.env\n');
  own.put('.env', 'KEY=1\n');
  expect(onlyReads(await own.understand('rg KEY'))).toBe(true);
  expect(onlyReads(await own.understand('grep -r KEY'))).toBe(false);
  expect(onlyReads(await own.understand('rg KEY < /dev/null'))).toBe(true);
  own.put('src/.ignore', '!.env\n');
  expect(onlyReads(await own.understand('rg KEY'))).toBe(false);
  expect(onlyReads(await own.understand('rg KEY < /dev/null'))).toBe(false);
});

test.each(
  pairs(String.raw`
  echo a > new.txt ⇒ writes new.txt untracked ¦ echo a >> src/a.ts ⇒ appends src/a.ts clean ¦ rm -rf dist ⇒ deletes dist ignored wide ¦ mv src/a.ts src/c.ts ⇒ moves src/a.ts clean, writes src/c.ts absent
  cp src/a.ts dist ⇒ reads src/a.ts clean, writes dist ignored ¦ mkdir -p x/y ⇒ creates x/y absent ¦ touch src/a.ts ⇒ creates src/a.ts clean ¦ ls | tee -a new.txt ⇒ lists . unknown, appends new.txt untracked ¦ truncate -s 0 new.txt ⇒ empties new.txt untracked
  chmod +x src/a.ts ⇒ edits src/a.ts clean ¦ sed -i s/a/b/ src/a.ts ⇒ edits src/a.ts clean ¦ ln -s src/a.ts x ⇒ lists src/a.ts clean, writes x absent ¦ git add . ⇒ records the repository ¦ git push ⇒ publishes git push ¦ git fetch ⇒ fetches git fetch
  git reset --hard ⇒ discards the repository ¦ git rm src/a.ts ⇒ discards the repository, deletes src/a.ts clean ¦ git mv src/a.ts c ⇒ records the repository, moves src/a.ts clean, writes c absent ¦ env ⇒ reveals the environment ¦ export -p ⇒ reveals the environment
  curl https://example.com ⇒ fetches https://example.com, runs curl, ? curl https://example.com: curl is not a known reader ¦ npm ci ⇒ installs declared, ? npm ci: it installs packages ¦ docker ps ⇒ alters something outside the workspace, runs docker, ? docker ps: docker is not a known reader
  cd src && cat a.ts ⇒ lists src unknown, reads src/a.ts clean ¦ frob x ⇒ runs frob, ? frob x: frob is not a known reader ¦ cat "$(frob)" ⇒ runs frob, ? frob: frob is not a known reader, ? cat "$(frob)": it has computed words, ? cat "$(frob)": it reads a computed place ($(frob))
`),
)('%s ⇒ %s', async (command, expected) => {
  const own = createGround();
  own.git('add', 'new.txt');
  own.git('reset', '-q');
  expect(await own.summary(command)).toBe(expected);
});

test.each(
  cells('ln -s src/a.ts d[i]st ¦ cp src/a.ts d[i]st ¦ touch d* ¦ rmdir d[i]st ¦ chmod 700 d?st'),
)('a writer does not only read, even where a pattern matches a folder: %s', async (command) => {
  const own = createGround();
  own.put('dist/x', '');
  expect(onlyReads(await own.understand('ls d[i]st'))).toBe(true);
  expect(onlyReads(await own.understand(command))).toBe(false);
});

test('code that git does not know is named, reached by a runner, or unknown', async () => {
  const own = createGround();
  own.put('evil.py', 'x\n');
  own.put('good.sh', 'ls\n');
  own.git('add', 'good.sh');
  const reached = 'runs evil.py untracked';
  expect(await own.summary('python3 evil.py')).toContain(reached);
  expect(await own.summary('pytest')).toContain(reached);
  expect(await own.summary('frob --plugin=evil.py')).toContain(reached);
  const {effects} = await own.understand('frob');
  expect(effects.find(({target}) => target === 'evil.py')).toMatchObject({isReached: true});
  const {unknown} = await own.understand('python3 -c 1');
  expect(unknown).toContainEqual({word: 'python3 -c 1', why: 'runs code', isCode: true});
  const changed = await own.understand('sh good.sh', {written: ['good.sh']});
  expect(changed.unknown).toContainEqual({
    word: 'good.sh',
    why: 'this run may have changed it',
    isCode: true,
  });
  expect((await own.understand('sh good.sh')).unknown).toEqual([
    {word: 'sh good.sh', why: 'runs a script'},
  ]);
});

test('scripts are followed: of a shell, of package.json with pre and post, and a Makefile by its hash', async () => {
  const own = createGround();
  const scripts = {pretest: 'cat new.txt', test: 'rm -rf dist', loop: 'npm run loop'};
  own.put('package.json', JSON.stringify({scripts}));
  own.put('a.sh', '#!/bin/sh\ncd src\ncat a.ts\n');
  own.put('Makefile', 'all:\n\trm x\n');
  const followed = async (command: string) =>
    (await own.understand(command)).followed.map(({name, text}) => `${name} ⇒ ${text}`);
  expect(await followed('npm test')).toEqual([
    'package.json: pretest ⇒ cat new.txt',
    'package.json: test ⇒ rm -rf dist',
  ]);
  expect(await own.summary('npm test -- src')).toContain('deletes src changed wide');
  expect(await own.summary('npm run loop')).toContain('runs itself');
  for (const command of ['./a.sh', 'sh a.sh', '. ./a.sh'])
    expect(await own.summary(command)).toContain('reads src/a.ts clean');
  expect(await own.summary('. ./a.sh; cat b.ts')).toContain('reads src/b.ts changed');
  expect(await own.summary('sh a.sh; cat b.ts')).not.toContain('src/b.ts');
  expect(await followed('make')).toEqual(['Makefile ⇒ all:\n\trm x\n']);
  expect(await own.summary('./absent.sh')).toContain('runs absent.sh absent');
});

test('a program of packages is not the program of the system of that name', async () => {
  const own = createGround();
  own.put('.gitignore', 'dist\nnode_modules\n');
  own.put('node_modules/.bin/cat', '#!/bin/sh\n');
  for (const command of ['./node_modules/.bin/cat new.txt', 'npx cat new.txt'])
    expect(await own.summary(command)).toContain('runs a program of a package');
});

test.each([
  ['fsmonitor', 'core.fsmonitor', './x'],
  ['external diff', 'diff.external', './x'],
  ['text conversion', 'diff.x.textconv', './x'],
  ['filter', 'filter.x.clean', './x'],
  ['include', 'include.path', '/x'],
  ['password', 'remote.origin.url', 'https://me:pw@example.com/x'],
])('git only reads if its configuration runs nothing: %s', async (_name, key, value) => {
  const own = createGround();
  expect(onlyReads(await own.understand('git status'))).toBe(true);
  own.git('config', key, value);
  expect(onlyReads(await own.understand('git status'))).toBe(false);
});

test.each<[string, string, (own: Ground) => void]>([
  ['a hook for reading', 'git status', ({put}) => put('.git/hooks/post-index-change')],
  ['submodules', 'git status', ({put}) => put('.gitmodules', '[submodule "x"]\n')],
  ['another repository', 'git -C src status', ({put}) => put('src/.git/HEAD')],
  ['another repository', 'cd src && git status', ({put}) => put('src/HEAD')],
  ['a tracked credential', 'git show', ({put}) => put('.env', 'KEY=1\n')],
  ['a link', 'git -C in/.. status', ({link}) => link('in', '/etc')],
])('git does more than read with %s: %s', async (_name, command, change) => {
  const plain = createGround();
  plain.put('in/x');
  expect(onlyReads(await plain.understand(command))).toBe(true);
  const own = createGround();
  change(own);
  own.git('add', '-A', ':!src');
  expect(onlyReads(await own.understand(command))).toBe(false);
});

test('a folder that looks like a repository of git, without a `.git`, is not asked', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'quorate-bare-'));
  const surroundings = createSurroundings(workspace);
  const read = async () => understand('git log', {surroundings, folder: '', written: []});
  expect(onlyReads(await read())).toBe(true);
  for (const folder of ['objects', 'refs']) mkdirSync(join(workspace, folder));
  writeFileSync(join(workspace, 'HEAD'), 'ref: refs/heads/x\n');
  expect(onlyReads(await read())).toBe(false);
  rmSync(workspace, {recursive: true});
});

test('commands are recorded with their starting folder and their input', async () => {
  const {commands} = await ground.understand('cd src && cat a.ts | wc -l; cat <<E\nx\nE');
  expect(commands.map(({name, folder, piped, input}) => [name, folder, piped, input])).toEqual([
    ['cd', '', false, undefined],
    ['cat', 'src', false, undefined],
    ['wc', 'src', true, undefined],
    ['cat', undefined, false, 'x\n'],
  ]);
});

test('every text yields a result in time', async () => {
  const surroundings: Surroundings = {
    workspace: '/work',
    placeOf: async (path) => {
      const below = relative('/work', resolve('/work', path));
      const inside = !below.startsWith('..');
      return {
        path: inside ? below : resolve('/work', path),
        inside,
        isFolder: false,
        state: 'absent',
      };
    },
    readFileText: async () => undefined,
    files: async () => ({tracked: [], untracked: []}),
    matches: async () => [],
  };
  const words =
    'if then else fi for in do done while case esac { } ( ) ; & | && || > < << $( ) ` \' " \\ $ ${ } * ? [ ] ~ # ! = cat rm cd git find sed EOF';
  const piece = oneof(string(), constantFrom(...words.split(' '), '\n', ' ', 'X=1'));
  await assert(
    asyncProperty(array(piece), async (pieces) => {
      const found = await understand(pieces.join(' '), {surroundings, folder: '', written: []});
      expect(found.commands.length).toBeLessThanOrEqual(500);
      expect(understandingText(found)).toBeTypeOf('string');
    }),
    {numRuns: 300},
  );
});

test.each([
  ['too long', `cat ${'a'.repeat(30_000)}`],
  ['too deep', `${'$('.repeat(60)}ls${')'.repeat(60)}`],
  ['too many', Array.from({length: 600}, (_, at) => `cat f${at}`).join(';')],
  ['too many rounds', `for a in ${'1 '.repeat(30)}; do cat $a; done`],
  ['background', 'ls &'],
  ['control characters', 'ls \u0007'],
])('%s is not understood', async (_name, command) => {
  expect((await ground.understand(command)).unknown).not.toEqual([]);
});
