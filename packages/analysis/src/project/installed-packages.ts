import { type FileTree, type ProjectIndex, readText } from '@stagecraft/dbt'
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

/** Reads the names in installed packages. Files are listed; only YAML and docs are read. */
export async function readInstalledPackages(tree: FileTree, index: ProjectIndex): Promise<InstalledPackages> {
  const { packagesPath } = index.settings
  const files = await tree.list(packagesPath, {
    skip: (folder) => SKIPPED.has(folder.slice(folder.lastIndexOf('/') + 1)),
  })
  const paths = files.map(({ path }) => path)
  const folders = new Set(paths.map((path) => path.slice(packagesPath.length + 1).split('/')[0]))
  const texts = await Promise.all(
    paths
      .filter((path) => /\.(?:ya?ml|md)$/.test(path))
      .map(async (path) => ({ path, text: (await readText(tree, path)) ?? '' })),
  )
  const sources = new Set(
    texts.filter(({ path }) => !path.endsWith('.md')).flatMap(({ text }) => sourcesIn(text)),
  )
  return {
    missing:
      folders.size > 0
        ? []
        : index.packages.filter((name) => !WITHOUT_MODELS.has(name) && name !== index.settings.name),
    models: new Set(paths.filter((path) => /\.(?:sql|py|csv)$/.test(path)).map(stem)),
    docs: new Set(texts.flatMap(({ text }) => docsIn(text))),
    hasSource: (source, table) => sources.has(JSON.stringify([source, table])),
  }
}

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
