import { type DbtFolders, readDbtFolders, readDefinitions } from './dbt-definitions.ts'
import { type DbtReferences, isDbtFile, readReferences } from './dbt-references.ts'
import { foldersOf } from './file-path.ts'
import { isFile } from './plan-commit.ts'
import { readTexts } from './read-contents.ts'
import type { Git } from './run-git.ts'
import { readTree, type TreeEntry } from './tree-entries.ts'

export interface ReadFile {
  readonly path: string
  readonly references: DbtReferences
  /** The definitions that dbt allows once in a project, in words. */
  readonly definitions: ReadonlySet<string>
}

export interface ProjectText extends ReadFile {
  readonly text: string
}

export interface Others {
  readonly others: readonly ReadFile[]
  /** All files of the commit, by path. */
  readonly entries: ReadonlyMap<string, TreeEntry>
  /** The folders that dbt reads in each project, by the folder of its `dbt_project.yml`. */
  readonly folders: ReadonlyMap<string, DbtFolders>
}

const PROJECT = /(?:^|\/)dbt_project\.ya?ml$/

/** The number of files that are read at the same time. */
const FILES = 2000

/** Reads the dbt files of a commit, except those that change. */
export async function readOthers(
  git: Git,
  { commit, touched }: { readonly commit: string; readonly touched: ReadonlySet<string> },
): Promise<Others> {
  const entries = await readTree(git, commit)
  const wanted = [...entries].filter(
    ([path, entry]) => isDbtFile(path) && isFile(entry) && !touched.has(path),
  )
  const others: ReadFile[] = []
  const folders = new Map<string, DbtFolders>()
  for (let start = 0; start < wanted.length; start += FILES) {
    const some = wanted.slice(start, start + FILES)
    const texts = await readTexts(
      git,
      some.map(([, { id }]) => id),
    )
    for (const [path, { id }] of some) {
      const text = texts.get(id) ?? ''
      others.push(readFile(path, text))
      const found = PROJECT.test(path) ? readDbtFolders(text) : undefined
      if (found) folders.set(projectOf(path), found)
    }
  }
  return { others, entries, folders }
}

/** Returns a function that finds the dbt project folder of a path: the nearest one with a `dbt_project.yml`. */
export function projectRoots(paths: readonly string[]): (path: string) => string {
  const roots = new Set(paths.filter((path) => PROJECT.test(path)).map(projectOf))
  return (path) => foldersOf(path).findLast((folder) => roots.has(folder)) ?? ''
}

function projectOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** Reads the references and definitions of a file. */
export function readFile(path: string, text: string): ReadFile {
  return { path, references: readReferences(path, text), definitions: readDefinitions(path, text) }
}
