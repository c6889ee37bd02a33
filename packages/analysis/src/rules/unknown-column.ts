import type { LintProject } from '../project/lint-project.ts'
import type { Entry } from '../project/properties-file.ts'
import type { Hit, Unchecked } from '../rule.ts'
import type { Fix } from '../vocabulary.ts'
import { bare, checkColumns, findColumn, type ReadModel, testsOf } from './columns.ts'
import { missingReads } from './missing-raw-column.ts'
import { nearest } from './nearest.ts'
import { writtenAt } from './raw-name.ts'

const LISTS = { model: 'models', seed: 'seeds', snapshot: 'snapshots' } as const

/** The fix of such an entry, for the rules that find one. */
export const UNKNOWN_COLUMN_REMEDY = 'Rename the entry to the column, or remove it.'
export const UNKNOWN_COLUMN_FIX = {
  safety: 'unsafe',
  summary: 'gives the entry the closest name without a description, or removes it',
} as const

export interface UnknownColumnOptions {
  /** True for columns with tests, false for columns with only a description. */
  readonly isTested: boolean
  readonly message: (column: string, model: string) => string
}

/** Finds entries of columns that a model does not have. */
export function unknownColumns(
  project: LintProject,
  { isTested, message }: UnknownColumnOptions,
): readonly (Hit | Unchecked)[] {
  return checkColumns(project, (read) => {
    const entry = project.entryOf(read.model)
    const columns = entry?.entries('columns') ?? []
    const unknown = columns.filter(
      (column) =>
        !findColumn(read.structure.columns, column.name) &&
        !findColumn(read.structure.columns, fieldOwner(column.name)) &&
        !column.name.includes('{{') &&
        testsOf(column).length > 0 === isTested,
    )
    if (unknown.length === 0) return []
    if (read.model.version !== undefined)
      return [{ subject: read.subject(), unchecked: 'each of its versions has its own columns' }]
    const isUnsure = missingReads(project, read).length > 0
    return unknown.map((column) => toHit(project, column, { columns, isUnsure, read, message }))
  })
}

/** `page.url` is a field of the column `page`. */
function fieldOwner(name: string): string {
  return name.includes('.') ? name.slice(0, name.indexOf('.')) : name
}

interface HitOptions {
  /** Returns all column entries of the model. */
  readonly columns: readonly Entry[]
  /** Returns true if the model reads missing columns: once corrected, it may match the entry. */
  readonly isUnsure: boolean
  readonly read: ReadModel
  readonly message: UnknownColumnOptions['message']
}

function toHit(
  project: LintProject,
  column: Entry,
  { columns, isUnsure, message, read: { model, structure, subject } }: HitOptions,
): Hit {
  const hit = {
    message: message(column.name, model.name),
    place: column.place,
    subject: subject(column.name),
  }
  if (isUnsure) return { ...hit, help: 'first correct the missing columns that the model reads' }
  const described = new Set(columns.map(({ name }) => bare(name).toLowerCase()))
  const free = structure.columns.filter(({ name }) => !described.has(name.toLowerCase()))
  const closest = nearest(
    column.name,
    free.map(({ name }) => name),
  )
  const output = free.find(({ name }) => name === closest)
  // A test on a quoted name needs `quote: true`, which a person must write.
  const wantsQuotes =
    output !== undefined &&
    testsOf(column).length > 0 &&
    column.get('quote') !== true &&
    writtenAt(project, output.place, output.name)?.isQuoted === true
  return {
    ...hit,
    help:
      closest === undefined
        ? `remove the entry, or select ${column.name}`
        : `did you mean ${closest}${wantsQuotes ? ', with quote: true' : ''}?`,
    ...(!wantsQuotes && { fix: mend(column, { list: LISTS[model.kind], name: model.name }, closest) }),
  }
}

function mend(
  { name, place: { path } }: Entry,
  owner: { readonly list: 'models' | 'seeds' | 'snapshots'; readonly name: string },
  closest: string | undefined,
): Fix {
  if (closest === undefined)
    return {
      safety: 'unsafe',
      summary: `remove the entry of ${name}`,
      edit: { kind: 'yaml', path, edits: [{ kind: 'remove-column', owner, column: name }] },
    }
  const edit = {
    kind: 'set-property',
    owner,
    column: name,
    key: 'name',
    value: closest,
    replaces: name,
  } as const
  return { safety: 'unsafe', summary: `name it ${closest}`, edit: { kind: 'yaml', path, edits: [edit] } }
}
