import { type FinalColumn, type FinalColumns, finalColumns } from '../merge/final-columns.ts'
import { selectsSame } from '../merge/merge-items.ts'
import { compareName, fold, namesRead } from '../merge/output-name.ts'
import { isCode, type SqlSyntax } from '../merge/scan-sql.ts'

/**
 * The names under which a model selects generated columns, by the names that they were generated with; null for a column
 * that it does not select. Columns that keep their names are left out.
 */
export type ColumnNames = ReadonlyMap<string, SelectedName | null>

interface SelectedName {
  /** As a person wrote it. */
  readonly name: string
  /** True if it is in quotes. */
  readonly isQuoted: boolean
}

export interface ModelTexts {
  /** The SQL as it is generated. */
  readonly generated: string
  /** The SQL that the model has after the plan. */
  readonly final: string
  /** The columns of the raw table. */
  readonly raw: readonly string[]
}

/**
 * Finds under which names a model that a person wrote or changed selects what is generated for it. Of a text that does not
 * tell, all names are the generated ones.
 */
export function selectedNames(texts: ModelTexts, syntax: SqlSyntax): ColumnNames {
  const found = selectedColumns(texts, syntax)
  return new Map(
    [...(found?.columns ?? [])].flatMap(
      ([column, match]): readonly (readonly [string, SelectedName | null])[] => {
        const own = spelledName(column, syntax).name
        if (!match) return found?.isOpen ? [] : [[own, null]]
        return match.name === column.name ? [] : [[own, spelledName(match, syntax)]]
      },
    ),
  )
}

/** What a model selects for each generated column. */
export interface SelectedColumns {
  /** Undefined for a column that the text does not select by name. */
  readonly columns: ReadonlyMap<FinalColumn, FinalColumn | undefined>
  /** Columns that it selects besides. */
  readonly others: readonly FinalColumn[]
  /** It may select others, such as those of a table that `*` stands for. */
  readonly isOpen: boolean
}

/** Finds what a model selects for each generated column; undefined when its text does not tell. */
export function selectedColumns(
  { final, generated, raw }: ModelTexts,
  syntax: SqlSyntax,
): SelectedColumns | undefined {
  const [wanted, there] = [finalColumns(generated, syntax), finalColumns(final, syntax)]
  if (!wanted || !there || wanted.isOpen) return undefined
  const found = matchColumns(wanted, there, { syntax, raw: new Set(raw.map((name) => fold(name, syntax))) })
  const taken = new Set(found.values())
  return {
    columns: new Map(wanted.columns.map((column) => [column, found.get(column)])),
    others: there.columns.filter((column) => !taken.has(column)),
    isOpen: there.isOpen,
  }
}

/** Returns the name of a column as its text spells it. */
export function spelledName({ items: [item], name }: FinalColumn, syntax: SqlSyntax): SelectedName {
  const last = item.tokens.findLast(isCode)
  if (last?.kind === 'word' && compareName(last, syntax) === name) return { name: last.text, isQuoted: false }
  const close = last?.text.at(-1) ?? ''
  const isQuoted = last?.kind === 'name' || last?.kind === 'jinja'
  const inner = last?.kind === 'name' ? last.text.slice(1, -1).replaceAll(close + close, close) : undefined
  const [, quotedByAdapter] = /quote\(\s*['"]([^'"]+)['"]/.exec(last?.text ?? '') ?? []
  return { name: inner ?? quotedByAdapter ?? name, isQuoted }
}

interface Matching {
  readonly syntax: SqlSyntax
  /** Names of raw columns, as names are compared. */
  readonly raw: ReadonlySet<string>
}

type Holds = (wanted: FinalColumn, there: FinalColumn) => boolean

/** Finds what became of each column: the surest signs first, and only signs that fit one column alone. */
function matchColumns(
  wanted: FinalColumns,
  there: FinalColumns,
  matching: Matching,
): ReadonlyMap<FinalColumn, FinalColumn> {
  const found = new Map<FinalColumn, FinalColumn>()
  for (const holds of signs(matching)) {
    const open = wanted.columns.filter((column) => !found.has(column))
    const taken = new Set(found.values())
    const free = there.columns.filter((column) => !taken.has(column))
    const pairs = open.map((column) => [column, free.filter((one) => holds(column, one))] as const)
    for (const [column, [one, ...others]] of pairs) {
      const isAlone = pairs.every(([other, ones]) => other === column || !ones.some((two) => two === one))
      if (one && others.length === 0 && isAlone) found.set(column, one)
    }
  }
  return found
}

function signs({ raw, syntax }: Matching): readonly Holds[] {
  const hasSame: Holds = (wanted, { items }) =>
    items.some((item) => selectsSame(item, wanted.items.at(-1) ?? wanted.items[0], syntax))
  const readsRaw = ({ items }: FinalColumn): readonly string[] => [
    ...new Set(
      items.flatMap((item) =>
        [...namesRead(item.tokens.filter(isCode), syntax)].filter((name) => raw.has(name)),
      ),
    ),
  ]
  return [
    (wanted, one) => one.name === wanted.name && hasSame(wanted, one),
    hasSame,
    (wanted, one) => one.name === wanted.name,
    (wanted, { items }) => items.some(({ name }) => name === wanted.name),
    (wanted, one) => {
      const read = readsRaw(wanted)
      const own = readsRaw(one)
      return read.length > 0 && read.length === own.length && read.every((name) => own.includes(name))
    },
  ]
}
