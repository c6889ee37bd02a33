import { parse } from 'yaml'
import { fileStem, isYaml } from './dbt-references.ts'
import { type EntryKey, readEntries } from './yaml-entries.ts'

const SNAPSHOT = /\{%-?\s*snapshot\s+(\w+)/g

/**
 * Returns the definitions in a file that dbt allows once in a project, in words: `the model orders`. Returns
 * nothing for a file that may disable its definitions: disabled ones do not count, and only dbt knows which
 * are.
 */
export function readDefinitions(path: string, text: string): ReadonlySet<string> {
  if (/\benabled\b/.test(text)) return new Set()
  if (isYaml(path)) return new Set(readEntries(text).map(entryDefinition))
  const snapshots = [...text.matchAll(SNAPSHOT)].map(([, name = '']) => `the snapshot ${name}`)
  return new Set(snapshots.length > 0 ? snapshots : [modelOf(path)])
}

/** Returns the model that a code file defines, by its file name. */
export function modelOf(path: string): string {
  return `the model ${fileStem(path)}`
}

/** Returns the definition of a properties entry. */
export function entryDefinition(key: EntryKey): string {
  return key.list === 'sources' ? `the source ${key.source}.${key.name}` : `the properties of ${key.name}`
}

/** The folders that dbt reads, relative to the project. */
export interface DbtFolders {
  /** Of models and snapshots. */
  readonly code: readonly string[]
  /** The folders that may contain properties. */
  readonly properties: readonly string[]
}

/**
 * Returns the folders of a project from its `dbt_project.yml`; undefined if it disables models, because the result
 * cannot be known then.
 */
export function readDbtFolders(text: string): DbtFolders | undefined {
  if (/\benabled\b/.test(text)) return undefined
  const project = readMap(text)
  const folders = (name: string, standard: string): readonly string[] => {
    const given = project[name]
    if (!Array.isArray(given)) return [standard]
    return given.map((folder) => `${folder}`.replace(/^\.\//, '').replace(/\/+$/, ''))
  }
  const code = [...folders('model-paths', 'models'), ...folders('snapshot-paths', 'snapshots')]
  const beside = [
    ...folders('seed-paths', 'seeds'),
    ...folders('analysis-paths', 'analyses'),
    ...folders('macro-paths', 'macros'),
  ]
  return { code, properties: [...code, ...beside] }
}

/** Returns true if dbt reads a file, by its path in the project. */
export function isInFolders(path: string, folders: DbtFolders): boolean {
  const wanted = isYaml(path) ? folders.properties : folders.code
  return wanted.some((folder) => folder === '' || folder === '.' || path.startsWith(`${folder}/`))
}

function readMap(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parse(text, { logLevel: 'silent' })
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    // dbt refuses it too.
    return {}
  }
}
