import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type Project, StagecraftError } from '@stagecraft/spec'
import { parse } from 'yaml'
import { hashOf, readLedger } from './ledger.ts'
import { collectStyle, type StyleCollector } from './house-style.ts'
import { readDbtVersion } from './read-dbt-version.ts'
import { readIfThere } from './read-if-there.ts'

/**
 * Reads what generated code has to agree with from the dbt project around a folder: the nearest folder above
 * with a `dbt_project.yml`. Undefined when there is none. Models are known by their files, columns by the YAML
 * beside them; nothing is rendered or run.
 */
export async function findProject(from: string): Promise<Project | undefined> {
  const root = await findRoot(resolve(from))
  if (root === undefined) return undefined
  const project = asObject(await readYaml(join(root, 'dbt_project.yml')))
  const target = typeof project['target-path'] === 'string' ? project['target-path'] : 'target'
  const folders = asTexts(project['model-paths']) ?? ['models']
  const range = project['require-dbt-version']
  return {
    ...(await readModels(root, folders, await ownFiles(root, from))),
    packages: await readPackages(root),
    requireDbtVersion: Array.isArray(range) ? range.join(',') : typeof range === 'string' ? range : undefined,
    installedDbtVersion: await readDbtVersion(join(root, target, 'manifest.json')),
    testArgumentsProperty: asObject(project['flags'])['require_generic_test_arguments_property'] !== false,
  }
}

async function findRoot(folder: string): Promise<string | undefined> {
  if ((await readIfThere(join(folder, 'dbt_project.yml'))) !== undefined) return folder
  const above = dirname(folder)
  return above === folder ? undefined : findRoot(above)
}

/** Says whether Stagecraft wrote a file. */
type OwnFiles = (path: string, content: string) => boolean

/**
 * Finds the files that Stagecraft wrote, also where a person changed them: they are no examples of the house
 * style. A moved file is recognized by its content.
 */
async function ownFiles(root: string, from: string): Promise<OwnFiles> {
  const folders = [...new Set([root, resolve(from)])]
  const ledgers = await Promise.all(
    folders.map(async (folder) => ({ folder, files: await readLedger(folder) })),
  )
  const paths = new Set(
    ledgers.flatMap(({ files, folder }) => Object.keys(files).map((path) => join(folder, path))),
  )
  const hashes = new Set(
    ledgers.flatMap(({ files }) => Object.values(files).flatMap((entry) => entry.hashes)),
  )
  return (path, content) => paths.has(path) || hashes.has(hashOf(content))
}

async function readModels(
  root: string,
  folders: readonly string[],
  isOwn: OwnFiles,
): Promise<Pick<Project, 'models' | 'style'>> {
  const documented = new Map<string, readonly string[]>()
  const names = new Set<string>()
  const style = collectStyle()
  for (const folder of folders) {
    for (const file of await listFiles(join(root, folder))) {
      if (/\.ya?ml$/.test(file)) await readColumns(file, { documented, style, isOwn })
      if (!file.endsWith('.sql')) continue
      const name = basename(file, '.sql')
      names.add(name)
      const text = /^(?:stg|base)_/.test(name) ? ((await readIfThere(file)) ?? '') : ''
      if (!isOwn(file, text)) style.addSql(text)
    }
  }
  const models = [...names].toSorted().map((name) => ({ name, columns: documented.get(name) }))
  return { models, style: style.collect() }
}

interface Collected {
  readonly documented: Map<string, readonly string[]>
  readonly style: StyleCollector
  readonly isOwn: OwnFiles
}

async function readColumns(file: string, { documented, isOwn, style }: Collected): Promise<void> {
  const { models } = asObject(await readYaml(file))
  const learns = !isOwn(file, (await readIfThere(file)) ?? '')
  for (const model of Array.isArray(models) ? models.map(asObject) : []) {
    const columns = Array.isArray(model['columns']) ? model['columns'].map(asObject) : []
    if (typeof model['name'] !== 'string') continue
    documented.set(
      model['name'],
      columns.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
    )
    for (const { description, name } of columns) {
      if (learns && typeof name === 'string' && typeof description === 'string')
        style.addDescription(name, description)
    }
  }
}

async function readPackages(root: string): Promise<readonly string[]> {
  const files = await Promise.all(
    ['packages.yml', 'dependencies.yml'].map((file) => readYaml(join(root, file))),
  )
  return files
    .flatMap((content) => asObject(content)['packages'] ?? [])
    .flatMap((entry) => Object.values(asObject(entry)))
    .filter((value) => typeof value === 'string')
    .map((value) =>
      basename(value)
        .replace(/\.git$/, '')
        .replace(/^dbt-utils$/, 'dbt_utils'),
    )
}

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/**
 * Reads a YAML file; returns undefined if it does not exist. Duplicate keys are allowed, as in dbt itself.
 */
async function readYaml(file: string): Promise<unknown> {
  try {
    return parse((await readIfThere(file)) ?? '', { uniqueKeys: false, logLevel: 'error' })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new StagecraftError('INVALID_REQUEST', `${file}: expected valid YAML: ${reason}`, {
      details: { faults: [{ path: file, expected: 'valid YAML', received: reason ?? '' }] },
    })
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function asTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined
}
