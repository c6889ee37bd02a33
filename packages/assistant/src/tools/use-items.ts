import { lineOf } from '@stagecraft/analysis'
import { compareText } from '@stagecraft/spec'
import type { ProjectView } from '../project-view.ts'
import type { Item } from '../tool.ts'

export interface Uses {
  readonly items: readonly Item[]
  readonly notes: readonly string[]
}

export interface PlaceOfUse {
  readonly path: string
  readonly line: number
}

export function itemOf({ project }: ProjectView, id: string, { line, path }: PlaceOfUse): Item {
  const file = project.files.get(path)
  return {
    id,
    kind: id.split('.')[0] ?? 'file',
    file: path,
    line,
    text: file ? lineOf(file, line).trim() : '',
  }
}

/** Describes a file that is not a model: a test, a macro, an analysis, properties. */
export function idOfFile({ project: { index } }: ProjectView, path: string): string {
  const { analysisPaths, macroPaths, testPaths } = index.settings
  const isIn = (folders: readonly string[]): boolean =>
    folders.some((folder) => path.startsWith(`${folder}/`))
  if (/\.ya?ml$/i.test(path)) return `properties.${path}`
  const kind = isIn(testPaths)
    ? 'test'
    : isIn(macroPaths)
      ? 'macro'
      : isIn(analysisPaths)
        ? 'analysis'
        : 'file'
  return `${kind}.${path}`
}

export function unique(items: readonly Item[]): readonly Item[] {
  const byPlace = new Map(items.map((item) => [`${item.id}\0${item.file}\0${item.line}`, item]))
  return [...byPlace.values()].toSorted((a, b) => compareText(a.file, b.file) || a.line - b.line)
}
