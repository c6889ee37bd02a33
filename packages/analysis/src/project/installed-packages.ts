import { type FileTree, PROJECT_FILE, type ProjectIndex, readSettings, readText } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'
import { parse } from 'yaml'
import type { InstalledPackages } from './lint-project.ts'
import { asMap } from './model-config.ts'

/** Packages of macros, without models, seeds or sources. */
const WITHOUT_MODELS = new Set([
  'dbt_utils',
  'codegen',
  'dbt-codegen',
  'audit_helper',
  'dbt_audit_helper',
  'dbt-audit-helper',
  'dbt_expectations',
  'dbt-expectations',
  'dbt_date',
  'dbt-date',
  'dbt_external_tables',
  'dbt-external-tables',
])

const SKIPPED = new Set(['integration_tests', 'node_modules', '.git'])

/** Reads the names in installed packages. Files are listed; only YAML, docs and snapshots are read. */
export async function readInstalledPackages(tree: FileTree, index: ProjectIndex): Promise<InstalledPackages> {
  const { packagesPath } = index.settings
  const files = await tree.list(packagesPath, {
    skip: (folder) => SKIPPED.has(folder.slice(folder.lastIndexOf('/') + 1)),
  })
  const paths = files.map(({ path }) => path)
  const folders = new Set(paths.flatMap((path) => path.slice(packagesPath.length + 1).split('/')[0] ?? []))
  const texts = await Promise.all(
    paths
      .filter((path) => /\.(?:ya?ml|md)$/.test(path))
      .map(async (path) => ({ path, text: (await readText(tree, path)) ?? '' })),
  )
  const sources = new Set(
    texts.filter(({ path }) => !path.endsWith('.md')).flatMap(({ text }) => sourcesIn(text)),
  )
  const found = [...folders].map(async (folder) =>
    readInstalled(tree, { folder: `${packagesPath}/${folder}`, name: folder, paths }),
  )
  const installed = new Map(await Promise.all(found))
  return {
    missing: missingOf(index, installed),
    installed,
    models: new Set([...installed.values()].flatMap((models) => [...models.keys()])),
    docs: new Set(texts.flatMap(({ text }) => docsIn(text))),
    hasSource: (source, table) => sources.has(JSON.stringify([source, table])),
  }
}

interface Folder {
  readonly folder: string
  /** The name of the package, if it has no `dbt_project.yml`. */
  readonly name: string
  readonly paths: readonly string[]
}

/** Returns the name of a package, and its models with their files. */
async function readInstalled(
  tree: FileTree,
  { folder, name, paths }: Folder,
): Promise<readonly [name: string, models: ReadonlyMap<string, string>]> {
  const settings = readQuietly((await readText(tree, `${folder}/${PROJECT_FILE}`)) ?? `name: ${name}`)
  const { modelPaths, seedPaths, snapshotPaths } = settings ?? readSettings('name: unknown')
  const within = paths.filter((path) => path.startsWith(`${folder}/`))
  const isBelow = (path: string, roots: readonly string[]): boolean =>
    roots.some((root) => path.startsWith(root === '' ? `${folder}/` : `${folder}/${root}/`))
  const models = within.filter(
    (path) =>
      (/\.(?:sql|py)$/.test(path) && isBelow(path, modelPaths)) ||
      (path.endsWith('.csv') && isBelow(path, seedPaths)),
  )
  const snapshots = within.filter((path) => path.endsWith('.sql') && isBelow(path, snapshotPaths))
  const blocks = await Promise.all(
    snapshots.map(async (path) =>
      [...((await readText(tree, path)) ?? '').matchAll(/\{%-?\s*snapshot\s+(\w+)/g)].map(
        ([, own = '']) => [own, path] as const,
      ),
    ),
  )
  // `orders_v2.sql` is a version of `orders`, if properties say so
  const named = models.flatMap((path) => [
    [stem(path).replace(/[_.]v\w+$/, ''), path] as const,
    [stem(path), path] as const,
  ])
  return [settings?.name ?? name, new Map([...named, ...blocks.flat()])]
}

/** An unreadable `dbt_project.yml` says nothing here: dbt reports its error. */
function readQuietly(text: string): ReturnType<typeof readSettings> | undefined {
  try {
    return readSettings(text)
  } catch (error) {
    if (error instanceof StagecraftError) return undefined
    throw error
  }
}

/**
 * Returns the required packages that have no folder. The address of a package need not have its name, so none is missing if there
 * are as many folders as packages.
 */
function missingOf(
  { packages, settings }: ProjectIndex,
  installed: InstalledPackages['installed'],
): readonly string[] {
  const required = packages.filter((name) => name !== settings.name)
  if (installed.size > 0 && installed.size >= required.length) return []
  const folders = new Set([...installed.keys()].map(plain))
  return required.filter((name) => !WITHOUT_MODELS.has(name) && !folders.has(plain(name)))
}

const plain = (name: string): string => name.replaceAll('-', '_').replace(/^dbt_/, '')

function stem(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')
}

function docsIn(text: string): readonly string[] {
  return [...text.matchAll(/\{%-?\s*docs\s+(\w+)/g)].flatMap(([, name]) => name ?? [])
}

/** An unreadable file declares nothing here: dbt reports its error. */
function sourcesIn(text: string): readonly string[] {
  if (!text.includes('sources:')) return []
  const data = parseQuietly(text)
  const entries = asMap(data)['sources']
  return (Array.isArray(entries) ? entries.map(asMap) : []).flatMap(({ name, tables }) =>
    (Array.isArray(tables) ? tables.map(asMap) : []).map((table) => JSON.stringify([name, table['name']])),
  )
}

function parseQuietly(text: string): unknown {
  try {
    return parse(text, { uniqueKeys: false, logLevel: 'silent' }) as unknown
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
