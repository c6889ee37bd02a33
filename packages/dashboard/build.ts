// Builds the pages into dist/app: `node packages/dashboard/build.ts`.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import {
  API_OPERATIONS,
  DELIVERY_STATES,
  EVENT_KINDS,
  JOB_STATES,
  type Operation,
  SCOPES,
} from '@stagecraft/spec/api'
import { build, type Plugin } from 'vite'

const placeOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const OUT = placeOf('dist/app')
const TABLE = '\0operations'

/**
 * Returns the table of operations for the client: paths and methods. It leaves out the schemas, which are three
 * quarters of all bytes, because the service also sent these pages.
 */
function printOperations(): string {
  const rows = Object.entries<Operation>(API_OPERATIONS).map(([id, operation]) => {
    const { hasVersion, isCreation, isList, lastEvents, media, method, path } = operation
    const flags = {
      body: operation.body && true,
      query: operation.query && true,
      data: operation.data && true,
      message: operation.message && true,
      lastEvents,
    }
    return [id, { method, path, hasVersion, isCreation, isList, media, ...flags }] as const
  })
  return `const answer = { safeParse: (data) => ({ success: true, data }) }
export const API_OPERATIONS = ${JSON.stringify(Object.fromEntries(rows))}
for (const operation of Object.values(API_OPERATIONS))
  for (const name of ['data', 'message']) if (operation[name]) operation[name] = answer
export const EVENT_KINDS = ${JSON.stringify(EVENT_KINDS)}
export const SCOPES = ${JSON.stringify(SCOPES)}
export const DELIVERY_STATES = ${JSON.stringify(DELIVERY_STATES)}
export const JOB_STATES = ${JSON.stringify(JOB_STATES)}`
}

const lightSpec: Plugin = {
  name: 'light-spec',
  enforce: 'pre',
  resolveId(id) {
    if (id === '@stagecraft/spec/api') return TABLE
    return id === '@stagecraft/spec' ? placeOf('app/service/light-spec.ts') : undefined
  },
  load: (id) => (id === TABLE ? printOperations() : undefined),
}

/** Code that is loaded later has no own styles and nothing to preload, so Vite's helper is left out. */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load()' : undefined,
}

/** Writes compressed forms of each text, unless it is small. */
function compress(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !['.css', '.js', '.svg', '.html'].includes(extname(path))) continue
    const bytes = readFileSync(path)
    if (bytes.length < 1000) continue
    writeFileSync(`${path}.br`, brotliCompressSync(bytes))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

// Independent of the caller's mode: in another one, elements would contain their source positions.
process.env['NODE_ENV'] = 'production'

// Builds in a temporary folder first, because other processes may read or build too.
const folder = `${OUT}-${process.pid}`
await build({
  configFile: false,
  root: placeOf('app'),
  base: '/app/',
  logLevel: 'error',
  plugins: [lightSpec, plainImports],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: false,
    // Pages that are used together are in one file, because many small files compress badly.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'first',
              test: /app.(?:main|app|shell|router|routes|messages|parts.(?:basics|states|table|format|event-columns|palette)|service|pages.overview)|node_modules.*preact|packages.(?:client|spec)|operations$/,
            },
            { name: 'sign-in', test: /pages.sign-in|parts.forms/ },
            { name: 'pages', test: /app.(?:pages|parts)/ },
          ],
        },
      },
    },
  },
})
compress(folder)
rmSync(OUT, { recursive: true, force: true })
try {
  renameSync(folder, OUT)
} catch {
  rmSync(folder, { recursive: true, force: true }) // Another process was faster, with the same files.
}
