import type { Block } from './pages.ts'

/** Pages whose shell blocks are run in order, in one shell: see shell.long.test.ts. */
export const SHELL_PAGES: readonly string[] = [
  'docs/tutorials/new-project.md',
  'docs/tutorials/existing-project.md',
  'docs/tutorials/service.md',
  'docs/tutorials/webhook-receiver.md',
  'docs/tutorials/mcp-client.md',
  'docs/reference/http.md',
]

/** Pages whose programs other tests run: client/docs, webhooks/receivers, readme and package-examples. */
export const RUN_ELSEWHERE: readonly string[] = [
  'docs/reference/client.md',
  'docs/how-to/receive-webhooks.md',
  'docs/tutorials/webhook-receiver.md',
]

interface NotRun {
  readonly path: string
  /** The beginning of the block. */
  readonly begins: string
  readonly reason: string
}

const OWN_WAREHOUSE = 'names a warehouse of the reader'

/** Blocks that are not run, each with the reason. */
export const NOT_RUN: readonly NotRun[] = [
  {
    path: 'docs/how-to/install.md',
    begins: 'CLONE=$PWD',
    reason: 'test/cli/npm-run.long.test.ts starts the service by this function',
  },
  {
    path: 'docs/how-to/install.md',
    begins: 'npm run -s executable',
    reason: 'test/release/executable.long.test.ts builds both and runs them',
  },
  {
    path: 'docs/how-to/install.md',
    begins: 'npm install --prefix',
    reason:
      'writes to the home of the reader; test/release/executable.long.test.ts finds a driver by the variable',
  },
  {
    path: 'clients/python/README.md',
    begins: 'pip install stagecraft-client',
    reason: 'asks PyPI; test/client/python.long.test.ts installs the wheel that is published there',
  },
  {
    path: 'clients/python/README.md',
    begins: 'npm run -s setup',
    reason: 'test/client/python.long.test.ts generates, builds and installs the package',
  },
  {
    path: 'packages/dashboard/README.md',
    begins: 'stagecraft serve',
    reason: 'serves until it is stopped; test/dashboard opens it in a browser',
  },
  { path: 'docs/reference/databricks.md', begins: 'stagecraft export ', reason: OWN_WAREHOUSE },
  { path: 'docs/reference/athena.md', begins: 'stagecraft export ', reason: OWN_WAREHOUSE },
  {
    path: 'docs/reference/columns-file.md',
    begins: 'stagecraft export ',
    reason: OWN_WAREHOUSE,
  },
  {
    path: 'docs/how-to/use-the-dashboard.md',
    begins: 'stagecraft keys create',
    reason: 'needs the store of the reader; test/cli/store.long.test.ts creates keys',
  },
  {
    path: 'docs/how-to/analyze-with-the-service.md',
    begins: 'zip ',
    reason: 'needs a service and a project of the reader; test/service/analyses.long.test.ts uploads one',
  },
  {
    path: 'docs/how-to/ask-about-a-project.md',
    begins: 'stagecraft ',
    reason: 'needs a project of the reader; test/cli/assistant.long.test.ts runs these commands',
  },
  {
    path: 'docs/how-to/trace-lineage.md',
    begins: 'stagecraft lineage ',
    reason: 'needs a project of the reader; test/cli/lineage.long.test.ts runs these commands',
  },
  {
    path: 'docs/how-to/learn-conventions.md',
    begins: 'stagecraft learn ',
    reason: 'needs a project of the reader; test/cli/learn.test.ts runs these commands',
  },
  {
    path: 'docs/how-to/lint-a-project.md',
    begins: 'stagecraft lint ',
    reason: 'needs a project of the reader; test/cli/lint.test.ts runs these commands',
  },
  {
    path: 'docs/how-to/lint-a-project.md',
    begins: 'mkdir -p reports',
    reason: 'needs a project of the reader; test/cli/lint-run.long.test.ts runs these commands in this order',
  },
  {
    path: 'README.md',
    begins: 'npm run demo',
    reason: 'installs what is missing; demo-picture.long.test.ts runs the demo itself',
  },
  {
    path: 'README.md',
    begins: "stagecraft generate 'crm.*'",
    reason: 'uses the warehouse of the block above',
  },
  {
    path: 'docs/CONTRIBUTING.md',
    begins: 'npm test',
    reason: 'runs all tests, and this one with them',
  },
  {
    path: 'docs/how-to/talk-about-a-project.md',
    begins: 'export ANTHROPIC_API_KEY=',
    reason:
      'needs the key of a provider; test/cli/ask-model.long.test.ts runs it against a server of its own',
  },
  {
    path: 'docs/how-to/ask-a-language-model.md',
    begins: 'export ANTHROPIC_API_KEY=',
    reason: 'needs the key of a provider; test/cli/backend.test.ts runs it against a server of its own',
  },
  { path: 'docs/how-to/find-keys-and-relationships.md', begins: 'stagecraft', reason: OWN_WAREHOUSE },
  { path: 'docs/how-to/find-keys-and-relationships.md', begins: 'curl', reason: OWN_WAREHOUSE },
  {
    path: 'docs/how-to/keep-a-project-up-to-date.md',
    begins: 'stagecraft',
    reason:
      'changes a project of the reader; docs/tutorials/existing-project.md and test/cli/plan.long.test.ts run the same',
  },
  {
    path: 'docs/how-to/set-up-editor-and-shell.md',
    begins: 'stagecraft schema',
    reason: 'writes into a project of the reader; test/cli/schema.test.ts runs it',
  },
  {
    path: 'docs/how-to/set-up-editor-and-shell.md',
    begins: 'source <(stagecraft',
    reason:
      'belongs into the start files of shells; test/cli/completion.long.test.ts runs the scripts in each shell',
  },
  {
    path: 'docs/how-to/run-in-production.md',
    begins: 'STAGECRAFT_SECRET_KEY=',
    reason: 'names keys of the reader; test/cli/store.long.test.ts replaces one in the same steps',
  },
  {
    path: 'docs/how-to/run-in-production.md',
    begins: 'stagecraft db backup',
    reason: 'test/service/production.long.test.ts runs both, and restores what they wrote',
  },
  {
    path: 'docs/how-to/run-in-production.md',
    begins: 'npm run -s pn -- bench:http',
    reason: 'measures for minutes',
  },
  {
    path: 'docs/how-to/run-the-service.md',
    begins: 'stagecraft serve',
    reason: 'serves until it is stopped; docs/tutorials/service.md runs the same',
  },
  {
    path: 'docs/how-to/run-the-service.md',
    begins: 'stagecraft keys create',
    reason: 'revokes a key that the reader chooses; test/cli/store.long.test.ts runs each of these',
  },
  {
    path: 'docs/reference/client.md',
    begins: 'STAGECRAFT_API_KEY=',
    reason: 'names a service of the reader; test/cli/server.test.ts runs it against one of its own',
  },
  {
    path: 'docs/reference/llm-backends.md',
    begins: 'npm run -s pn -- bench:plans',
    reason: 'measures for minutes, and asks a provider',
  },
  { path: 'packages/cli/README.md', begins: 'stagecraft tables', reason: OWN_WAREHOUSE },
  { path: 'packages/http/README.md', begins: 'stagecraft serve', reason: OWN_WAREHOUSE },
  {
    path: 'packages/service/README.md',
    begins: 'stagecraft serve',
    reason: 'docs/tutorials/service.md runs the same',
  },
]

/** Returns true if a block is listed as one that is not run. */
export function isNotRun({ path, text }: Block, list: readonly NotRun[] = NOT_RUN): boolean {
  return list.some((one) => one.path === path && text.startsWith(one.begins))
}
