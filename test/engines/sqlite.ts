import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { Engine } from './engine.ts'

export const sqlite: Engine = {
  name: 'SQLite',
  dialect: 'sqlite',
  missing: undefined,
  hasCatalog: true,
  takes: (name) => name !== 'true', // which SQLite 3.53 calls `column1` in a subquery
  types: [
    { type: 'text', values: ["'plain'", "''", "' it''s  \\n -- no #1 '"] },
    { type: 'varchar(5)', values: ["'longer than five'"] },
    { type: 'integer', values: ['1', '-9223372036854775808', "'not a number'"] },
    { type: 'tinyint(1)', values: ['2', '-1'] },
    { type: 'decimal(10,2)', values: ['0.1', "'12,50'"] },
    { type: 'numeric', values: ['12345678901234567890.5'] },
    { type: 'real', values: ['0.1', '1e300'] },
    { type: 'boolean', values: ['1', '0', "'t'", '2'] },
    { type: 'date', values: ["'2024-02-29'", '1719784800'] },
    {
      type: 'datetime',
      values: ["'2024-02-29 12:34:56.123456'", "'2024-07-01T00:30:00+02:00'", '1719784800'],
    },
    { type: 'time', values: ["'23:59:59'"] },
    { type: 'uuid', values: ["'c0ffee00-0000-4000-8000-00000000cafe'", "x'00ff'"] },
    { type: 'json', values: [`'{"a": [1, null, "x  y"]}'`] },
    { type: 'blob', values: ["x'00ff'", "'text'"] },
    { type: 'any', values: ['1', "'a'"] },
    { type: '', values: ["'no type'", '1.5'] },
  ],
  open: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stagecraft-engine-'))
    const path = join(folder, 'raw.db')
    const database = new DatabaseSync(path)
    database.exec('pragma synchronous = off')
    return {
      catalog: `sqlite:${path}`,
      run: async (statement) => database.exec(statement),
      query: async (statement) => {
        const prepared = database.prepare(statement)
        prepared.setReadBigInts(true)
        prepared.setReturnArrays(true)
        const rows = prepared.all() as unknown as readonly SQLOutputValue[][]
        return {
          columns: prepared.columns().map(({ name }) => name),
          rows: rows.map((row) => row.map(printValue)),
        }
      },
      close: async () => {
        database.close()
        await rm(folder, { recursive: true })
      },
    }
  },
}

/** With the type that the value is stored as, which a model must not change either. */
function printValue(value: SQLOutputValue): string | null {
  if (value === null) return null
  if (value instanceof Uint8Array) return `blob ${Buffer.from(value).toString('hex')}`
  return `${typeof value} ${value}`
}
