import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import { createMarkdownRenderer } from 'vitepress'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOnGitHub } from '../../docs/.vitepress/markdown.ts'
import { addressOf, targetOf } from '../../docs/.vitepress/pages.ts'
import { describeWithBrowser, launchBrowser } from '../browser.ts'
import { repositoryPath } from '../paths.ts'
import { PAGES, readPage } from './pages.ts'

const REPOSITORY = 'https://git.example/stagecraft'
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

const site = mkdtempSync(join(tmpdir(), 'site-'))
let files: ReadonlySet<string> = new Set()
let pages: ReadonlyMap<string, string> = new Map()
afterAll(() => rmSync(site, { recursive: true, force: true }))

beforeAll(async () => {
  const program = repositoryPath('node_modules/vitepress/bin/vitepress.js')
  await promisify(execFile)(process.execPath, [program, 'build', 'docs', '--outDir', site], {
    cwd: repositoryPath(''),
    env: { ...process.env, NODE_ENV: 'production', STAGECRAFT_SITE_REPOSITORY: REPOSITORY },
  })
  const entries = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  files = new Set(entries.map((entry) => posix.relative(site, join(entry.parentPath, entry.name))))
  pages = new Map(
    [...files]
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, readFileSync(join(site, file), 'utf8')]),
  )
}, 600_000)

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#123': '{',
}

function decode(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39|#123);/g, (_, name: string) => ENTITIES[name] ?? '')
}

