import { applyEdits } from './edit-list.ts'
import { scanSql, type SqlSyntax } from './scan-sql.ts'

/** A table by its names in dbt. */
export interface SourceRead {
  readonly source: string
  readonly table: string
}

/** Makes a model read a table of a source by other names; quotes and blanks of the call stay. */
export function renameSource(
  text: string,
  { from, to }: { readonly from: SourceRead; readonly to: SourceRead },
  syntax: SqlSyntax,
): string {
  const edits = placesIn(text, from, syntax).flatMap(({ names, start }) =>
    ([to.source, to.table] as const).flatMap((name, index) => {
      const [first, last] = names[index] ?? [0, 0]
      return [{ start: start + first, end: start + last, text: name }]
    }),
  )
  return applyEdits(text, edits)
}

/** Returns true if a model reads a table of a source by these names. */
export function readsSource(text: string, read: SourceRead, syntax: SqlSyntax): boolean {
  return placesIn(text, read, syntax).length > 0
}

interface ReadPlace {
  /** The index at which the piece of Jinja begins. */
  readonly start: number
  /** First and last index of both names in it. */
  readonly names: readonly (readonly [number, number])[]
}

const CALL = /\bsource\(\s*(?<a>['"])(?<source>[^'"]*)\k<a>\s*,\s*(?<b>['"])(?<table>[^'"]*)\k<b>\s*\)/dg

function placesIn(text: string, { source, table }: SourceRead, syntax: SqlSyntax): readonly ReadPlace[] {
  return scanSql(text, syntax)
    .filter(({ kind }) => kind === 'jinja' || kind === 'jinja-block')
    .flatMap((token) =>
      [...token.text.matchAll(CALL)].flatMap(({ groups, indices }): readonly ReadPlace[] => {
        const { source: first, table: last } = indices?.groups ?? {}
        const isRead = groups?.['source'] === source && groups['table'] === table
        return isRead && first && last ? [{ start: token.start, names: [first, last] }] : []
      }),
    )
}
