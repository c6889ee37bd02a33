import type { JinjaValue } from '../jinja/jinja-value.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { basename } from '../tree/paths.ts'
import { readText } from '../tree/read-text.ts'
import { faultOf, type ProjectProblem } from './project-index.ts'
import { readYamlData } from './settings.ts'
import { asList, asRecord } from './shapes.ts'

/** The files that request packages: https://docs.getdbt.com/docs/build/packages */
const FILES = ['packages.yml', 'dependencies.yml', 'package-lock.yml']

/** Names of the packages that a project asks for, as macros are called by them: `dbt_utils`. */
export async function readPackages(
  tree: FileTree,
): Promise<{ readonly packages: readonly string[]; readonly faults: readonly ProjectProblem[] }> {
  const files = await Promise.all(FILES.map((path) => readEntries(tree, path)))
  const entries = files.flatMap((file) => ('entries' in file ? file.entries : []))
  const named = entries.flatMap((entry) => Object.entries(asRecord(entry)))
  const names = named.flatMap(([key, value]) =>
    KEYS.has(key) && typeof value === 'string' ? [nameOf(value)] : [],
  )
  return {
    packages: [...new Set(names)],
    faults: files.flatMap((file) => ('fault' in file ? file.fault : [])),
  }
}

async function readEntries(
  tree: FileTree,
  path: string,
): Promise<{ readonly entries: readonly JinjaValue[] } | { readonly fault: ProjectProblem }> {
  try {
    const text = await readText(tree, path)
    return { entries: text === undefined ? [] : asList(asRecord(readYamlData(text, path))['packages']) }
  } catch (error) {
    return { fault: { path, ...faultOf(error) } }
  }
}

const KEYS = new Set(['package', 'git', 'local', 'tarball', 'name'])

/** `dbt-labs/dbt_utils`, `https://github.com/dbt-labs/dbt-utils.git`. */
function nameOf(address: string): string {
  return basename(address)
    .replace(/\.git$/, '')
    .replace(/^dbt-utils$/, 'dbt_utils')
}
