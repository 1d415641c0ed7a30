/** Targets of a Makefile: the effects of their recipes, and files that can only be judged as a whole. */

import {spawnSync} from 'node:child_process';

import {afterAll, expect, test} from 'vitest';

import {createGround, type Ground} from './understood.ts';

const standing = createGround(afterAll);

function groundWith(makefile: string, ground = createGround()): Ground {
  ground.put('Makefile', makefile);
  ground.git('add', 'Makefile');
  return ground;
}

const plain = String.raw`# What to do; with what.
NAME := src
FILES = $(NAME)/a.ts $(LAST) # the first of them
LAST = $(NAME)/b.ts
Q = @
.PHONY: all show clean
.DEFAULT_GOAL := show

all: show \
     clean
show: new.txt
	$(Q)cat $(FILES)

	@-cat $<
clean: ; true $$HOME && rm -rf dist $(NAME)
twice: show
	for f in $(FILES); do \
	  cat $$f; \
	done
sub:
	+$(MAKE) -C . show
`;

const shown = 'reads src/a.ts clean, reads src/b.ts changed, reads new.txt untracked';
const cleaned = 'deletes dist ignored wide, deletes src changed wide';

test.each([
  ['make', shown],
  ['make show', shown],
  ['make ./show', shown],
  ['make -s -j2 --no-print-directory show', shown],
  ['make show show', shown],
  ['make twice', `${shown}, reads src/a.ts clean, reads src/b.ts changed`],
  ['make sub', shown],
  ['make clean', cleaned],
  ['make all', `${shown}, ${cleaned}`],
  ['make show clean', `${shown}, ${cleaned}`],
  ['make clean NAME=dist', 'deletes dist ignored wide'],
  ['cd src && make -C .. show', shown],
  ['make -f Makefile', shown],
  ['CI=1 make show', shown],
  ['make | tail -5', shown],
])(
  'a target has the effects of its prerequisites and of its recipe: %s',
  async (command, expected) => {
    expect(await groundWith(plain, standing).summary(command)).toBe(expected);
  },
);

const hasMake = spawnSync('make', ['--version']).status === 0;

test.runIf(hasMake).each(['all', 'twice', 'clean'])(
  'make itself reads the recipe of %s so',
  async (target) => {
    const ground = groundWith(plain, standing);
    const {followed} = await ground.understand(`make ${target}`);
    const {stdout} = spawnSync('make', ['-n', target], {cwd: ground.workspace, encoding: 'utf8'});
    const lines = followed.flatMap(({text}) => text.split('\n'));
    expect(lines.map((line) => line.replace(/^[@+-]+/, ''))).toEqual(stdout.trimEnd().split('\n'));
  },
);

test('a target is shown with its recipe and the hash of the file', async () => {
  const ground = groundWith('a: b\n\tls $@\nb:\n\tls src\n');
  const {followed} = await ground.understand('make');
  expect(followed).toMatchObject([
    {name: 'Makefile: b', text: 'ls src'},
    {name: 'Makefile: a', text: 'ls a'},
  ]);
  expect(new Set(followed.map(({hash}) => hash)).size).toBe(1);
});

const byFile = 'runs Makefile clean, runs make';

