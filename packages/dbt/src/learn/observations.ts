import { type NameTrial, tryNames } from '@stagecraft/core/run'
import { type Dialect, type Family } from '@stagecraft/dialects'
import type { Column, Config, DialectName, Table } from '@stagecraft/spec'
import type { StagingModel } from './read-staging.ts'

/** A raw column with the name that a person gave it. */
export interface Observation {
  /** The model's place in the list. */
  readonly place: number
  /** As stored. */
  readonly stored: string
  readonly given: string
  readonly family: Family
  /** Nearly equal tables, such as copies per region, form one group and count once. */
  readonly group: number
}

/** The evidence for learning names. */
export interface Evidence {
  readonly models: readonly StagingModel[]
  readonly observations: readonly Observation[]
  /** The tables of the models, in their order. */
  readonly trial: NameTrial
  /** The group of each model. */
  readonly groups: readonly number[]
  /** Returns true if several tables of a schema, or of any, have the column, whose name is in lower case. */
  isShared(schema: string | undefined, column: string): boolean
}

export interface EvidenceOptions {
  readonly dialect: Dialect & { readonly name: DialectName }
  /** The configuration that the project has. */
  readonly config: Config
}

/**
 * Combines models with the tables that they read.
 *
 * @param tables The known tables of the warehouse. A missing table gets the columns that its model reads, with types
 * from casts and names.
 */
export function gatherEvidence(
  models: readonly StagingModel[],
  tables: readonly Table[],
  { config, dialect }: EvidenceOptions,
): Evidence {
  const known = new Map(tables.map((table) => [keyOf(table.schema ?? '', table.name ?? ''), table]))
  const stored = models.map((model) => tableOf(model, known, dialect))
  const items = models.map((model, place) => ({
    request: { type: 'staging' as const, source: printSource(model) },
    table: stored[place] ?? { columns: [] },
  }))
  const trial = tryNames(items, { dialect, config })
  const groups = groupAlike(models, stored)
  const observations = models.flatMap((model, place) => {
    const spelled = new Map((stored[place]?.columns ?? []).map(({ name }) => [name.toLowerCase(), name]))
    return model.pairs.flatMap(({ name, raw }): readonly Observation[] => {
      const column = spelled.get(raw.toLowerCase())
      const family = column === undefined ? undefined : trial.families[place]?.get(column)
      const group = groups[place] ?? place
      return column === undefined || family === undefined
        ? []
        : [{ place, stored: column, given: name, family, group }]
    })
  })
  return { models, observations, trial, groups, isShared: countColumns([...tables, ...stored]) }
}

/** Counts tables with a column. */
function countColumns(tables: readonly Table[]): Evidence['isShared'] {
  const places = new Map<string, Set<string>>()
  for (const { columns, name = '', schema = '' } of tables)
    for (const column of columns) {
      for (const key of [keyOf(schema, column.name), keyOf('', column.name)])
        places.set(key, (places.get(key) ?? new Set()).add(keyOf(schema, name)))
    }
  return (schema = '', column) => (places.get(keyOf(schema, column))?.size ?? 0) > 1
}

function printSource({ identifier, schema }: StagingModel): string {
  return [schema, identifier].map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
}

function keyOf(schema: string, name: string): string {
  return JSON.stringify([schema.toLowerCase(), name.toLowerCase()])
}

function tableOf(
  model: StagingModel,
  known: ReadonlyMap<string, Table>,
  dialect: Dialect,
): Table & { readonly name: string } {
  const { database, identifier: name, schema } = model
  const place = { name, schema, ...(database !== undefined && { database }) }
  const found = known.get(keyOf(schema, name))
  if (found) return { ...found, ...place }
  return { ...place, columns: readColumns(model, dialect) }
}

/** Returns the declared columns of a source, and those that the model reads. */
function readColumns({ pairs, table }: StagingModel, dialect: Dialect): readonly Column[] {
  const declared = new Map((table?.columns ?? []).map((column) => [column.name.toLowerCase(), column]))
  const columns = new Map<string, Column>()
  for (const { dataType, name } of table?.columns ?? [])
    columns.set(name.toLowerCase(), { name, type: dataType ?? guessType(name, name, dialect) })
  for (const { castTo, name, raw } of pairs) {
    if (declared.get(raw.toLowerCase())?.dataType !== undefined) continue
    columns.set(raw.toLowerCase(), { name: raw, type: castTo ?? guessType(raw, name, dialect) })
  }
  return [...columns.values()]
}

/** Common names of times, days and flags in existing models, not in generated ones. */
const SIGNS: readonly (readonly [Family, RegExp])[] = [
  ['boolean', /^(?:is|has|can|was|does|should)_|_(?:flag|flg|ind)$/],
  [
    'timestamp_ntz',
    /(?:_(?:at|ts|utc|timestamp|datetime|time|dttm|tstamp))$|^(?:created|updated|modified)(?:_on)?$/,
  ],
  ['date', /(?:^|_)(?:date|dt|day|dob)$|_on$/],
]

function guessType(raw: string, name: string, { types }: Dialect): string {
  const found =
    SIGNS.find(([, sign]) => sign.test(raw.toLowerCase())) ?? SIGNS.find(([, sign]) => sign.test(name))
  const family = found?.[0] ?? 'string'
  return types.cast[family] ?? types.cast.timestamp_tz ?? 'varchar'
}

/** The share of common columns from which two tables of a source count as one. */
const ALIKE = 0.9

function groupAlike(models: readonly StagingModel[], tables: readonly Table[]): readonly number[] {
  const sets = tables.map(({ columns }) => new Set(columns.map(({ name }) => name.toLowerCase())))
  const groups: number[] = []
  for (const [place, model] of models.entries()) {
    const own = sets[place] ?? new Set<string>()
    const twin = groups.findIndex(
      (_, other) => models[other]?.source === model.source && shareOf(own, sets[other] ?? new Set()) >= ALIKE,
    )
    groups.push(twin < 0 ? place : (groups[twin] ?? place))
  }
  return groups
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((name) => b.has(name)).length
  return common / (a.size + b.size - common || 1)
}
