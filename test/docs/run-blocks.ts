import type { Block } from './pages.ts'

/** Pages whose shell blocks are run in order, in one shell: see shell.long.test.ts. */
export const SHELL_PAGES: readonly string[] = [
  'docs/tutorials/new-project.md',
  'docs/tutorials/existing-project.md',
  'docs/tutorials/service.md',
  'docs/tutorials/webhook-receiver.md',
  'docs/reference/http.md',
]

/** Pages whose programs other tests run: client/docs, webhooks/receivers, readme and package-readmes. */
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
    path: 'docs/how-to/lint-a-project.md',
    begins: 'stagecraft lint ',
    reason: 'needs a project of the reader; test/cli/lint.test.ts runs these commands',
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
    path: 'docs/how-to/ask-a-language-model.md',
    begins: 'npm install @anthropic-ai/sdk',
    reason: 'needs the key of a provider; test/cli/backend.test.ts runs it against a server of its own',
  },
  { path: 'docs/how-to/find-keys-and-relationships.md', begins: 'stagecraft', reason: OWN_WAREHOUSE },
  {
    path: 'docs/how-to/keep-a-project-up-to-date.md',
    begins: 'stagecraft',
    reason: 'changes a project of the reader; docs/tutorials/existing-project.md runs the same',
  },
  {
    path: 'docs/how-to/run-the-service.md',
    begins: 'npm run -s stagecraft -- serve',
    reason: 'test/cli/npm-run.test.ts starts and stops it by this line',
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
