import type { Column, DialectName } from '@stagecraft/spec'
import { describe, beforeAll } from 'vitest'

/** An answer as text: times with a zone are in UTC and without it, binary values are hexadecimal digits. */
export interface Answer {
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

export type Row = readonly (string | null)[]

/** A connection to a database of its own, which goes with it. It has an empty schema `raw`. */
export interface Session {
  run(statement: string): Promise<void>
  query(statement: string): Promise<Answer>
  /** Inserts many rows; where it is absent, `run` does. An emulator reads long statements slowly. */
  readonly insert?: (statement: string) => Promise<void>
  close(): Promise<void>
}

/** A type and literals of it: the plain, the large, the awkward. */
export interface TypeCase {
  readonly type: string
  readonly values: readonly string[]
  /** A column of this type cannot hold null. */
  readonly notNull?: true
}

/** Something that runs the SQL of a dialect. */
export interface Engine {
  readonly name: string
  readonly dialect: DialectName
  /** How to get it; undefined where it is there. */
  readonly missing: string | undefined
  /** The string that opens the session's database as a catalog; absent where no catalog reads the engine. */
  readonly hasCatalog: boolean
  readonly types: readonly TypeCase[]
  /** A table with columns that `select *` leaves out, where the engine has such, and rows in it. */
  readonly hidden?: { readonly statements: readonly string[]; readonly columns: readonly Column[] }
  /** Whether a column or table may be called so. Default: anything. */
  readonly takes?: (name: string) => boolean
  /** It takes names in any case, unlike what it stands for. Default: as its dialect does. */
  readonly foldsNames?: true
  /** A statement takes so long that a part of the tables has to do. */
  readonly isSlow?: true
  /** Behind the list of columns of a `create table`. */
  readonly tableOptions?: string
  open(): Promise<Session & { readonly catalog?: string }>
}

/**
 * Groups tests that need an engine. Without it they are skipped and say how to get it; where
 * STAGECRAFT_REQUIRE_ALL is set they fail instead.
 */
export function describeOn(engine: Engine, body: () => void): void {
  const isRequired = Boolean(process.env['STAGECRAFT_REQUIRE_ALL'])
  const how = engine.missing === undefined ? '' : ` (${engine.missing})`
  describe.skipIf(engine.missing !== undefined && !isRequired)(
    `on ${engine.name}${how}`,
    { meta: { needs: `${engine.name}${how}` } },
    () => {
      beforeAll(() => {
        if (engine.missing !== undefined) throw new Error(`${engine.name} is not there: ${engine.missing}`)
      })
      body()
    },
  )
}

/** The schema that raw tables are in: a database in MySQL, and the only one in SQLite. */
export function schemaOf({ dialect }: Engine): string {
  if (dialect === 'sqlite') return 'main'
  return dialect === 'mysql' ? `raw_${process.pid}` : 'raw'
}

/** `2024-01-01 00:00:00.5-05` as UTC without zone and without zeros at the end; what is no such time stays. */
export function inUtc(text: string): string {
  const parts = /^(\d{4,}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(text)
  if (!parts) return text
  const [, day = '', time = '', fraction = '', zone = 'Z'] = parts
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  const offset = (Number(hours) * 60 + Number(minutes || 0)) * (sign === '-' ? -1 : 1)
  const moment = new Date(Date.parse(`${day}T${time}Z`) - offset * 60_000)
  const kept = fraction.replace(/0+$/, '')
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')}${kept && `.${kept}`}`
}
