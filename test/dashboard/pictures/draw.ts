// Draws the pictures of the docs: `npm run -s pn -- pictures`. With a folder, every page in both schemes and two widths:
// `npm run -s pn -- pictures /tmp/pages`, or only those whose names follow it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../browser.ts'
import { repositoryPath } from '../../paths.ts'
import { signIn } from '../sign-in.ts'
import { type BusyWorld, openBusyWorld } from './busy-world.ts'

/** The pictures that stand in the docs. */
const SHOWN = [
  { page: 'unit', colorScheme: 'light', height: 900 },
  { page: 'scan', colorScheme: 'light', height: 800 },
  { page: 'check', colorScheme: 'light', height: 800 },
  { page: 'conversation', colorScheme: 'dark', height: 800 },
  { page: 'delivery', colorScheme: 'light', height: 900 },
] as const

const LARGEST = 150_000

interface Shot {
  readonly page: string
  readonly width: number
  readonly height: number
  /** The whole page, however long. */
  readonly isFull?: boolean
}

type Scheme = 'light' | 'dark'

/** Opens a window of a scheme, which takes pictures of one page after the other. */
async function openCamera({ key, pages, url }: BusyWorld, browser: Browser, colorScheme: Scheme) {
  const { follow, open, page } = await signIn({ browser, url, key }, { colorScheme, reducedMotion: 'reduce' })
  await open('/')
  return async ({ height, isFull = false, page: name, width }: Shot): Promise<Buffer> => {
    await page.setViewportSize({ width, height })
    await follow(pages[name] ?? '/')
    await page.evaluate('document.activeElement.blur()')
    await page.evaluate('new Promise((done) => setTimeout(done, 300))')
    const size = isFull ? await page.evaluate<number>('document.documentElement.scrollHeight') : height
    return await page.screenshot({
      ...(isFull && { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(size, 3000) } }),
    })
  }
}

/** Returns a picture as WebP, as the browser makes it: half as many bytes, and no difference that is seen. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const address = await page.evaluate<string>(`(async () => {
    const answer = await fetch('data:image/png;base64,${png.toString('base64')}')
    const image = await createImageBitmap(await answer.blob())
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.9)
  })()`)
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
}

async function drawShown(world: BusyWorld, browser: Browser): Promise<void> {
  const page = await browser.newPage()
  const cameras = {
    light: await openCamera(world, browser, 'light'),
    dark: await openCamera(world, browser, 'dark'),
  }
  for (const { colorScheme, ...shot } of SHOWN) {
    const picture = await toWebp(page, await cameras[colorScheme]({ ...shot, width: 1280 }))
    if (picture.length > LARGEST) throw new Error(`the picture ${shot.page} has ${picture.length} bytes`)
    writeFileSync(repositoryPath(`docs/how-to/dashboard-${shot.page}.webp`), picture)
  }
}

async function drawAll(world: BusyWorld, browser: Browser, [folder = '', ...names]: readonly string[]) {
  mkdirSync(folder, { recursive: true })
  const chosen = Object.keys(world.pages).filter((name) => names.length === 0 || names.includes(name))
  for (const colorScheme of ['light', 'dark'] as const) {
    const take = await openCamera(world, browser, colorScheme)
    for (const page of chosen)
      for (const width of [1280, 360])
        writeFileSync(
          join(folder, `${page}-${colorScheme}-${width}.png`),
          await take({ page, width, height: 800, isFull: true }),
        )
  }
}

const world = await openBusyWorld()
const browser = await launchBrowser()
try {
  const folders = process.argv.slice(2)
  await (folders.length > 0 ? drawAll(world, browser, folders) : drawShown(world, browser))
} finally {
  await browser.close()
  await world.close()
}
