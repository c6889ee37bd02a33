// Every block of code on a page is run, compiled or parsed, or is listed below with the reason why it cannot be.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { repositoryPath } from '../paths.ts'
import { type Block, blocksOf, PAGES } from './pages.ts'
import { isNotRun, NOT_RUN, RUN_ELSEWHERE, SHELL_PAGES } from './run-blocks.ts'

const BLOCKS = PAGES.flatMap(blocksOf)
const of = (...languages: readonly string[]): readonly Block[] =>
  BLOCKS.filter(({ language }) => languages.includes(language))
const titled = (blocks: readonly Block[]): readonly (readonly [title: string, block: Block])[] =>
  blocks.map((block) => [`${block.path}:${block.line}`, block])

/** Languages of blocks that show something and are no program: output, and statements of other tools. */
const SHOWN = new Set(['text', 'csv', 'sql'])

test('every block names a language that is checked, or shows something', () => {
  const known = new Set(['json', 'yaml', 'ts', 'sh', 'python', 'go', ...SHOWN])
  expect(
    BLOCKS.filter(({ language }) => !known.has(language)).map(({ line, path }) => `${path}:${line}`),
  ).toEqual([])
})

test('every shell block is on a page that is run, or is listed with a reason', () => {
  const left = of('sh').filter((block) => !SHELL_PAGES.includes(block.path) && !isNotRun(block))
  expect(left.map(({ line, path, text }) => `${path}:${line} ${text.split('\n')[0] ?? ''}`)).toEqual([])
})

test('no reason is left over', () => {
  expect(NOT_RUN.filter((one) => !of('sh', 'ts').some((block) => isNotRun(block, [one])))).toEqual([])
})

test.each(titled(of('json')))('%s is JSON', (_, { text }) => {
  expect(JSON.parse(text)).toBeTypeOf('object')
})

test.each(titled(of('yaml')))('%s is YAML', (_, { text }) => {
  expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([])
})

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

describe('programs', () => {
  test('compile', () => {
    const folder = mkdtempSync(repositoryPath('test/.docs-ts-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const blocks = of('ts').filter(
      (block) => block.path.startsWith('docs/') && !RUN_ELSEWHERE.includes(block.path) && !isNotRun(block),
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
})
