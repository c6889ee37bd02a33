import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top of the repository: sources of pages are named from here. */
export const TOP = fileURLToPath(new URL('../../', import.meta.url))

/** Patterns of the Markdown files that are no pages of the site. */
export const NO_PAGES: readonly string[] = [
  '{!(README).md,**/CHANGELOG.md}',
  'test/**',
  'templates/*/**',
  'packages/*/*/**',
  'clients/*/*/**',
]

const ADDRESSES: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'docs/README.md': 'documentation.md',
}

/** Returns the address of a page in the site, from its path in the repository. */
export function addressOf(source: string): string {
  return ADDRESSES[source] ?? source.replace(/^docs\//, '').replace(/\/README\.md$/, '.md')
}

function isPage(source: string): boolean {
  return /^(?:README\.md|docs\/.+\.md|(?:templates|(?:packages|clients)\/[^/]+)\/README\.md)$/.test(source)
}

/**
 * Returns the address of what a page links to: a page of the site, or a file or folder of the repository. Undefined for
 * the latter when the repository has no address.
 */
export function targetOf(link: string, source: string, repository: string | undefined): string | undefined {
  const [path = '', anchor] = link.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  const file = posix.join(posix.dirname(source), path).replace(/\/$/, '')
  const page = [file, posix.join(file, 'README.md')].find((one) => isPage(one) && existsSync(TOP + one))
  if (page !== undefined) return `/${addressOf(page)}${hash}`
  if (!existsSync(TOP + file))
    throw new Error(`${source} links to ${link}, which is no file of the repository`)
  return repository === undefined ? undefined : `${repository}/tree/HEAD/${file}${hash}`
}

/** Returns the title of a page: its first heading. */
export function titleOf(source: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(TOP + source, 'utf8')) ?? []
  if (title === undefined) throw new Error(`${source} has no heading of level 1, which names it in the site`)
  return title.replaceAll('`', '')
}
