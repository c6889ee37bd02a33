import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the pages. */
export interface DashboardFile {
  /** Its media type. */
  readonly type: string
  readonly bytes: Uint8Array
  /** The compressed forms; absent if they are not smaller. */
  readonly brotli?: Uint8Array
  readonly gzip?: Uint8Array
}

/** The pages, for `createApp({ dashboard })`. */
export interface Dashboard {
  /** Returns the files by path: `index.html`, `assets/main-4f2a.js`. They are read once. */
  files(): Promise<ReadonlyMap<string, DashboardFile>>
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const isSource = import.meta.url.endsWith('.ts')
const placeOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const BUILT = placeOf(isSource ? '../dist/app' : './app')
const SOURCES = placeOf('../app')
const BUILDER = placeOf('../build.ts')

/** Opens the pages. Files are read on first use. From source they are built first, which takes two seconds. */
export function openDashboard(): Dashboard {
  let read: Promise<ReadonlyMap<string, DashboardFile>> | undefined
  return {
    files: () =>
      (read ??= readBuilt().catch((error: unknown) => {
        read = undefined
        throw error
      })),
  }
}

async function readBuilt(): Promise<ReadonlyMap<string, DashboardFile>> {
  if (isSource && (await isStale())) await build()
  const entries = await readdir(BUILT, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
  const files = paths.flatMap((path) => {
    const type = TYPES[extname(path)]
    return type === undefined ? [] : [readOne(path, { type, others: paths })]
  })
  return new Map(await Promise.all(files))
}

async function readOne(
  path: string,
  { others, type }: { readonly type: string; readonly others: readonly string[] },
): Promise<readonly [string, DashboardFile]> {
  const compressed = async (ending: string) =>
    others.includes(path + ending) ? await readFile(path + ending) : undefined
  const [bytes, brotli, gzip] = await Promise.all([readFile(path), compressed('.br'), compressed('.gz')])
  const name = relative(BUILT, path).replaceAll('\\', '/')
  return [name, { type, bytes, ...(brotli && { brotli }), ...(gzip && { gzip }) }]
}

/** Returns true if there is no build, or a source is newer. */
async function isStale(): Promise<boolean> {
  const built = join(BUILT, 'index.html')
  if (!existsSync(built)) return true
  const { mtimeMs } = await stat(built)
  const sources = await readdir(SOURCES, { recursive: true, withFileTypes: true })
  const times = sources
    .filter((entry) => entry.isFile())
    .map(async ({ name, parentPath }) => (await stat(join(parentPath, name))).mtimeMs)
  return (await Promise.all(times)).some((time) => time > mtimeMs)
}

/** Builds in a separate process, so that the builder is not loaded into the service. */
async function build(): Promise<void> {
  const child = spawn(process.execPath, [BUILDER], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  })
  if (code !== 0)
    throw new Error(`the dashboard could not be built: node packages/dashboard/build.ts\n${output}`)
}
