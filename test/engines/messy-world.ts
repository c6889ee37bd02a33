import { DIALECTS } from '@stagecraft/core'
import type { DialectName } from '@stagecraft/spec'
import { quoteIdentifier } from '../../packages/core/src/sql/identifiers.ts'

/** Statements that build tables with the older half of their rows, and those that add the newer half. */
export interface MessyWorld {
  readonly build: readonly string[]
  readonly later: readonly string[]
}

type Kind =
  | 'big'
  | 'binary'
  | 'day'
  | 'decimal'
  | 'flag'
  | 'float'
  | 'int'
  | 'json'
  | 'moment'
  | 'text'
  | 'uuid'

/** The columns of a table in their order, and the values of each row; null, or a text of SQL. */
interface MessyTable {
  readonly name: string
  readonly columns: Readonly<Record<string, Kind | { readonly type: string }>>
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
  /** The number of rows that are there from the start. @default half of them */
  readonly first?: number
}

const TYPES: Readonly<
  Record<Kind, readonly [postgres: string, mysql: string, duckdb: string, sqlite: string]>
> = {
  big: ['bigint', 'bigint', 'bigint', 'integer'],
  binary: ['bytea', 'binary(16)', 'blob', 'blob'],
  day: ['date', 'date', 'date', 'date'],
  decimal: ['numeric(12, 2)', 'decimal(12, 2)', 'decimal(12, 2)', 'numeric'],
  flag: ['boolean', 'tinyint(1)', 'boolean', 'boolean'],
  float: ['double precision', 'double', 'double', 'real'],
  int: ['integer', 'int', 'integer', 'integer'],
  json: ['jsonb', 'json', 'json', 'json'],
  moment: ['timestamp', 'datetime(6)', 'timestamp', 'datetime'],
  text: ['text', 'longtext', 'varchar', 'text'],
  uuid: ['uuid', 'char(36)', 'uuid', 'text'],
}

const ENGINES: readonly DialectName[] = ['postgres', 'mysql', 'duckdb', 'sqlite']

/** Builds the world for PostgreSQL, MariaDB, DuckDB or SQLite, always with the same values. */
export function messyWorld(dialect: DialectName, schema: string): MessyWorld {
  const quote = (name: string): string => quoteIdentifier(name, DIALECTS[dialect])
  const relation = (name: string): string => `${quote(schema)}.${quote(name)}`
  const insert = ({ name }: MessyTable, rows: MessyTable['rows']): readonly string[] =>
    rows.length === 0
      ? []
      : [
          `insert into ${relation(name)} values\n${rows.map((row) => `(${row.map(literal).join(', ')})`).join(',\n')}`,
        ]
  const tables = tablesFor(dialect)
  return {
    build: tables.flatMap((table) => [
      `create table ${relation(table.name)} (${Object.entries(table.columns)
        .map(
          ([name, kind]) =>
            `${quote(name)} ${typeof kind === 'string' ? TYPES[kind][ENGINES.indexOf(dialect)] : kind.type}`,
        )
        .join(', ')})`,
      ...insert(table, table.rows.slice(0, firstOf(table))),
    ]),
    later: tables.flatMap((table) => insert(table, table.rows.slice(firstOf(table)))),
  }
}

function firstOf({ first, rows }: MessyTable): number {
  return first ?? Math.ceil(rows.length / 2)
}

/** SQL is marked by a leading `=`. */
export function literal(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value)
  return value.startsWith('=') ? value.slice(1) : `'${value.replaceAll("'", "''")}'`
}

