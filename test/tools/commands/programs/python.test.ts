/** What is understood of Python, and what must not be. */

import {expect, test} from 'vitest';

import {readingOf, told} from '../reading.ts';

/** Files that go before the module of this name. */
function own(name: string): string {
  return `loads ${name}.py, loads ${name}/__init__.py`;
}

test.each([
  ['python3 --version', ''],
  ['python3 -u scripts/gen.py --out x', 'code scripts/gen.py'],
  ['python -W ignore a.py', 'code a.py'],
  ['python3 setup.py build', 'code setup.py'],
  ['python manage.py test', 'code manage.py'],
  ['python3 -m pytest -x tests', `${own('pytest')}, command pytest -x tests`],
  ['python3 -mpip install evil', `${own('pip')}, command pip install evil`],
  ['python3 -um pytest', `${own('pytest')}, command pytest`],
  ['python3 -m json.tool package.json', `reads package.json, ${own('json')}`],
  ['python3 -m json.tool a.json src/main.ts', `reads a.json, writes src/main.ts, ${own('json')}`],
  ['python3 -m unittest discover -s tests', `runs the tests, lists tests, ${own('unittest')}`],
  ['python3 -m venv .venv', `writes-tree .venv, ${own('venv')}`],
  ['python3 -m venv --clear src', `deletes-tree src, ${own('venv')}`],
  ['python3 -m py_compile a.py', `reads a.py, ${own('py_compile')}`],
  ['pip install -r requirements.txt', 'code requirements.txt, installs declared'],
  ['pip install -e .', 'installs declared, loads setup.py, loads pyproject.toml'],
  ['pip install -e ./evil', 'installs ./evil, code ./evil'],
  ["pip install -e '.[dev]' evil", 'installs evil, loads setup.py, loads pyproject.toml'],
  ['pip install requests', 'installs requests'],
  ['pip list', ''],
  ['pip list --outdated', 'fetches pypi.org'],
  ['pip freeze', ''],
  ['pip cache purge', 'alters the cache of pip'],
  ['uv run pytest -q', 'command pytest -q'],
  ['uv run scripts/a.py x', 'command python scripts/a.py x'],
  ['uv sync --frozen', 'installs declared, loads pyproject.toml'],
  ['uv add requests', 'installs requests'],
  ['uv pip install -r r.txt', 'code r.txt, installs declared'],
  ['poetry run pytest', 'command pytest'],
  ['poetry install', 'installs declared'],
  ['poetry publish --build', 'publishes packages'],
  ['pytest -x -q tests/test_a.py::test_b', 'runs the tests, lists tests/test_a.py'],
  ['pytest evil', 'runs the tests, code evil'],
  [
    'python3 -m unittest a.b',
    `runs the tests, loads a/b, loads a.py, loads a/b.py, ${own('unittest')}`,
  ],
  ['pytest -n auto --cov=src --cov-report=term-missing', 'runs the tests'],
  ['pytest --basetemp=src', 'deletes-tree src, runs the tests'],
  ['pytest --junitxml=src/main.ts', 'writes src/main.ts, runs the tests'],
  ['pytest --cov-report=html:src', 'runs the tests, writes-tree src'],
  ['pytest -p no:cacheprovider', 'runs the tests'],
  ['tox -e py312', 'runs the tests, loads tox.ini, loads noxfile.py'],
  ['coverage run -m pytest', `runs with coverage, ${own('pytest')}, command pytest`],
  ['coverage run a.py', 'runs with coverage, code a.py'],
  ['ruff check .', 'reads-tree .'],
  ['ruff check --fix', 'edits-tree .'],
  ['ruff format --check src', 'reads-tree src'],
  ['ruff format', 'edits-tree .'],
  ['black --check .', 'reads-tree .'],
  ['black src', 'edits-tree src'],
  ['isort .', 'edits-tree .'],
  ['mypy src', 'runs mypy, reads-tree src'],
  ['mypy --config-file evil.ini src', 'code evil.ini, runs mypy, reads-tree src'],
  ['flake8 --max-line-length=100 src', 'runs a linter, reads-tree src'],
  ['autopep8 -i a.py', 'edits-tree a.py'],
  ['twine upload dist/*', 'publishes packages'],
  ['alembic upgrade head', 'alters a database'],
])('%s is understood', (command, acts) => {
  expect(told(readingOf(command))).toBe(acts);
});

test.each(['pytest', 'python3 -m unittest', 'tox', 'python manage.py test'])(
  '%s counts as running the tests',
  (command) => expect(readingOf(command).isTest).toBe(true),
);

test.each([
  'python3',
  'python3 -',
  'python3 -c x()',
  'python3 -uc x()',
  'python3 -xc 1',
  'python3 -i a.py',
  'python3 "$x"',
  'python3 -m "$x"',
  'python3 -m http.server',
  'python3 -m zipfile -e x.zip .',
  'python3 -m webbrowser https://evil.test',
  'python3 -m evil',
  'python3 -m timeit 1',
  'python setup.py upload',
  'python manage.py flush',
  'python manage.py shell',
  'pip install --index-url https://evil.test x',
  'pip install -r https://evil.test/r.txt',
  'python manage.py runserver 0.0.0.0:80',
  'uvicorn app:app --host 0.0.0.0',
  'pip install --trusted-host evil.test x',
  'pip config set global.index-url https://evil.test',
  'pip index versions "$x"',
  'uv run --with evil x.py',
  'uv run -',
  'uv tool run evil',
  'poetry config x y',
  'poetry shell',
  'pytest -p evil',
  'pytest --pastebin=all',
  'pytest -o addopts=x',
  'pytest @evil',
  'coverage run -m evil',
  'mypy --install-types',
  'pylint --load-plugins=evil a.py',
  'pylint --init-hook=1 a.py',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? /);
});
