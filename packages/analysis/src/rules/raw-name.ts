import { escapeIdentifier, foldCase, quoteIdentifier } from '@stagecraft/core/run'
import type { Table } from '@stagecraft/spec'
import type { LintProject } from '../project/lint-project.ts'
import type { Place } from '../project/source-file.ts'
import type { ColumnRead } from '../structure/sql-structure.ts'

/** A name as spelled in the SQL of a model. */
export interface WrittenName {
  /** The text in the file, including quotes. */
  readonly text: string
  /** The stored name that the warehouse searches. */
  readonly stored: string
  readonly isQuoted: boolean
}

/** Returns the name at a place; undefined if it comes from Jinja or a `*`. */
export function writtenAt(
  { dialect, files }: Pick<LintProject, 'dialect' | 'files'>,
  { end, path, start }: Place,
  name: string,
): WrittenName | undefined {
  const text = files.get(path)?.text.slice(start, end) ?? ''
  const isSame = (other: string): boolean => text.toLowerCase() === other.toLowerCase()
  if (isSame(name)) return { text, stored: foldCase(text, dialect), isQuoted: false }
  const isQuoted = isSame(quoteIdentifier(name, dialect)) || isSame(`"${escapeIdentifier(name, dialect)}"`)
  // Two spellings of a quoted name differ only in case, so they have the same length.
  return isQuoted ? { text, stored: unquoted(text), isQuoted: true } : undefined
}

function unquoted(text: string): string {
  const close = text.at(-1) ?? ''
  return text.slice(1, -1).replaceAll(`${close}${close}`, close)
}

/** Returns the columns of a raw table that match a name in any case. */
function inAnyCase({ columns }: Table, name: string): readonly string[] {
  return columns.map((column) => column.name).filter((column) => column.toLowerCase() === name.toLowerCase())
}

/**
 * Returns true if the warehouse finds a column that a model reads: in any case if case does not matter, else by
 * folding. A name that is not written out matches in any case.
 */
export function findsColumn(project: LintProject, raw: Table, { column, place }: ColumnRead): boolean {
  const known = inAnyCase(raw, column)
  const { caseSensitive, folds } = project.dialect.identifiers
  const written = writtenAt(project, place, column)
  if (known.length === 0 || !caseSensitive || folds === 'none' || !written) return known.length > 0
  // A hand-written list for a warehouse that folds to upper case has names as people write them, not stored ones.
  const isByHand = folds === 'upper' && raw.columns.every(({ name }) => name === name.toLowerCase())
  return isByHand || known.includes(written.stored)
}
