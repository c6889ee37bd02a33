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
  description: 'Turns raw tables into dbt staging code that dbt builds and analysts keep.',
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
    search: { provider: 'local' },
    notFound: { quote: 'The page may have moved: search for a word of it.', linkText: 'To the first page' },
  },
})