function attributesOf(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`<[^>]*\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    decode(value),
  )
}

function isElsewhere(address: string): boolean {
  return /^(?:[a-z]+:|\/)/.test(address)
}

function faultOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : posix.join(posix.dirname(page), path)
  if (!files.has(target)) return `${page}: ${link} leads to no file`
  if (anchor === undefined) return undefined
  const isThere = attributesOf(pages.get(target) ?? '', 'id').includes(decodeURIComponent(anchor))
  return isThere ? undefined : `${page}: ${link} leads to no anchor of ${target}`
}

test('every page that people read is in the site, and in its menu', () => {
  const expected = PAGES.map((path) => addressOf(path).replace(/\.md$/, '.html'))
  const menu = /<nav class="[^"]*\bnav\b[^"]*" id="VPSidebarNav"[^]*?<\/nav>/.exec(
    pages.get('index.html') ?? '',
  )
  expect([...pages.keys()]).toEqual(expect.arrayContaining(expected))
  const inMenu = new Set(attributesOf(menu?.[0] ?? '', 'href').map((link) => posix.join(link)))
  expect(expected.filter((page) => !inMenu.has(page))).toEqual(['index.html', 'documentation.html'])
})

test('every link and anchor within the site leads somewhere', () => {
  const faults = [...pages].flatMap(([page, html]) =>
    ['href', 'src']
      .flatMap((name) => attributesOf(html, name))
      .filter((link) => !isElsewhere(link))
      .flatMap((link) => faultOf(page, link) ?? []),
  )
  expect([...new Set(faults)]).toEqual([])
})

test('links to source files lead to the repository, and are plain text without its address', () => {
  const page = 'docs/how-to/run-in-production.md'
  const html = pages.get('how-to/run-in-production.html') ?? ''
  expect(attributesOf(html, 'href')).toContain(`${REPOSITORY}/tree/HEAD/Dockerfile`)
  expect(targetOf('../../Dockerfile', page, undefined)).toBeUndefined()
  expect(targetOf('../reference/http.md#events', page, undefined)).toBe('/reference/http.md#events')
  expect(() => targetOf('../../gone.ts', page, undefined)).toThrow('gone.ts, which is no file')
  expect(targetOf('packages/core', 'README.md', undefined)).toBe('/packages/core.md')
})

test('no page loads anything from another host', () => {
  const loaded = [...pages].flatMap(([page, html]) => {
    const tags = html.match(/<(?!a\s)[a-z][^>]*\s(?:href|src|srcset|action|data|poster)="[^>]*>/g) ?? []
    return tags.filter((tag) => /="(?:[a-z]+:)?\/\//.test(tag)).map((tag) => `${page}: ${tag}`)
  })
  const styles = [...files].filter((file) => file.endsWith('.css'))
  const fetched = styles.flatMap(
    (file) =>
      readFileSync(join(site, file), 'utf8').match(/(?:@import|url\()\s*["']?(?:https?:)?\/\/[^)]*/g) ?? [],
  )
  expect(styles).not.toEqual([])
  expect([...loaded, ...fetched]).toEqual([])
})

test('templates in the docs come out as they are written', () => {
  const lost = PAGES.flatMap((path) => {
    const html = pages.get(addressOf(path).replace(/\.md$/, '.html')) ?? ''
    const text = decode(html.replaceAll(/<[^>]*>/g, ''))
    const written = readPage(path).match(/\{\{.*?\}\}/g) ?? []
    return written.filter((template) => !text.includes(template)).map((template) => `${path}: ${template}`)
  })
  expect(PAGES.some((path) => readPage(path).includes('{{'))).toBe(true)
  expect(lost).toEqual([])
})

test('Jinja in prose and in code spans is no expression of the page', async () => {
  const md = await createMarkdownRenderer('.', { config: asOnGitHub(undefined) })
  const html = await md.renderAsync('A model reads {{ ref("orders") }}, as `{{ this }}` does.')
  const outside = html.replaceAll(/<(\w+) v-pre>.*?<\/\1>/g, '')
  expect(outside).not.toContain('{{')
  expect(decode(html.replaceAll(/<[^>]*>/g, ''))).toContain(
    'A model reads {{ ref("orders") }}, as {{ this }} does.',
  )
})

/** Serves the site under a path of its own. */
function serveSite(): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://site').pathname).replace(/^\/below\//, '')
    if (!files.has(path)) response.writeHead(404).end()
    else
      response
        .setHeader('content-type', CONTENT_TYPES[extname(path)] ?? 'text/plain')
        .end(readFileSync(join(site, path)))
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

/** Words that newcomers look for, and the section that answers. */
const SEARCHES: readonly (readonly [words: string, place: string])[] = [
  ['monorepo', 'how-to/keep-a-project-up-to-date.html#a-project-in-a-subfolder-monorepo'],
  ['incremental', 'how-to/keep-a-project-up-to-date.html#incremental-models'],
  ['merge conflict', 'how-to/keep-a-project-up-to-date.html#see-and-apply-changes'],
  ['password', 'how-to/connect-as-dbt-does.html#ways-to-sign-in'],
  ['Snowflake key pair', 'reference/snowflake.html#signing-in'],
]

describeWithBrowser('the site in a browser', () => {
  test('finds a page by a word, follows it and asks no other host', async () => {
    const server = await serveSite()
    const browser = await launchBrowser()
    try {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below/`
      const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
      const [asked, errors]: [string[], string[]] = [[], []]
      page.on('request', (request) => asked.push(request.url()))
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(error.message))
      await page.goto(`${address}how-to/change-templates.html`)
      expect(await page.textContent('main')).toContain('select * from {{ <$ plan.input $> }}')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
      await page.keyboard.press('Control+k')
      for (const [words, place] of SEARCHES) {
        await page.fill('.search-input', words)
        await page.waitForSelector(`.results .result[href$="${place}"]`)
      }
      await page.fill('.search-input', 'snowflake')
      await page.click('.results .result[href*="reference/snowflake.html"]')
      await page.waitForURL(/reference\/snowflake\.html/)
      await page.waitForSelector('h1:has-text("Snowflake")')
      expect(asked.filter((url) => !url.startsWith(address))).toEqual([])
      expect(errors).toEqual([])
    } finally {
      await browser.close()
      server.close()
    }
  })
})
