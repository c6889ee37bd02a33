import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { anchorOf } from '../../docs/.vitepress/anchor.ts'
import { repositoryPath } from '../paths.ts'
import { PAGES, proseOf, readPage } from './pages.ts'

/** Returns the anchors of a page: of its headings, and those that are set by hand. */
function anchorsOf(path: string): ReadonlySet<string> {
  const page = readPage(path).replaceAll(/^```[^]*?^```$/gm, '')
  const headings = [...page.matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => anchorOf(text.trim()))
  const repeated = headings.map((anchor, index) => {
    const before = headings.slice(0, index).filter((other) => other === anchor).length
    return before === 0 ? anchor : `${anchor}-${before}`
  })
  return new Set([...repeated, ...[...page.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)])
}

/** Returns the fault of a link on a page, or undefined. */
function faultOf(path: string, link: string): string | undefined {
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? path : join(dirname(path), file)
  if (!existsSync(repositoryPath(target))) return `${path}: ${link} leads to no file`
  if (anchor === undefined) return undefined
  if (statSync(repositoryPath(target)).isDirectory()) return `${path}: ${link} names an anchor of a folder`
  return anchorsOf(target).has(anchor) ? undefined : `${path}: ${link} leads to no heading of ${target}`
}

test.each(PAGES)('the links of %s lead somewhere', (path) => {
  const links = [...proseOf(path).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"|^\[[^\]]+\]: (\S+)/gm)]
    .map(([, inline, source, reference]) => inline ?? source ?? reference ?? '')
    .filter((link) => !/^(?:https?|mailto):/.test(link))
  expect(links.flatMap((link) => faultOf(path, link) ?? [])).toEqual([])
})

test('a page of the docs that a source file names is there', () => {
  const files = globSync('{packages/*/src,test,templates}/**/*.{ts,md}', { cwd: repositoryPath('') }).filter(
    (file) => !file.startsWith('test/fixtures/') && !file.startsWith('test/golden/'),
  )
  const missing = files.flatMap((file) =>
    [...readFileSync(repositoryPath(file), 'utf8').matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)]
      .map(([link]) => link)
      .flatMap((link) => {
        const fault = faultOf('README.md', link)
        return fault === undefined ? [] : [`${file}: ${fault}`]
      }),
  )
  expect(missing).toEqual([])
})
