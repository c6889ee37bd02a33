// Every block of code on a page is run, compiled or parsed, or is listed below with the reason why it cannot be.
import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { repositoryPath } from '../paths.ts'
import { type Block, blocksOf, PAGES, readPage } from './pages.ts'
import { isNotRun, NOT_RUN, READER_PAGES, SHELL_PAGES } from './run-blocks.ts'

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
  const isRun = ({ path }: Block): boolean => SHELL_PAGES.includes(path) || path in READER_PAGES
  const left = of('sh').filter((block) => !isRun(block) && !isNotRun(block))
  expect(left.map(({ line, path, text }) => `${path}:${line} ${text.split('\n')[0] ?? ''}`)).toEqual([])
})

test('each reason is for one block', () => {
  const blocks = of('sh', 'ts')
  const wrong = NOT_RUN.filter((one) => blocks.filter((block) => isNotRun(block, [one])).length !== 1)
  expect(wrong).toEqual([])
})

test('every test that a reason or a page names is there', () => {
  const texts = [
    ...NOT_RUN.map(({ path, reason }) => ({ path, text: reason })),
    ...PAGES.map((path) => ({ path, text: readPage(path) })),
  ]
  const gone = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<![\w/-])(?:test|packages)\/[\w./-]+\.ts\b/g)]
      .filter(([file]) => !existsSync(repositoryPath(file)))
      .map(([file]) => `${path}: ${file}`),
  )
  expect(gone).toEqual([])
})

/** Neither GitHub nor the site shows the name of a file that stands in the fence. */
test('the file of a block is named right before it', () => {
  const unnamed = SHELL_PAGES.flatMap((path) => {
    const lines = readPage(path).split('\n')
    return blocksOf(path).flatMap(({ info, line }) => {
      if (!/^[\w./-]+\.\w+$/.test(info)) return []
      const paragraph =
        lines
          .slice(0, line - 2)
          .join('\n')
          .split('\n\n')
          .at(-1) ?? ''
      return [info, basename(info)].some((name) => paragraph.includes(`\`${name}\``))
        ? []
        : `${path}:${line} ${info}`
    })
  })
  expect(unnamed).toEqual([])
})

test.each(titled(of('json')))('%s is JSON', (_, { text }) => {
  expect(JSON.parse(text)).toBeTypeOf('object')
})

test.each(titled(of('yaml')))('%s is YAML', (_, { text }) => {
  expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([])
})
