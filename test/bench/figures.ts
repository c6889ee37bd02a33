/** What was found, of what was said, of what is true. */
export interface Score {
  readonly hits: number
  readonly proposed: number
  readonly truth: number
}

/** What is counted of the plans of some tables. */
export interface Figures {
  readonly tables: number
  readonly columns: number
  /** Columns of the source that exactly one column of the model reads. */
  readonly kept: number
  /** Columns that bear another name than the rules would give. */
  readonly renamed: number
  /** Of tables and columns. */
  readonly descriptions: Readonly<Record<'model' | 'rules' | 'none', number>>
  readonly tests: Readonly<Record<TestFigure, number>>
  readonly unique: Score
  readonly references: Score
  readonly violations: Readonly<Record<string, number>>
  readonly repairs: number
  readonly fallbacks: number
  /** Why, with how often. */
  readonly failures: Readonly<Record<string, number>>
  readonly tokens: number
  /** Some calls did not tell what they cost. */
  readonly isIncomplete: boolean
  readonly calls: number
}

/**
 * `proposed` in answers and `refused` by the checks; then those of the output: `accepted` stand on a model's word,
 * `declared` on the database's, `other` on names and loaders.
 */
type TestFigure = 'proposed' | 'refused' | 'accepted' | 'declared' | 'other'

/** @param all At least one. */
export function sumFigures([first, ...others]: readonly [Figures, ...Figures[]]): Figures {
  return others.reduce(addFigures, first)
}

function addFigures(a: Figures, b: Figures): Figures {
  return {
    tables: a.tables + b.tables,
    columns: a.columns + b.columns,
    kept: a.kept + b.kept,
    renamed: a.renamed + b.renamed,
    descriptions: addCounts(a.descriptions, b.descriptions),
    tests: addCounts(a.tests, b.tests),
    unique: addCounts(a.unique, b.unique),
    references: addCounts(a.references, b.references),
    violations: addCounts(a.violations, b.violations),
    repairs: a.repairs + b.repairs,
    fallbacks: a.fallbacks + b.fallbacks,
    failures: addCounts(a.failures, b.failures),
    tokens: a.tokens + b.tokens,
    isIncomplete: a.isIncomplete || b.isIncomplete,
    calls: a.calls + b.calls,
  }
}

function addCounts<Counts extends { readonly [Name in keyof Counts]: number }>(a: Counts, b: Counts): Counts {
  const sum: Record<string, number> = { ...a }
  for (const [name, count] of Object.entries<number>(b)) sum[name] = (sum[name] ?? 0) + count
  return sum as Counts
}

/** How often each text is there. */
export function countTexts(texts: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => [text, length]),
  )
}
