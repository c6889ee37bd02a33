import { globSync, readFileSync } from 'node:fs'
import { repositoryPath } from '../paths.ts'

/** The Markdown that people read: the front page, the docs, and the page of each package. */
export const PAGES: readonly string[] = globSync(
  ['README.md', 'docs/**/*.md', 'packages/*/README.md', 'templates/README.md', 'clients/*/README.md'],
  { cwd: repositoryPath('') },
).toSorted()

export function readPage(path: string): string {
  return readFileSync(repositoryPath(path), 'utf8')
}

/** A fenced block of code. */
export interface Block {
  readonly path: string
  /** The 1-based line of its fence. */
  readonly line: number
  readonly language: string
  /** The rest of the line of the fence. */
  readonly info: string
  readonly text: string
}

const FENCE = /^( *)```([\w-]*)(.*)\n([^]*?)^ *```$/gm

/** Returns the code blocks of a page in order, without the indentation of lists. */
export function blocksOf(path: string): readonly Block[] {
  const page = readPage(path)
  return [...page.matchAll(FENCE)].map(
    ({ index, 1: indent = '', 2: language = '', 3: info = '', 4: text = '' }) => ({
      path,
      line: page.slice(0, index).split('\n').length,
      language,
      info: info.trim(),
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  )
}

/** Returns the page without its code blocks and code spans. */
export function proseOf(path: string): string {
  return readPage(path)
    .replaceAll(FENCE, '')
    .replaceAll(/`[^`\n]*`/g, '')
}
