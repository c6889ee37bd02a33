import { escapeIdentifier, foldCase, quoteIdentifier } from '@stagecraft/core/run'
import type { Table } from '@stagecraft/spec'
import type { LintProject } from '../project/lint-project.ts'
import type { Place } from '../project/source-file.ts'
import type { ColumnRead } from '../structure/sql-structure.ts'

/** A name as the SQL of a model spells it. */
export interface WrittenName {
  /** As it stands in the file, quotes included. */
  readonly text: string
  /** The stored name that the warehouse looks for. */
  readonly stored: string
  readonly isQuoted: boolean
}

/** The name that stands at a place; undefined where Jinja or a `*` brings it. */
export function writtenAt(
  { dialect, files }: Pick<LintProject, 'dialect' | 'files'>,
  { end, path, start }: Place,
  name: string,
): WrittenName | undefined {
  const text = files.get(path)?.text.slice(start, end) ?? ''
  const isSame = (other: string): boolean => text.toLowerCase() === other.toLowerCase()
  if (isSame(name)) return { text, stored: foldCase(text, dialect), isQuoted: false }
  const isQuoted = isSame(quoteIdentifier(name, dialect)) || isSame(`"${escapeIdentifier(name, dialect)}"`)
  // Two spellings of a name in quotes differ in case only, so that they are as long as each other.
  return isQuoted ? { text, stored: unquoted(text), isQuoted: true } : undefined
}

function unquoted(text: string): string {
  const close = text.at(-1) ?? ''
  return text.slice(1, -1).replaceAll(`${close}${close}`, close)
}

/** The columns of a raw table that a name may mean, in any case. */
function inAnyCase({ columns }: Table, name: string): readonly string[] {
  return columns.map((column) => column.name).filter((column) => column.toLowerCase() === name.toLowerCase())
}

/**
 * Tells whether the warehouse finds a column where a model reads it: in any case where case does not matter, else as the name
 * folds. Where the name is not written out, any case will do.
 */
export function findsColumn(project: LintProject, raw: Table, { column, place }: ColumnRead): boolean {
  const known = inAnyCase(raw, column)
  const { caseSensitive, folds } = project.dialect.identifiers
  const written = writtenAt(project, place, column)
  if (known.length === 0 || !caseSensitive || folds === 'none' || !written) return known.length > 0
  // A list by hand of a warehouse that folds to upper case: its names are what people write, not what is stored.
  const isByHand = folds === 'upper' && raw.columns.every(({ name }) => name === name.toLowerCase())
  return isByHand || known.includes(written.stored)
}
