import { DIALECT_NAMES, type DialectName } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { readTruth, truthNames } from '../dbt/truth.ts'
import { stage } from './stage.ts'

test.each(truthNames)('%s has the same names of columns in all dialects', (name) => {
  const differing = readTruth(name).tables.flatMap(({ columns, name: table }) => {
    const raw = {
      schema: name,
      name: table,
      dialect: 'duckdb' as const,
      columns: columns.map((column) => ({ name: column.name, type: column.duckdb_type })),
    }
    const namesIn = (dialect: DialectName): string =>
      stage(raw, dialect)
        .plan.columns.toSorted((a, b) => a.ordinal - b.ordinal)
        .map((c) => c.name)
        .join(' ')
    const wanted = namesIn('duckdb')
    return DIALECT_NAMES.filter((dialect) => namesIn(dialect) !== wanted).map((dialect) => {
      const a = wanted.split(' '),
        b = namesIn(dialect).split(' ')
      return `${table} in ${dialect}: ${b.filter((column, place) => column !== a[place]).join(', ')}`
    })
  })
  expect(differing).toEqual([])
})
