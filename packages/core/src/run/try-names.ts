import type { Family } from '@stagecraft/dialects'
import type { Config } from '@stagecraft/spec'
import { type RunSettings, settingsFor } from '../config/settings.ts'
import { expandEntity, nameColumn, type NamedColumn } from '../naming/column-name.ts'
import { sharedPrefix } from '../naming/entity.ts'
import { toSnakeCase } from '../naming/tokens.ts'
import { shapeOf } from '../plan/staging.ts'
import {
  createSubject,
  describeEntity,
  modelNameOf,
  sharedWordOf,
  splitsNames,
  type Subject,
} from '../plan/subject.ts'
import { type GenerateContext, type GenerateItem, settingsOf, toRunItem } from './run-item.ts'

/** The names of a table under some configuration. */
export interface TriedNames {
  /** The name of one row: `payment`. */
  readonly entity: string
  /** Returns the staged name of a stored column, `''` for a missing one. Equal names are not resolved. */
  column(stored: string): string
}

/**
 * Tables that are named under one configuration after another; decisions that do not depend on names are made once.
 */
export interface NameTrial {
  /** The family of each staged column, by its stored name. */
  readonly families: readonly ReadonlyMap<string, Family>[]
  /**
   * Names a table.
   *
   * @param place The position of its item.
   */
  name(place: number, config: Config): TriedNames
  /** Names the model of a table. */
  model(place: number, config: Config): string
}

/**
 * Prepares tables for naming.
 *
 * @throws {StagecraftError} INVALID_REQUEST or INVALID_SOURCE for a faulty item.
 */
export function tryNames(items: readonly GenerateItem[], context: GenerateContext): NameTrial {
  const run = settingsOf(context)
  const tables = items.map((item) => prepare(createSubject(toRunItem(item, run), run)))
  const shared = new Map(
    [...Map.groupBy(tables, placeOf)].map(
      ([place, group]) => [place, sharedPrefix(group.map(({ subject }) => subject.name.table))] as const,
    ),
  )
  const settings = new WeakMap<Config, RunSettings>()
  const settingsUnder = (config: Config): RunSettings => {
    const known = settings.get(config) ?? settingsOf({ ...context, config })
    settings.set(config, known)
    return known
  }
  const tableAt = (place: number): PreparedTable => {
    const table = tables[place]
    if (!table) throw new RangeError(`expected one of ${tables.length} tables, got ${place}`)
    return table
  }
  return {
    families: tables.map(({ columns }) => new Map([...columns].map(([name, { family }]) => [name, family]))),
    name(place, config) {
      const table = tableAt(place)
      return nameTable(table, settingsUnder(config), shared.get(placeOf(table)) ?? '')
    },
    model: (place, config) => modelNameOf(tableAt(place).subject.name, 'staging', settingsUnder(config)),
  }
}

interface PreparedTable {
  readonly subject: Subject
  readonly columns: ReadonlyMap<string, NamedColumn>
  /** Their names in snake case, which no other column may get from a rule. */
  readonly bearers: ReadonlySet<string>
}

function prepare(subject: Subject): PreparedTable {
  const staged = shapeOf(subject).columns
  const columns = staged.flatMap(({ column, conversion, family, isMetadata, ordinal }) =>
    column ? [{ name: column.name, ordinal, family, isMetadata, conversion }] : [],
  )
  return {
    subject,
    columns: new Map(columns.map((column) => [column.name, column])),
    bearers: new Set(columns.map(({ name }) => toSnakeCase(name))),
  }
}

function placeOf({ subject: { name } }: PreparedTable): string {
  return JSON.stringify([name.database ?? '', name.schema ?? ''])
}

function nameTable(
  { bearers, columns, subject }: PreparedTable,
  run: RunSettings,
  shared: string,
): TriedNames {
  const { name, table } = subject
  const settings = settingsFor(run, name, {})
  const { dialect, naming: rules, vocabulary } = settings
  const entity = expandEntity(describeEntity(name, settings, shared).singular, rules)
  const names = table.columns.map((column) => column.name)
  const words = { entity, shared: sharedWordOf(names, settings) }
  const splits = splitsNames(names, settings, words)
  const naming = { ...words, dialect, rules, vocabulary, splits }
  return {
    entity,
    column(stored) {
      const column = columns.get(stored)
      if (!column) return ''
      const { candidates, plain } = nameColumn(column, naming)
      const [best, other] = candidates
      const isBorne = best !== undefined && bearers.has(best.name) && plain !== best.name
      return ((isBorne && other) || best)?.name ?? ''
    },
  }
}
