import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { type DefaultTheme } from 'vitepress'
import { addressOf, titleOf, TOP } from './pages.ts'

const CONTENTS = 'docs/README.md'

function itemOf(source: string): DefaultTheme.SidebarItem {
  return { text: titleOf(source), link: `/${addressOf(source)}` }
}

function sourcesIn(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, link = '']) => posix.join('docs', link))
}

/** Reads a kind of docs from its lines: a list item is a page, or several with what they have in common before them. */
function itemsOf(list: string): DefaultTheme.SidebarItem[] {
  return list.split(/^- /m).flatMap((entry) => {
    const pages = sourcesIn(entry).map(itemOf)
    const [, group] = /^(\w[\w ]*):/.exec(entry) ?? []
    return group === undefined ? pages : [{ text: group, collapsed: true, items: pages }]
  })
}

function readKinds(): readonly DefaultTheme.SidebarItem[] {
  const text = readFileSync(TOP + CONTENTS, 'utf8')
  return [...text.matchAll(/^\*\*([^*]+)\*\*.*\n\n((?:(?:- | {2}).*\n)+)/gm)].map(
    ([, kind = '', list = '']) => ({
      text: kind,
      items: itemsOf(list),
    }),
  )
}

function readProject(): DefaultTheme.SidebarItem {
  const packages = globSync(['packages/*/README.md', 'templates/README.md'], { cwd: TOP }).toSorted()
  return {
    text: 'Project',
    collapsed: true,
    items: [
      itemOf('docs/CONTRIBUTING.md'),
      { text: 'Packages', collapsed: true, items: packages.map(itemOf) },
    ],
  }
}

/** Returns the menu beside a page: the kinds of docs as docs/README.md lists them, then what concerns contributors. */
export function readSidebar(): DefaultTheme.SidebarItem[] {
  return [...readKinds(), readProject()]
}

function firstLinkOf({ items = [], link }: DefaultTheme.SidebarItem): string {
  return link ?? (items[0] === undefined ? '/' : firstLinkOf(items[0]))
}

/** Returns the menu above a page: the first page of each kind of docs. */
export function readMenu(): DefaultTheme.NavItem[] {
  return readKinds().map((kind) => ({ text: kind.text ?? '', link: firstLinkOf(kind) }))
}
