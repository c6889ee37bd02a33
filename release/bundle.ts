// Bundles the command with everything that it imports into a few files that need no node_modules.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type InputOptions, type Plugin, rolldown } from 'rolldown'
import { repositoryPath } from '../test/paths.ts'

/** The entry points of the command and its threads. */
const ENTRIES = {
  bin: 'packages/cli/src/bin.ts',
  'analysis-worker': 'packages/service/src/analyses/analysis-worker.ts',
  'plan-worker': 'packages/service/src/pushes/plan-worker.ts',
  'project-worker': 'packages/service/src/talk/project-worker.ts',
}

/** Optional packages that are not bundled: native code, and code that is too large for users who never call it. */
const DRIVERS: ReadonlySet<string> = new Set(['@aws-sdk/credential-provider-node', '@duckdb/node-api'])

const MANIFEST = /new URL\('((?:\.\.\/)+package\.json)', import\.meta\.url\)/

/** Copies the manifests next to the bundle, because packages read their version from their own manifest. */
function keepManifests(): Plugin {
  return {
    name: 'keep-manifests',
    transform: {
      filter: { code: MANIFEST },
      handler(code, id) {
        const [, path = ''] = MANIFEST.exec(code) ?? []
        const source = readFileSync(resolve(dirname(id), path), 'utf8')
        const { name } = JSON.parse(source) as { readonly name: string }
        const fileName = `${name.replace('@stagecraft/', '')}.package.json`
        this.emitFile({ type: 'asset', fileName, source })
        return code.replace(MANIFEST, `new URL('./${fileName}', import.meta.url)`)
      },
    },
  }
}

/** Loads drivers from places where people can put them, because an executable has no node_modules. */
function findDrivers(): Plugin {
  return {
    name: 'find-drivers',
    resolveId: (id) => (DRIVERS.has(id) ? { id: `\0driver:${id}` } : undefined),
    load: (id) =>
      id.startsWith('\0driver:')
        ? `module.exports = globalThis.stagecraftDriver(${JSON.stringify(id.slice('\0driver:'.length))})`
        : undefined,
  }
}

/** Packages that other packages try to load, and do without. */
const ABSENT = ['pg-native', 'oracledb']

/** The place of drivers: `installed` next to the package, as npm does, or `around` the executable. */
export type DriverPlace = 'installed' | 'around'

function optionsFor(drivers: DriverPlace): InputOptions {
  return {
    cwd: repositoryPath(''),
    platform: 'node',
    input: ENTRIES,
    external: drivers === 'installed' ? [...ABSENT, ...DRIVERS] : ABSENT,
    plugins: drivers === 'installed' ? [keepManifests()] : [keepManifests(), findDrivers()],
  }
}

/** Returns the folders of third-party packages with code in the bundle. */
export async function findBundledPackages(): Promise<readonly string[]> {
  const bundle = await rolldown(optionsFor('installed'))
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  const folders = modules.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0])
  return [...new Set(folders)].filter((folder) => folder !== undefined)
}

/**
 * Writes the bundle: `bin.js`, its parts, the parser of lint, the pages of the dashboard and the licences. The pages
 * must be built first.
 *
 * @param folder It is emptied first.
 */
export async function writeBundle(folder: string, drivers: DriverPlace): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const bundle = await rolldown(optionsFor(drivers))
  // People read the files and stack traces of an npm package, but not the content of an executable.
  const minify = drivers === 'around'
  await bundle.write({ dir: folder, format: 'esm', minify, chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  const parser = repositoryPath('node_modules/@polyglot-sql/sdk/dist/polyglot_sql.wasm')
  cpSync(parser, join(folder, basename(parser)))
  cpSync(repositoryPath('packages/dashboard/dist/app'), join(folder, 'app'), { recursive: true })
  cpSync(repositoryPath('THIRD_PARTY_NOTICES.md'), join(folder, 'THIRD_PARTY_NOTICES.md'))
  cpSync(repositoryPath('LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(folder, 'start.cjs'), "import('./bin.js')\n")
}

if (import.meta.main) await writeBundle(repositoryPath('packages/cli/dist/bundle'), 'installed')
