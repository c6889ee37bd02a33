import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { anchorOf } from './anchor.ts'
import { asOnGitHub } from './markdown.ts'
import { readMenu, readSidebar } from './navigation.ts'
import { addressOf, NO_PAGES, TOP } from './pages.ts'

/** The path under which the site is served. @default './', any path */
const BASE = process.env['STAGECRAFT_SITE_BASE'] ?? './'

/** The address of the repository, to which links to source files lead. @default none, they are plain text */
const REPOSITORY = process.env['STAGECRAFT_SITE_REPOSITORY']?.replace(/\/$/, '')

/** The icon of the dashboard, in the page itself so that it is found under any path. */
const ICON = readFileSync(`${TOP}packages/dashboard/app/public/favicon.svg`, 'base64')

export default defineConfig({
  title: 'Stagecraft',
  description: 'Turns raw tables into dbt staging code that builds, and that you can maintain.',
  base: BASE,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml;base64,${ICON}` }]],
  // READMEs of packages are pages too.
  srcDir: '..',
  srcExclude: [...NO_PAGES],
  rewrites: addressOf,
  outDir: '../dist/site',
  cacheDir: '../node_modules/.cache/site',
  additionalConfig: {},
  markdown: {
    config: asOnGitHub(REPOSITORY),
    anchor: { slugify: anchorOf },
    // What GitHub does not know.
    attrs: false,
    component: false,
    container: false,
    emoji: false,
    include: false,
    snippet: false,
    toc: false,
  },
  themeConfig: {
    nav: [
      ...readMenu(),
      ...(REPOSITORY === undefined ? [] : [{ text: 'Source', link: REPOSITORY, noIcon: true }]),
    ],
    sidebar: readSidebar(),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // A short word is spelled right, or means another one: `cors` is not `core`.
            fuzzy: (term) => (term.length > 5 ? 0.2 : false),
            // Those who look for a task want its page before the reasons of the code.
            boostDocument: (id: string) => (/\/(?:decisions|CONTRIBUTING|packages\/)/.test(id) ? 0.2 : 1),
          },
        },
      },
    },
    notFound: { quote: 'The page may have moved: search for a word of it.', linkText: 'To the first page' },
  },
})