function tablesFor(dialect: DialectName): readonly MessyTable[] {
  const random = numbers(20_260_101)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const upTo = (most: number): number => 1 + Math.floor(random() * most)
  const maybe = <Value>(share: number, value: Value): Value | null => (random() < share ? value : null)
  const make = <Row>(count: number, row: (at: number) => Row): Row[] =>
    Array.from({ length: count }, (_, at) => row(at))
  const bytes = (number: number): string =>
    binary(dialect, (number * 2_654_435_761).toString(16).padStart(32, '0').slice(-32))
  const uuid = (number: number): string =>
    `${(number * 40_503).toString(16).padStart(8, '0')}-0000-4000-8000-${(number * 69_069).toString(16).padStart(12, '0')}`
  /** Older rows have lower numbers. */
  const day = (at: number, of: number): string =>
    new Date(Date.UTC(2024, 0, 1) + Math.floor((at / of) * 700) * 86_400_000).toISOString().slice(0, 10)
  const moment = (at: number, of: number): string =>
    `${day(at, of)} ${String(upTo(23)).padStart(2, '0')}:${String(upTo(59)).padStart(2, '0')}:07`
  const seconds = (at: number, of: number): number =>
    Date.parse(`${day(at, of)}T00:00:00Z`) / 1000 + upTo(80_000)
  const known = (at: number, of: number, parents: number): number =>
    upTo(Math.max(20, Math.floor((at / of) * parents)))

  const customers = 600
  const orders = 2400
  const products = 160
  return [
    {
      name: 'customers',
      columns: {
        id: 'int',
        external_id: 'uuid',
        first_name: 'text',
        email: 'text',
        phone: 'text',
        status: 'text',
        country: 'text',
        is_vip: 'text',
        score: 'float',
        profile: 'json',
        picture: 'binary',
        notes: 'text',
        created_at: 'moment',
        deleted_at: 'moment',
      },
      rows: make(customers, (at) => [
        at + 1,
        uuid(at + 1),
        pick(['Änne', "O'Brien", '李雷', 'Мария', '']),
        `u${at}@example.org`,
        `+49 170 ${1_000_000 + at}`,
        pick(['active', 'paused', 'closed']),
        pick(['DE', 'FR', 'US', 'BR', 'JP']),
        pick(['yes', 'no']),
        float(dialect, at),
        `{"city": "Zürich", "age": ${at % 90}}`,
        maybe(0.3, bytes(7 * at)),
        at % 200 === 3 ? 'x'.repeat(300_000) : maybe(0.5, 'note -- {{ this }} %s "q"'),
        moment(at, customers),
        maybe(0.1, moment(at, customers)),
      ]),
    },
    {
      name: 'orders',
      columns: {
        id: 'big',
        customer_id: 'int',
        status: 'text',
        currency: 'text',
        total: 'decimal',
        discount_pct: 'decimal',
        ordered_epoch: 'big',
        updated_ms: 'big',
        shipped_on: 'day',
        is_gift: 'flag',
        created_at: 'moment',
      },
      rows: make(orders, (at) => [
        10_000 + at,
        known(at, orders, customers),
        at > orders * 0.6 ? pick(['new', 'paid', 'shipped', 'disputed']) : pick(['new', 'paid', 'shipped']),
        pick(['EUR', 'USD', 'CHF']),
        upTo(90_000) / 100,
        pick([0, 5, 10, 25]),
        seconds(at, orders),
        seconds(at, orders) * 1000 + upTo(999),
        maybe(0.8, day(at, orders)),
        random() < 0.2,
        moment(at, orders),
      ]),
    },
    {
      name: 'order_lines',
      columns: { order_id: 'big', line_no: 'int', product_id: 'int', quantity: 'int', price: 'decimal' },
      rows: make(orders, (at) =>
        make(1 + (at % 3), (line) => [
          10_000 + at,
          line + 1,
          known(at, orders, products),
          upTo(9),
          upTo(9000) / 100,
        ]),
      ).flat(),
    },
    {
      name: 'products',
      columns: {
        product_id: 'int',
        sku: 'text',
        name: 'text',
        category: 'text',
        weight_kg: 'decimal',
        colour: 'text',
      },
      rows: make(products, (at) => [
        at + 1,
        `SKU-${1000 + at}`,
        `Thing ${at % 97}`,
        pick(['toy', 'tool', 'book', 'food']),
        upTo(400) / 10,
        null,
      ]),
      first: products,
    },
    {
      name: 'product_prices',
      columns: { product_id: 'int', valid_from: 'day', valid_to: 'day', price: 'decimal' },
      rows: make(6, (version) =>
        make(products, (at) => [
          at + 1,
          day(version * 100 + (at % 7), 700),
          version === 5 ? null : day((version + 1) * 100, 700),
          upTo(9000) / 100,
        ]),
      ).flat(),
    },
    {
      name: 'categories',
      columns: { id: 'int', parent_id: 'int', name: 'text' },
      rows: make(40, (at) => [at + 1, at < 5 ? null : upTo(at), `Category ${at}`]),
      first: 40,
    },
    {
      name: 'product_categories',
      columns: { product_id: 'int', category_id: 'int' },
      rows: make(products * 2, (at) => [
        (at % products) + 1,
        ((at * 7 + Math.floor(at / products)) % 40) + 1,
      ]),
    },
    {
      name: 'devices',
      columns: { id: 'binary', customer_id: 'int', kind: 'text', first_seen: 'day' },
      rows: make(300, (at) => [
        bytes(at + 1),
        known(at, 300, customers),
        pick(['phone', 'tablet', 'desktop']),
        day(at, 300),
      ]),
    },
    {
      name: 'device_events',
      columns: { event_id: 'uuid', device_id: 'binary', kind: 'text', at: 'moment', payload: 'text' },
      rows: make(2000, (at) => [
        uuid(5000 + at),
        bytes(known(at, 2000, 300)),
        pick(['open', 'close', 'crash']),
        moment(at, 2000),
        `{"n": ${at}}`,
      ]),
    },
    {
      name: 'subscriptions',
      columns: {
        id: 'int',
        customer_id: 'int',
        state: 'text',
        starts_on: 'day',
        ends_on: 'day',
        is_deleted: 'flag',
      },
      rows: make(500, (at) => [
        at + 1,
        known(at, 500, customers),
        pick(['trial', 'running', 'ended']),
        day(at, 500),
        maybe(0.3, day(at + 30, 500)),
        random() < 0.1,
      ]),
    },
    {
      name: 'payments',
      columns: {
        payment_ref: 'text',
        order_id: 'big',
        method: 'text',
        paid_yn: 'text',
        amount: 'decimal',
        booked: 'text',
      },
      rows: make(1500, (at) => [
        `PAY${100_000 + at}`,
        10_000 + Math.floor((at / 1500) * orders),
        pick(['card', 'cash', 'sepa']),
        pick(['Y', 'N']),
        (upTo(90_000) / 100) * (at % 50 === 0 ? -1 : 1),
        day(at, 1500),
      ]),
    },
    {
      name: 'Order "Notes"',
      columns: { select: 'int', 'order id': 'big', 'no "te"': 'text', "it's": 'text', MiXed: 'text' },
      rows: make(400, (at) => [
        at + 1,
        10_000 + known(at, 400, orders / 2),
        'a',
        pick(['Ü', 'é']),
        maybe(0.5, 'x'),
      ]),
    },
    {
      name: 'empty_table',
      columns: { id: 'int', customer_id: 'int', status: 'text', data: 'json', key: 'binary' },
      rows: [],
    },
    {
      name: 'all_null',
      columns: { id: 'int', a: 'text', b: 'json', c: 'moment', d: 'binary', e: 'float' },
      rows: make(200, (at) => [at + 1, null, null, null, null, null]),
    },
  ]
}

/** NaN and infinities where the engine has them. */
function float(dialect: DialectName, at: number): string | number | null {
  if (at % 40 !== 7) return at % 11 === 0 ? null : (at % 1000) / 7
  if (dialect === 'mysql') return 1e300
  if (dialect === 'sqlite') return '=9e999'
  const [odd = 'NaN'] = [['NaN', 'Infinity', '-Infinity'][at % 3]].flatMap((one) => one ?? [])
  return `='${odd}'::double precision`
}

/** Marks an expression of bytes from their digits. */
export function binary(dialect: DialectName, hex: string): string {
  if (dialect === 'postgres') return `='\\x${hex}'::bytea`
  return dialect === 'duckdb' ? `=unhex('${hex}')` : `=x'${hex}'`
}

/** Returns the same sequence of numbers from 0 to 1 for the same seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
