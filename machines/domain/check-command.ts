/** Commands that check a project: its tests, builds, linters and type checks. */

/** Programs that only check, and tasks of runners that check. The words before them may be paths and options of a runner. */
const checks: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun|deno|npx|bunx|uv|uvx|poetry|bundle|composer|rake|just|task|make|mvn|mvnw|gradle|gradlew|dotnet|cargo|go|swift|mix|zig|sbt|rails)\b(?=.*[ :](?:tests?|t|build|compile|lint|check|verify|typecheck|type-check|types|vet|clippy|ci|cit|package|assemble)\b)/,
  /^(?:make|ctest|tsc|vitest|jest|mocha|ava|eslint|oxlint|biome|prettier|pytest|py\.test|tox|nox|mypy|pyright|ruff|flake8|pylint|black|rspec|rubocop|phpunit|phpstan|golangci-lint|shellcheck|cppcheck|ninja|cmake|javac|rustc|gcc|g\+\+|clang)\b/,
  /^(?:node|bun)\b.* --test\b/,
  /^python[\d.]*\b.* -m (?:pytest|unittest|mypy|pyright|ruff|flake8|pylint|tox|nox|compileall|py_compile)\b/,
  /^(?:python[\d.]*|ruby|php|node|sh|bash) (?:\S*\/)?(?:run_?)?tests?\S*/,
];

/** True if one of the commands in the shell text is a check. */
export function isCheckCommand(command: string): boolean {
  return command.split(/&&|\|\||[;|\n(]/).some((part) => {
    const words = part
      .trim()
      .replace(
        /^(?:(?:\w+=\S*|time|env|exec|timeout \S+|npx|bunx|uv run|poetry run|bundle exec) )+/,
        '',
      );
    return checks.some((check) => check.test(words.replace(/^\S*\//, '')));
  });
}
