import { needsQuotes, printIdentifier } from '@stagecraft/core/run'
import { type IndexedModel, isCode, scanSql } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Place } from '../project/source-file.ts'
import type { ReadStructure } from '../structure/sql-structure.ts'
import type { Fix, TextEdit } from '../vocabulary.ts'
import { writtenAt } from './raw-name.ts'
import { columnEntry } from './raw-columns.ts'
import { selectItemOf } from './select-item.ts'

export interface RenameReadOptions {
  readonly model: IndexedModel
  readonly structure: ReadStructure
  /** The places where the model reads the column. */
  readonly places: readonly Place[]
  /** The column as the model spells it. */
  readonly from: string
  /** The stored name of the column to read instead. */
  readonly to: string
  /** True if the model was once built with the name, so others may read it. */
  readonly wasBuilt: boolean
}

/**
 * Creates a fix that reads another raw column. The model keeps its column's name if anything may read it; a
 * misspelled name without readers is corrected. Undefined if the name is not written out.
 */
export function renameRead(project: LintProject, options: RenameReadOptions): Fix | undefined {
  const name = printIdentifier(options.to, project.dialect)
  const edits = options.places.map((place) => editAt(project, place, { ...options, name }))
  if (edits.length === 0 || !edits.every((edit) => edit !== undefined)) return undefined
  return { safety: 'unsafe', summary: `write ${name}`, edit: { kind: 'text', edits } }
}

interface EditOptions extends RenameReadOptions {
  /** The new name as spelled in SQL. */
  readonly name: string
}

function editAt(project: LintProject, place: Place, options: EditOptions): TextEdit | undefined {
  const written = place.path === options.model.path ? writtenAt(project, place, options.from) : undefined
  if (!written) return undefined
  const edit = { path: place.path, start: place.start, end: place.end }
  const position = positionOf(project, place, options)
  if (position === 'unknown') return undefined
  const isKept = position === 'named by it' && keepsName(project, place, options)
  return { ...edit, text: isKept ? `${options.name} as ${written.text}` : options.name }
}

/**
 * Returns true if others may read the name: it was right once, differs only in spelling, or is read or described in
 * the project.
 */
function keepsName(
  project: LintProject,
  place: Place,
  { from, model, structure, to, wasBuilt }: RenameReadOptions,
): boolean {
  const output = structure.columns.find((column) => column.place.start === place.start && !column.isFromStar)
  return (
    wasBuilt ||
    !output ||
    needsQuotes(to, project.dialect) ||
    from.toLowerCase() === to.toLowerCase() ||
    columnEntry(project, model, output.name) !== undefined ||
    isReadBelow(project, model, output.name)
  )
}

function isReadBelow(project: LintProject, model: IndexedModel, name: string): boolean {
  return project.graph.childrenOf(model).some((other) => {
    const structure = project.structure.of(other)
    if (structure.status === 'unread') return true
    return structure.reads.some(
      ({ column, relation }) =>
        relation.kind === 'model' && relation.model === model && column.toLowerCase() === name.toLowerCase(),
    )
  })
}

/** Words that no item of a select list follows. */
const OTHER_LISTS = new Set(['by', 'from', 'where', 'having', 'on', 'using', 'qualify', 'limit'])

/**
 * Classifies the place of a name: a whole item of a select list, which takes its name; any other place; or an item
 * that may take its name in an unknown way, as in `name::type`.
 */
function positionOf(
  project: LintProject,
  place: Place,
  { from, model }: EditOptions,
): 'named by it' | 'elsewhere' | 'unknown' {
  const text = project.files.get(place.path)?.text ?? ''
  const tokens = scanSql(text, project.dialect).filter(isCode)
  const at = tokens.findIndex(({ end, start }) => start <= place.start && place.start < end)
  if (at === -1) return 'unknown'
  if (tokens[at + 1]?.text === ':' && tokens[at + 2]?.text === ':' && !isNamedCast(tokens, at))
    return 'unknown'
  const item = selectItemOf(project, model, { name: from, place })
  if (!item || item.isNamed) return 'elsewhere'
  let depth = 0
  for (let index = at - 1; index >= 0; index -= 1) {
    const word = tokens[index]?.text.toLowerCase() ?? ''
    if (word === ')') depth += 1
    if (word === '(') depth -= 1
    if (depth < 0 || (depth === 0 && OTHER_LISTS.has(word))) return 'elsewhere'
    if (depth === 0 && word === 'select') return 'named by it'
  }
  return 'elsewhere'
}

/** Returns true for `name::type as other` and for a cast inside an expression, whose items have other names. */
function isNamedCast(tokens: readonly { readonly text: string }[], at: number): boolean {
  let depth = 0
  for (const { text } of tokens.slice(at + 3)) {
    if (text === '(') depth += 1
    if (text === ')') depth -= 1
    if (depth < 0) return true
    if (depth === 0 && text.toLowerCase() === 'as') return true
    if (depth === 0 && (text === ',' || text.toLowerCase() === 'from')) return false
  }
  return false
}
