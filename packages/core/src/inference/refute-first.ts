import type { CatalogTable } from '@stagecraft/spec'
import type { Check, CheckResult, InferenceTable, Verify } from './inference.ts'
import { type Reading, type ReadingOf, WHOLE } from './reading.ts'

/** Rows of a table that are enough to refute most wrong keys. */
const ROWS_TO_REFUTE = 100_000

export interface RefuteFirstOptions {
  /** How the rows of tables were read. */
  readonly readings: ReadonlyMap<CatalogTable, Reading | undefined>
  /** Returns true for tables that need their own check statements, however small they are. @default none */
  readonly isApart?: (table: CatalogTable) => boolean
}

/**
 * Runs the checks of large tables that are likely to fail on a sample first: those of several keys, and of strict
 * references. A failure is final. The other checks run on all rows; if one key is enough, the likeliest comes first.
 */
export function refuteFirst(
  tables: readonly InferenceTable[],
  verifyBy: (readingOf: ReadingOf) => Verify,
  { isApart = () => false, readings }: RefuteFirstOptions,
): Verify {
  const profiles = new Map(tables.map(({ profile, table }) => [table, profile] as const))
  const rowsOf = (table: CatalogTable): number => profiles.get(table)?.rows ?? 0
  const isLarge = (table: CatalogTable): boolean =>
    (readings.get(table)?.share ?? 1) >= 1 && rowsOf(table) > 2 * ROWS_TO_REFUTE
  const known = (table: CatalogTable): Pick<Reading, 'distinctOf' | 'isFilled' | 'isSmall' | 'isUnique'> => {
    const { columns = {}, rows = 0, sampled = false } = profiles.get(table) ?? {}
    return {
      isUnique: (column) =>
        !sampled && columns[column]?.approximate !== true && columns[column]?.distinct === rows,
      distinctOf: (column) => columns[column]?.distinct ?? 0,
      isFilled: (column) => !sampled && columns[column]?.nulls === 0,
      isSmall: profiles.get(table) !== undefined && !sampled && !isLarge(table) && !isApart(table),
    }
  }
  const full = verifyBy((table) => ({ ...(readings.get(table) ?? WHOLE), ...known(table) }))
  const quick = verifyBy((table) => ({
    ...WHOLE,
    share: Math.min(1, ROWS_TO_REFUTE / rowsOf(table)),
    ...known(table),
  }))
  return async (checks, { isOneEnough = false } = {}) => {
    const answers = new Map<Check, CheckResult>()
    const ask = async (asked: readonly Check[]): Promise<void> => {
      const results = await full(asked)
      for (const [at, check] of asked.entries()) answers.set(check, results[at])
    }
    const worth = worthALook(checks, isLarge)
    for (const [at, answer] of (await quick(worth)).entries()) {
      const check = worth[at]
      if (check && answer && answer.violations > 0) answers.set(check, answer)
    }
    const open = checks.filter((check) => !answers.has(check))
    const later = isOneEnough ? allButFirst(open, isLarge) : new Set<Check>()
    await ask(open.filter((check) => !later.has(check)))
    const proven = new Set(open.filter((check) => answers.get(check)?.violations === 0).map(tableOf))
    await ask([...later].filter((check) => !proven.has(tableOf(check))))
    return checks.map((check) => answers.get(check))
  }
}

type IsLarge = (table: CatalogTable) => boolean

function tableOf(check: Check): CatalogTable {
  return check.kind === 'unique' ? check.key.table : check.child.table
}

/**
 * Returns the checks of large tables to try on a sample: several keys of one table, and references that one value
 * without a parent refutes.
 */
function worthALook(checks: readonly Check[], isLarge: IsLarge): readonly Check[] {
  const ofLarge = checks.filter((check) => isLarge(tableOf(check)))
  const keys = Map.groupBy(
    ofLarge.filter(({ kind }) => kind === 'unique'),
    tableOf,
  )
  const several = [...keys.values()].filter((group) => group.length > 1).flat()
  return [...several, ...ofLarge.filter((check) => check.kind === 'contained' && check.isStrict === true)]
}

/** Returns the checks of large tables that can wait for the previous answer. */
function allButFirst(checks: readonly Check[], isLarge: IsLarge): ReadonlySet<Check> {
  const groups = Map.groupBy(
    checks.filter((check) => isLarge(tableOf(check))),
    tableOf,
  )
  return new Set([...groups.values()].flatMap((group) => group.slice(1)))
}
