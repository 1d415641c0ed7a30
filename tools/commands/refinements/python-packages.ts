/** Packages and environments of Python, and programs that start its servers. */

import type {Arguments, Invocation, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {fitting, valuesOf} from './given.ts';
import {modulesOf} from './python.ts';
import {act, all, onlyTasks, runsFiles, servesHere, withActs, withUnknown} from './refine.ts';

export const pythonPackages: Refinements = {
  pipDeclared: declared,
  uvRun: all(runsFile, byVersion),
  pythonByVersion: byVersion,
  runsPythonFile: runsFile,
  pyenvNames: onlyTasks(/^[a-z]\w*$/),
  pythonServer: all(
    servesHere('--host -b --bind'),
    onlyTasks(/^(?:[\w.]+:[\w.()]+|run|routes|serve|hello)$/),
    serves,
  ),
};

/** `pip install -r FILE`, `pip install -e .`: as the workspace declares. In other folders, the code there runs. */
function declared(reading: Reading): Reading {
  const named = reading.acts.filter(({role, word}) => role === 'installs' && !isOwn(word));
  const others = reading.acts.filter(({role}) => role !== 'installs');
  const isOfOwn = others.length + named.length < reading.acts.length;
  const own = isOfOwn ? [act('loads', 'setup.py'), act('loads', 'pyproject.toml')] : [];
  const installs = named.length === 0 ? [act('installs', 'declared')] : named;
  const folders = named.filter(({word}) => /^(?:[.~/]|file:)|\.(?:whl|zip|gz)$/.test(word.text));
  return {
    ...reading,
    acts: [...others, ...installs, ...folders.map(({word}) => act('code', word)), ...own],
  };
}

/** `.`, `.[dev]` */
function isOwn({text, known}: Word): boolean {
  return known && /^\.\/?(?:\[[\w,-]*\])?$/.test(text);
}

/** `uvicorn pkg.main:app`, `flask --app pkg run`, `streamlit run FILE`. */
function serves(reading: Reading, {name}: Invocation, given: Arguments): Reading {
  const [first, file] = given.operands;
  const apps = [...valuesOf(given, '--app'), ...(first?.text.includes(':') ? [first] : [])];
  const modules = apps.flatMap((word) =>
    modulesOf({...word, text: word.text.replace(/\.py(?=:|$)|:.*$/g, '').replaceAll('/', '.')}),
  );
  const result = runsFiles(reading, modules, 'loads');
  return name === 'streamlit' && file ? withActs(result, act('code', file)) : result;
}

/** An interpreter given by its version: a path would be run. */
function byVersion(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const form = /^(?:(?:c?python|pypy)@?)?\d*(?:\.\d+){0,2}$/;
  return fitting(reading, valuesOf(given, '-p --python'), {form, why: 'may be a program'});
}

/** `uv run FILE.py ARGS`, `uv run pytest`. */
function runsFile(reading: Reading): Reading {
  const command = reading.acts.find(({role}) => role === 'command');
  if (!command) return reading;
  const {word, rest = []} = command;
  if (word.text === '-') return withUnknown(reading, '-', 'runs its standard input');
  if (!word.text.endsWith('.py')) return reading;
  const file = {...command, word: wordOf('python'), rest: [word, ...rest]};
  return {...reading, acts: reading.acts.map((one) => (one === command ? file : one))};
}
