/** What is understood of compilers and of what builds by rules, and what must not be. */

import {expect, test} from 'vitest';

import {readingOf, told} from '../reading.ts';

const rules = 'loads GNUmakefile, loads makefile, loads Makefile, runs make';
const targets = 'make-targets ';

test.each([
  ['make', targets],
  ['make -j4 all', 'make-targets  all'],
  ['make -C sub test', 'make-targets  test in sub'],
  ['make -f x.mk', 'make-targets x.mk'],
  ['make V=1 build', 'make-targets  V=1 build'],
  ['make deploy', 'make-targets  deploy'],
  ['make -n', rules],
  ['make -n -C sub test', rules.replaceAll(/file(?=,)/g, 'file in sub')],
  ['make -f x.mk -f y.mk', 'code x.mk, code y.mk, runs make'],
  ['make --version', ''],
  ['just build', 'loads justfile, loads Justfile, loads .justfile, runs just'],
  [
    'cmake -S . -B build -DCMAKE_BUILD_TYPE=Release',
    'reads-tree ., writes-tree build, runs the build, code ./CMakeLists.txt',
  ],
  ['cmake ..', 'runs the build, reads-tree .., code ../CMakeLists.txt, edits Makefile'],
  ['cmake --build build --target all -j4', 'code build, runs the build'],
  ['ctest --output-on-failure', 'runs the tests'],
  ['ninja -C build', 'runs the build in build, loads build.ninja in build'],
  ['gcc -Wall -O2 -o app a.c -lm', 'writes app, reads a.c'],
  ['gcc -c src/a.c', 'reads src/a.c, writes a.o'],
  ['g++ -std=c++20 a.cpp', 'reads a.cpp, writes a.out'],
  ['gcc -fsyntax-only a.c', 'reads a.c'],
  ['gcc -o .git/hooks/pre-commit x.c', 'writes .git/hooks/pre-commit, reads x.c'],
  ['gcc -I/usr/include -o.bashrc x.c', 'lists /usr/include, writes .bashrc, reads x.c'],
  ['cargo build --release', 'installs declared, runs the build'],
  ['cargo test -p app -- --nocapture', 'installs declared, runs the tests'],
  ['cargo clippy --fix --allow-dirty', 'installs declared, runs the build, edits-tree .'],
  ['cargo fmt', 'edits-tree .'],
  ['cargo fmt -- --check', ''],
  ['cargo fmt --all --check', ''],
  ['cargo clean', 'deletes-tree target'],
  ['cargo build --target-dir=src', 'writes-tree src, installs declared, runs the build'],
  ['cargo vendor src', 'installs declared, deletes-tree src'],
  ['cargo add serde', 'installs serde'],
  ['cargo publish', 'publishes packages'],
  ['rustc -o app a.rs', 'writes app, reads a.rs'],
  ['go build ./...', 'installs declared, runs the build, lists .'],
  ['go test ./... -run TestA -count=1', 'installs declared, runs the tests, lists .'],
  ['go test ../x/...', 'installs declared, runs the tests, lists ../x'],
  ['go test -coverprofile=src/a.go', 'writes src/a.go, installs declared, runs the tests'],
  ["go build -ldflags='-X main.version=1 -s -w'", 'installs declared, runs the build'],
  ['go vet ./...', 'runs the build, lists .'],
  ['go mod tidy', 'installs declared'],
  ['go run ./cmd/app', 'installs declared, code ./cmd/app'],
  ['go run main.go', 'installs declared, code main.go'],
  ['go fmt ./...', 'edits-tree .'],
  ['go get example.com/x', 'installs example.com/x'],
  ['gofmt -l .', 'reads-tree .'],
  ['gofmt -w src', 'edits-tree src'],
])('%s is understood', (command, acts) => {
  expect(told(readingOf(command))).toBe(acts);
});

test.each(['make test', 'cargo test', 'go test ./...', 'ctest', 'cargo nextest run'])(
  '%s counts as running the tests',
  (command) => expect(readingOf(command).isTest).toBe(true),
);

test.each([
  'make -n test',
  'make build',
  'cargo test --no-run',
  'cargo test -- --list',
  'go test -list .',
])('%s does not', (command) => expect(readingOf(command).isTest).toBeUndefined());

test.each([
  'make SHELL=./evil.sh',
  'make CC=./evil',
  'make CFLAGS=-fplugin=x',
  "make ARGS='; rm -rf src'",
  'make "$x"',
  'make -n deploy',
  'make -q publish-all',
  'make -t install',
  'make -f -',
  "make --eval='$(shell x)'",
  'make -E x',
  "just build 'a; rm -rf src'",
  'just --set x y',
  'cmake -E rm -rf src',
  'cmake -P evil.cmake',
  'cmake -DCMAKE_C_COMPILER=./evil .',
  'cmake -DCMAKE_PROJECT_INCLUDE=evil.cmake .',
  'cmake -DX_LAUNCHER=evil .',
  'cmake --install build',
  'ctest -S evil.cmake',
  'ninja -t clean',
  'gcc -wrapper ./evil a.c',
  'gcc -fplugin=./evil.so a.c',
  'gcc -B. a.c',
  'gcc -specs=evil a.c',
  'gcc -Wl,--plugin,x a.c',
  'gcc -Wp,-MD,src/a.c a.c',
  'gcc @evil',
  'gcc -save-temps a.c',
  'clang -Xclang -load a.c',
  'gcc "$x"',
  'cargo --config build.rustc=./evil build',
  'cargo build --config x=y',
  'cargo frobnicate',
  'rustc -C linker=./evil a.rs',
  'rustc --emit=asm=src/a.ts a.rs',
  'rustc @evil',
  'go build -toolexec=./evil ./...',
  'go test -exec=./evil ./...',
  "go build -ldflags='-extld=./evil'",
  'go vet -vettool=./evil ./...',
  'go run evil.test/x@latest',
  'go env -w GOFLAGS=-toolexec=x',
  'go mod edit -replace=a=b',
  'go build -overlay=x.json',
  'gotestsum --post-run-command=x',
  'gotestsum -- -exec=./evil',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? /);
});
