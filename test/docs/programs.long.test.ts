// The programs of the docs compile; those of the client's page, the receivers and the READMEs run in other tests.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { repositoryPath } from '../paths.ts'
import { blocksOf, PAGES } from './pages.ts'
import { isNotRun, RUN_ELSEWHERE } from './run-blocks.ts'

/** Names that the text around the blocks of a page supplies. */
const PRELUDES: Readonly<Record<string, string>> = {
  'docs/reference/llm-backends.md': `
import { cached, scripted, withBreaker } from '@stagecraft/llm'
import { openai } from '@stagecraft/llm/openai'
import { openaiCompatible } from '@stagecraft/llm/openai-compatible'
import { cassetteFetch, replay } from '@stagecraft/llm/replay'
import { BackendError } from '@stagecraft/spec'
declare const apiKey: string
declare const schema: Readonly<Record<string, unknown>>
`,
}
const ANTHROPIC = "import { anthropic } from '@stagecraft/llm/anthropic'\n"

test('the programs of the docs compile', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(repositoryPath('test/.docs-ts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const blocks = PAGES.flatMap(blocksOf).filter(
    (block) =>
      block.language === 'ts' &&
      block.path.startsWith('docs/') &&
      !RUN_ELSEWHERE.includes(block.path) &&
      !isNotRun(block),
  )
  for (const [index, { path, text }] of blocks.entries()) {
    const prelude = PRELUDES[path] ?? ''
    const anthropic = prelude !== '' && !text.includes(ANTHROPIC) ? ANTHROPIC : ''
    writeFileSync(join(folder, `block-${index}.ts`), `${anthropic}${prelude}\n${text}\nexport {}\n`)
  }
  const settings = {
    extends: '../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: ['*.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  expect(blocks.length).toBeGreaterThan(9)
  expect(() =>
    execFileSync(repositoryPath('node_modules/.bin/tsc'), ['-p', folder], {
      encoding: 'utf8',
      stdio: 'pipe',
    }),
  ).not.toThrow()
})
