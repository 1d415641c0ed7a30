/** Paths in a workspace that run code or instruct agents, and that only a person may create. */
import {cells} from './rows.ts';
export const codePlaces: readonly string[] = cells(`
  .mvn/extensions.xml ¦ .mvn/jvm.config ¦ gradle/wrapper/gradle-wrapper.properties ¦ opencode.json
  .crush.json ¦ .kiro/hooks/x ¦ .aider.conf.yml ¦ .dir-locals.el ¦ .nvimrc ¦ .pdbrc ¦ .irbrc
  .pylintrc ¦ .bazelrc ¦ flake.nix ¦ .hgrc ¦ .jj/config.toml ¦ .jj/repo/config.toml
  pnpm-workspace.yaml ¦ .huskyrc ¦ Vagrantfile ¦ docker-compose.override.yml ¦ sitecustomize.py
  AGENTS.md ¦ CLAUDE.md ¦ GEMINI.md ¦ .goosehints ¦ .junie/guidelines.md ¦ gradlew ¦ mvnw
  .github/prompts/x.md ¦ .Rprofile
`);
