import { type NamedBlock, readNamedBlocks, type TemplateFacts } from '../jinja/read-template.ts'
import type { FileTree } from '../tree/file-tree.ts'
import { readText } from '../tree/read-text.ts'
import type { ReadFile } from './facts-cache.ts'
import type { ProjectSettings } from './settings.ts'

/** Macros of installed packages by package and name: `dbt_utils.star`. */
export type PackageMacros = ReadonlyMap<string, NamedBlock>

/**
 * Reads the macros of installed packages that a project calls. The folder of a package has its name:
 * https://docs.getdbt.com/docs/build/packages
 */
export async function readPackageMacros(
  tree: FileTree,
  files: readonly ReadFile[],
  { name, packagesPath }: Pick<ProjectSettings, 'name' | 'packagesPath'>,
): Promise<PackageMacros> {
  const found = new Map<string, NamedBlock>()
  const read = new Set([name])
  // macros call those of other packages
  for (let called = without(packagesIn(templatesOf(files)), read); called.size > 0;) {
    const blocks = await Promise.all([...called].map((one) => readMacros(tree, `${packagesPath}/${one}`)))
    const facts: TemplateFacts[] = []
    for (const [at, one] of [...called].entries()) {
      read.add(one)
      for (const block of blocks[at] ?? []) {
        found.set(`${one}.${block.name}`, block)
        facts.push(block.facts)
      }
    }
    called = without(packagesIn(facts), read)
  }
  return found
}

async function readMacros(tree: FileTree, folder: string): Promise<readonly NamedBlock[]> {
  const listed = await tree.list(`${folder}/macros`)
  const paths = listed.map(({ path }) => path).filter((path) => path.endsWith('.sql'))
  const texts = await Promise.all(paths.map((path) => readText(tree, path)))
  return texts.flatMap((text = '') => readNamedBlocks(text)).filter(({ kind }) => kind === 'macro')
}

function templatesOf(files: readonly ReadFile[]): readonly TemplateFacts[] {
  return files.flatMap(({ facts: { blocks = [], template } }) => [
    ...(template ? [template] : []),
    ...blocks.map(({ facts }) => facts),
  ])
}

/** Names before a dot in calls that may be packages; most are variables of Jinja. */
function packagesIn(templates: readonly TemplateFacts[]): ReadonlySet<string> {
  const names = templates.flatMap(({ calls }) =>
    calls.flatMap((call) => /^(\w+)\.\w+$/.exec(call)?.[1] ?? []),
  )
  return new Set(names)
}

function without(names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].filter((name) => !others.has(name)))
}
