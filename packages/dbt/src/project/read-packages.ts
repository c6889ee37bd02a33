import type { FileTree } from '../tree/file-tree.ts'
import { basename } from '../tree/paths.ts'
import { readText } from '../tree/read-text.ts'
import { readYamlData } from './settings.ts'
import { asList, asRecord } from './shapes.ts'

/** The files that request packages: https://docs.getdbt.com/docs/build/packages */
const FILES = ['packages.yml', 'dependencies.yml', 'package-lock.yml']

/** Names of the packages that a project asks for, as macros are called by them: `dbt_utils`. */
export async function readPackages(tree: FileTree): Promise<readonly string[]> {
  const texts = await Promise.all(FILES.map(async (path) => ({ path, text: await readText(tree, path) })))
  const entries = texts.flatMap(({ path, text }) =>
    text === undefined ? [] : asList(asRecord(readYamlData(text, path))['packages']),
  )
  const named = entries.flatMap((entry) => Object.entries(asRecord(entry)))
  const names = named.flatMap(([key, value]) =>
    KEYS.has(key) && typeof value === 'string' ? [nameOf(value)] : [],
  )
  return [...new Set(names)]
}

const KEYS = new Set(['package', 'git', 'local', 'tarball', 'name'])

/** `dbt-labs/dbt_utils`, `https://github.com/dbt-labs/dbt-utils.git`. */
function nameOf(address: string): string {
  return basename(address)
    .replace(/\.git$/, '')
    .replace(/^dbt-utils$/, 'dbt_utils')
}
