import type { Block } from './pages.ts'
import type { ReaderFolder } from './reader-folder.ts'

/** Pages whose shell blocks are run in order, in one shell: see shell.long.test.ts. */
export const SHELL_PAGES: readonly string[] = [
  'docs/tutorials/new-project.md',
  'docs/tutorials/existing-project.md',
  'docs/tutorials/service.md',
  'docs/tutorials/webhook-receiver.md',
  'docs/tutorials/mcp-client.md',
  'docs/reference/http.md',
]

/** Pages whose shell blocks are run in order in the folder of a reader, each page in one of its own. */
export const READER_PAGES: Readonly<Record<string, ReaderFolder>> = {
  'README.md': 'tables',
  'packages/cli/README.md': 'tables',
  'docs/how-to/ask-about-a-project.md': 'project',
  'docs/how-to/find-keys-and-relationships.md': 'tables',
  'docs/how-to/keep-a-project-up-to-date.md': 'project',
  'docs/how-to/learn-conventions.md': 'project',
  'docs/how-to/lint-a-project.md': 'project',
  'docs/how-to/run-the-service.md': 'store',
  'docs/how-to/set-up-editor-and-shell.md': 'project',
  'docs/how-to/trace-lineage.md': 'project',
  'docs/how-to/use-the-dashboard.md': 'store',
  'docs/reference/athena.md': 'tables',
  'docs/reference/databricks.md': 'tables',
}

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
    begins: 'mkdir -p ~/.local/bin',
    reason:
      'writes to the home of the reader; test/cli/npm-run.long.test.ts starts the service by this script',
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
  {
    path: 'docs/reference/columns-file.md',
    begins: 'stagecraft export ',
    reason: OWN_WAREHOUSE,
  },
  {
    path: 'docs/how-to/analyze-with-the-service.md',
    begins: 'zip ',
    reason: 'needs a service and a project of the reader; test/service/analyses.long.test.ts uploads one',
  },
  {
    path: 'README.md',
    begins: 'npm run demo',
    reason: 'installs what is missing; demo-picture.long.test.ts runs the demo itself',
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
  { path: 'docs/how-to/find-keys-and-relationships.md', begins: 'curl', reason: OWN_WAREHOUSE },
  {
    path: 'docs/how-to/set-up-editor-and-shell.md',
    begins: 'source <(stagecraft',
    reason:
      'belongs into the start files of shells; test/cli/completion.long.test.ts runs the scripts in each shell',
  },
  {
    path: 'docs/how-to/run-in-production.md',
    begins: 'STAGECRAFT_SECRET_KEY="$new,$old" stagecraft serve',
    reason: 'serves until it is stopped; test/cli/store.long.test.ts replaces a key in the same steps',
  },
  {
    path: 'docs/how-to/run-in-production.md',
    begins: 'STAGECRAFT_SECRET_KEY="$new,$old" stagecraft db',
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
    path: 'docs/reference/client.md',
    begins: 'STAGECRAFT_API_KEY=',
    reason: 'names a service of the reader; test/cli/server.test.ts runs it against one of its own',
  },
  {
    path: 'docs/reference/llm-backends.md',
    begins: 'npm run -s pn -- bench:plans',
    reason: 'measures for minutes, and asks a provider',
  },
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