test.each([
  ['another file', 'include x.mk\na:\n\tls\n'],
  ['another file, if there is one', '-include x.mk\na:\n\tls\n'],
  ['a condition', 'ifdef X\na:\n\tls\nendif\n'],
  ['what runs while it is read', 'X := $(shell ls)\na:\n\tls\n'],
  ['what runs while it is read, two steps away', 'Y = $(shell ls)\nX := $(sort $(Y))\na:\n\tls\n'],
  ['what runs while it is read, appended', 'X := a\nX += $(shell ls)\na:\n\tls\n'],
  ['rules that are computed', '$(eval a: b)\na:\n\tls\n'],
  ['another shell', 'SHELL = ./evil\na:\n\tls\n'],
  ['another path', 'PATH := ./evil:$(PATH)\na:\n\tls\n'],
  ['variables for the programs', 'export X = 1\na:\n\tls\n'],
  ['one shell for a recipe', '.ONESHELL:\na:\n\tls\n'],
  ['another prefix', '.RECIPEPREFIX = >\na:\n\tls\n'],
  ['a variable of a target', 'a: X = 1\na:\n\tls\n'],
  ['a rule of two colons', 'a::\n\tls\n'],
  ['a rule for each of some', 'a b: %: x\n\tls\n'],
  ['two recipes', 'a:\n\tls\na:\n\tls src\n'],
  ['a rule for itself', 'Makefile:\n\tls\na:\n\tls\n'],
  [
    'a rule for itself, by its path',
    'src/../Makefile:\n\tls\na:\n\tls\n',
    'make -f src/../Makefile',
  ],
  ['letters that look like blanks', 'X = src\n\u00a0X = dist\na:\n\tls $(X)\n'],
  ['a rule for everything', '%:\n\tls\na:\n\tls\n'],
  ['a rule for an ending', '.sh:\n\tls\na:\n\tls\n'],
  ['places to look in', 'VPATH = src\na:\n\tls\n'],
  ['a definition', 'define X\nls\nendef\na:\n\tls\n'],
  ['a command in its first line', '\tls\na:\n\tls\n'],
  ['an unknown file', 'a: nowhere\n\tls\n'],
  ['a file that make makes', 'a: x.o\n\tls\n'],
  ['a pattern that may make it', 'a: x.out\n\tls\n%.out: %.in\n\trm -rf src\n'],
  ['prerequisites that are computed', 'a: $(wildcard src/*)\n\tls\n'],
  ['a variable that nobody set', 'a:\n\tls $(X)\n'],
  ['a variable that the environment may set', 'X ?= src\na:\n\tls $(X)\n', 'X=dist make'],
  ['a variable that holds itself', 'X = $(X)\na:\n\tls $(X)\n'],
  ['a word that is computed', 'a:\n\tls $(word 1,src dist)\n'],
  ['a program that is not known', 'a:\n\tfrobnicate\n'],
  ['variables for a make below it', 'a:\n\t$(MAKE) -C . b\nb:\n\tls $(V)\n', 'make V=1'],
  ['itself', 'a:\n\t$(MAKE) a\n'],
  ['shell text that can not be read', 'a:\n\tif ls\n'],
])('a file with %s is judged as a whole', async (_, makefile, command = 'make') => {
  const ground = groundWith(makefile, standing);
  const {effects, unknown} = await ground.understand(command);
  expect(unknown).toEqual([]);
  expect(effects.map(({kind, target}) => `${kind} ${target}`).join(', ')).toContain(
    'runs Makefile, runs make',
  );
});

test('harm in a recipe is reported even if other parts of it are not understood', async () => {
  const ground = groundWith('a: b\n\tfrobnicate $(X)\nb:\n\trm -rf src; $(foo)\n\trm -rf src\n');
  expect(await ground.summary('make')).toBe(`deletes src changed wide, ${byFile}`);
});

test('a target with a name that reaches out can only be judged when its recipe is understood', async () => {
  const ground = groundWith('deploy:\n\tls\npublish:\n\tfrobnicate\n');
  expect(await ground.summary('make deploy')).toBe('lists . unknown');
  expect(await ground.summary('make publish')).toContain('may reach out of the workspace');
});

test.each([
  ['x.sh', 'rm -rf src\n'],
  ['RCS/x', ''],
  ['x,v', ''],
])('a default rule of make for %s is not harmless', async (path, content) => {
  const ground = groundWith('a: x\n\tls\nx: b\nb: ; ls\n');
  const isPlain = async () => (await ground.summary('make a')) === 'lists . unknown';
  expect(await isPlain()).toBe(true);
  ground.put(path, content);
  expect(await isPlain()).toBe(false);
});

test('an unfinished file may be deleted', async () => {
  const ground = groundWith('.DELETE_ON_ERROR:\nsrc/a.ts:\n\techo >> $@; false\n');
  expect(await ground.summary('make')).toContain('deletes src/a.ts clean');
});

test('a file that the same command writes or prepends is not followed', async () => {
  const ground = groundWith('a:\n\tls\n');
  expect(await ground.summary("printf 'a:\\n\\tls' > Makefile && make")).toContain(
    'changes it before',
  );
  expect(await ground.summary('cp new.txt GNUmakefile && make')).toContain('changes it before');
  ground.put('GNUmakefile', 'a:\n\trm -rf src\n');
  expect(await ground.summary('make')).toContain('runs GNUmakefile untracked');
});
