import type { CatalogTable } from '@stagecraft/spec'
import { DIALECTS } from '@stagecraft/dialects'
import { describe, expect, test } from 'vitest'
import { areBooleans } from '../plan/conversions.ts'
import { infer } from './infer.ts'
import type { InferenceTable, Verify } from './inference.ts'

const TYPES: Readonly<Record<string, string>> = {
  t: 'varchar',
  d: 'date',
  u: 'uuid',
  f: 'double',
  a: 'integer[]',
}
const dialect = DIALECTS.duckdb

/** `orders: id user_id note:t` as a table; columns are integers where no letter says otherwise. */
function table(line: string): CatalogTable {
  const [name = '', columns = ''] = line.split(': ')
  return {
    name,
    columns: columns.split(' ').map((column) => {
      const [own = '', type = ''] = column.split(':')
      return { name: own, type: TYPES[type] ?? 'integer' }
    }),
  }
}

async function inferred(
  ...lines: readonly string[]
): Promise<{ keys: readonly string[]; references: readonly string[] }> {
  const { keys, references } = await infer(
    lines.map((line) => ({ table: table(line) })),
    { dialect },
  )
  return {
    keys: keys.map((key) => `${key.table.name}(${key.columns.join()})`),
    references: references.map(
      ({ child, parent }) =>
        `${child.table.name}(${child.columns.join()}) -> ${parent.table.name}(${parent.columns.join()})`,
    ),
  }
}

test.each([
  [0.999, []],
  [0.5, ['id', 'kind']],
])(
  'an id that is distinct in %s of the rows, and unique with another column, gives the key %j',
  async (share, columns) => {
    const orders = table('orders: id kind note:t')
    const profile = {
      rows: 1000,
      columns: {
        id: { nulls: 0, distinct: 1000 * share, min: 1, max: 1000 },
        kind: { nulls: 0, distinct: 40, min: 1, max: 40 },
        note: { nulls: 0, distinct: 900 },
      },
    }
    const verify: Verify = (checks) => Promise.resolve(checks.map(() => ({ violations: 0, checked: 1000 })))
    const { keys } = await infer([{ table: orders, profile }], { dialect, verify })
    expect(keys.flatMap((key) => key.columns)).toEqual(columns)
  },
)

test.each([
  [1, 'prescription_items(prescription_id,line_no)'],
  [3, 'prescription_items(prescription_id)'],
])(
  'the lines of a document are identified by its id and the line, even while each has one line: %i distinct lines',
  async (lines, key) => {
    const of = (line: string, distinct: Readonly<Record<string, number>>): InferenceTable => ({
      table: table(line),
      profile: {
        rows: 500,
        columns: Object.fromEntries(
          Object.entries(distinct).map(([name, count]) => [
            name,
            { nulls: 0, distinct: count, min: 1, max: 500 },
          ]),
        ),
      },
    })
    const tables = [
      of('prescriptions: id note:t', { id: 500, note: 20 }),
      of('prescription_items: prescription_id line_no drug:t', {
        prescription_id: 500,
        line_no: lines,
        drug: 40,
      }),
    ]
    const verify: Verify = (checks) => Promise.resolve(checks.map(() => ({ violations: 0, checked: 500 })))
    const { keys } = await infer(tables, { dialect, verify })
    expect(keys.map(({ columns, table }) => `${table.name}(${columns.join()})`)).toContain(key)
  },
)

test('a parent by the name of the key leads to its own table', async () => {
  const { references } = await inferred('audience_segment: segment_id parent_segment_id label:t')
  expect(references).toEqual(['audience_segment(parent_segment_id) -> audience_segment(segment_id)'])
})

test('a table that is named after the first word of a part of its key is the parent of tables with all parts', async () => {
  const of = (line: string, rows: number, distinct: Readonly<Record<string, number>>): InferenceTable => {
    const columns = Object.entries(distinct).map(([name, count]) => [name, { nulls: 0, distinct: count }])
    return { table: table(line), profile: { rows, columns: Object.fromEntries(columns) } }
  }
  const tables = [
    of('enc: pat_no enc_seq', 900, { pat_no: 300, enc_seq: 3 }),
    of('labs: labs_id pat_no enc_seq', 2000, { labs_id: 2000, pat_no: 290, enc_seq: 3 }),
    of('visit_notes: visit_notes_id pat_no', 50, { visit_notes_id: 50, pat_no: 20 }),
  ]
  const verify: Verify = (checks) => Promise.resolve(checks.map(() => ({ violations: 0, checked: 800 })))
  const { references } = await infer(tables, { dialect, verify })
  expect(references.map(({ child, parent }) => [child.table.name, child.columns, parent.table.name])).toEqual(
    [['labs', ['pat_no', 'enc_seq'], 'enc']],
  )
})

describe('keys by names', () => {
  test.each([
    ['an id', ['orders: id note:t'], ['orders(id)']],
    ['the entity and id', ['orders: note:t order_id'], ['orders(order_id)']],
    ['run-together names', ['salesorder: salesorderid note:t'], ['salesorder(salesorderid)']],
    ['a short form in front', ['employees: emp_no hired:d'], ['employees(emp_no)']],
    ['a prefix of all columns', ['nation: n_nationkey n_name:t n_comment:t'], ['nation(n_nationkey)']],
    [
      'a table that links two',
      ['films: id', 'actors: id', 'film_actors: actor_id film_id since:d'],
      ['films(id)', 'actors(id)', 'film_actors(actor_id,film_id)'],
    ],
    [
      'lines of a parent',
      ['orders: id', 'order_lines: order_id line_number price:f'],
      ['orders(id)', 'order_lines(order_id,line_number)'],
    ],
    [
      'versions of a parent',
      ['jobs: id', 'employees: id', 'job_history: employee_id start_date:d job_id'],
      ['jobs(id)', 'employees(id)', 'job_history(employee_id,start_date)'],
    ],
  ])('%s', async (_, lines, keys) => {
    expect((await inferred(...lines)).keys).toEqual(keys)
  })

  test.each([
    ['a column that leads elsewhere', 'titles: employee_id title:t', 'employees: employee_id'],
    ['an amount', 'payments: payment:f note:t', 'orders: id'],
    ['a list', 'batches: batch_id:a note:t', 'orders: id'],
    ['one of two references', 'order_tags: order_id:t tag_id:t', 'orders: id'],
  ])('none: %s', async (_, line, other) => {
    expect((await inferred(line, other)).keys).toHaveLength(1)
  })
})

describe('references by names', () => {
  test.each([
    ['the table', ['users: id', 'orders: id user_id'], 'orders(user_id) -> users(id)'],
    [
      'a role and the table',
      ['addresses: id', 'orders: id billing_address_id'],
      'orders(billing_address_id) -> addresses(id)',
    ],
    [
      'the spelling of its key',
      ['departments: dept_no name:t', 'managers: id dept_no'],
      'managers(dept_no) -> departments(dept_no)',
    ],
    ['the same table', ['categories: id parent_id'], 'categories(parent_id) -> categories(id)'],
    ['a superior', ['employees: employee_id reports_to'], 'employees(reports_to) -> employees(employee_id)'],
    ['who did it', ['users: id', 'issues: id closed_by_id'], 'issues(closed_by_id) -> users(id)'],
    ['a lookup of its own', ['labels: id type', 'label_type: id name:t'], 'labels(type) -> label_type(id)'],
    [
      'the ends of a link',
      ['issues: id', 'issue_links: id source_id'],
      'issue_links(source_id) -> issues(id)',
    ],
    ['an abbreviation', ['accounts: id', 'entries: id acct_id'], 'entries(acct_id) -> accounts(id)'],
    [
      'an abbreviation that other tables start with',
      ['accounts: id', 'account_types: id', 'entries: id acct_id'],
      'entries(acct_id) -> accounts(id)',
    ],
    [
      'several words, one abbreviated',
      ['account_types: id', 'entries: id acct_type_id'],
      'entries(acct_type_id) -> account_types(id)',
    ],
    ['a known abbreviation', ['transactions: id', 'fees: id txn_id'], 'fees(txn_id) -> transactions(id)'],
    [
      'a table abbreviated',
      ['acct: acct_id', 'entries: id account_id'],
      'entries(account_id) -> acct(acct_id)',
    ],
    [
      'a number abbreviated',
      ['accounts: account_number name:t', 'entries: id acct_no'],
      'entries(acct_no) -> accounts(account_number)',
    ],
    ['one of two', ['users: id', 'friends: id user1_id'], 'friends(user1_id) -> users(id)'],
    [
      'the end of a name',
      ['order_shipments: id', 'parcels: id shipment_id'],
      'parcels(shipment_id) -> order_shipments(id)',
    ],
  ])('%s', async (_, lines, reference) => {
    expect((await inferred(...lines)).references).toEqual([reference])
  })

  test.each([
    ['a counter', 'nodes: id', 'runs: id num_created_nodes'],
    ['a plural', 'votes: id', 'users: id up_votes'],
    ['an order of things', 'orders: id', 'pages: id sort_order'],
    ['a rank', 'orders: id', 'pages: id order title:t'],
    ['a rank among pages', 'pages: id', 'sections: id page title:t'],
    ['a list of ids', 'users: id', 'groups: id user_ids:a'],
    ['a table that the row names', 'users: id', 'notes: id user_id user_type:t'],
    ['a role beside another table', 'user_events: id', 'requests: id approver_id'],
    ['a number', 'phones: id', 'people: id phone_number'],
    ['two tables alike', 'order_status: id', 'lines: id status_id'],
  ])('none: %s', async (title, parent, child) => {
    const others = title === 'two tables alike' ? ['payment_status: id'] : []
    expect((await inferred(parent, child, ...others)).references).toEqual([])
  })
})

describe('with rows', () => {
  const profiled = (
    line: string,
    rows: number,
    distinct: Readonly<Record<string, number>>,
  ): InferenceTable => {
    const read = table(line)
    const columns = read.columns.map(({ name }) => {
      const values = distinct[name] ?? rows
      return [name, { nulls: 0, distinct: values, min: 1, max: values }] as const
    })
    return { table: read, profile: { rows, columns: Object.fromEntries(columns) } }
  }

  test('drops a key that occurs twice', async () => {
    const { keys } = await infer([profiled('orders: id note:t', 1000, { id: 999 })], { dialect })
    expect(keys).toEqual([])
  })

  test('a reference without parents is dropped, and a sure one allows for a few missing ones', async () => {
    const tables = [profiled('users: id', 1000, {}), profiled('orders: id user_id', 5000, { user_id: 900 })]
    const orphans =
      (violations: number): Verify =>
      async (checks) =>
        checks.map(() => ({ violations, checked: 900 }))
    const found = async (violations: number): Promise<number> =>
      (await infer(tables, { dialect, verify: orphans(violations) })).references.length
    expect([await found(0), await found(20), await found(300)]).toEqual([1, 1, 0])
  })

  test('small numbers are among the keys of every table, so values alone prove nothing', async () => {
    const tables = [
      profiled('shops: id', 40, {}),
      profiled('visits: id weight_class', 500, { weight_class: 9 }),
    ]
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 9 }))
    expect((await infer(tables, { dialect, verify })).references).toEqual([])
  })

  test.each([
    ['order', 12, []],
    ['order', 900, []],
    ['product', 12, []],
    ['product', 600, ['pages(product) -> products(id)']],
    ['product_id', 12, ['pages(product_id) -> products(id)']],
  ])('%s with %i values is judged by how much of the keys it reaches', async (column, values, expected) => {
    const tables = [
      profiled('orders: id', 1000, {}),
      profiled('products: id', 1000, {}),
      profiled(`pages: id ${column} title:t`, 2000, { [column]: values }),
    ]
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: values }))
    const { references } = await infer(tables, { dialect, verify })
    expect(
      references.map(
        ({ child, parent }) =>
          `${child.table.name}(${child.columns.join()}) -> ${parent.table.name}(${parent.columns.join()})`,
      ),
    ).toEqual(expected)
  })

  test.each([
    ['cities: shop year', 0.9],
    ['cities: shop_id year', 0.9],
    ['cities: shop_id person_id', 0.97],
  ])('names make a key of two columns certain, and rows alone do not: %s', async (line, confidence) => {
    const [a = '', b = ''] = line.split(/[ :]+/).slice(1)
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 1000 }))
    const { keys } = await infer([profiled(line, 1000, { [a]: 50, [b]: 200 })], { dialect, verify })
    expect(keys.map((key) => [key.columns, key.confidence])).toEqual([[[a, b], confidence]])
  })

  test('checks columns that are unique together', async () => {
    const tables = [profiled('prices: shop product price:f', 1000, { shop: 50, product: 200, price: 90 })]
    const verify: Verify = async (checks) =>
      checks.map((check) =>
        check.kind === 'unique' && check.key.columns.join() === 'shop,product'
          ? { violations: 0, checked: 1000 }
          : { violations: 3, checked: 1000 },
      )
    const { keys } = await infer(tables, { dialect, verify })
    expect(keys.map(({ columns, origin }) => [columns, origin])).toEqual([[['shop', 'product'], 'data']])
  })

  test.each([
    ['a line that is unique by itself is the key', { event_id: 300, seq: 900 }, ['seq']],
    ['both together where none is unique', { event_id: 300, seq: 3 }, ['event_id', 'seq']],
  ])('%s', async (_, distinct, key) => {
    const tables = [
      profiled('events: id', 900, { id: 900 }),
      profiled('event_lines: note:t event_id seq', 900, { note: 40, ...distinct }),
    ]
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 900 }))
    const { keys } = await infer(tables, { dialect, verify })
    expect(keys.find(({ table }) => table.name === 'event_lines')?.columns).toEqual(key)
  })

  test.each([
    ['a day that is unique needs no measure', 'daily: day:d n', { n: 50 }, {}],
    ['nor in a sample', 'daily: day:d n', { n: 50 }, { sampled: true }],
    ['an amount is no part of a key', 'daily: day:d amount', { day: 120, amount: 800 }, {}],
  ])('%s', async (_, line, distinct, more) => {
    const { profile = { rows: 0, columns: {} }, table: own } = profiled(line, 900, distinct)
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 900 }))
    const { keys } = await infer([{ table: own, profile: { ...profile, ...more } }], { dialect, verify })
    expect(keys).toEqual([])
  })

  test.each([
    ['an id that was not compared', 'devices: id:u serial_code:t', { serial_code: 900 }, [['id']]],
    ['a key of a kind that identifies nothing', 'devices: key:a serial_code:t', { serial_code: 900 }, []],
    ['a code beside an id of another table', 'devices: code:t note:t', { code: 900, note: 3 }, [['code']]],
  ])('%s is not replaced by a column that is unique today', async (_, line, distinct, expected) => {
    const own = table(line)
    const columns = own.columns.map(({ name }) => {
      const known = (distinct as Readonly<Record<string, number>>)[name]
      return [
        name,
        { nulls: 0, ...(known !== undefined && { distinct: known, maxLength: 4, minLength: 4 }) },
      ] as const
    })
    const profile = { rows: 900, columns: Object.fromEntries(columns) }
    const { keys } = await infer([{ table: own, profile }], { dialect })
    expect(keys.map((key) => key.columns)).toEqual(expected)
  })

  test.each([
    ['the start', 'customer_history: customer_id valid_from:d valid_to:d', { customer_id: 60 }],
    ['the start as a number', 'customer_history: customer_id valid_from valid_to', { customer_id: 60 }],
    [
      'the id while each has one version',
      'customer_history: customer_id valid_from:d valid_to:d',
      { valid_from: 50 },
    ],
  ])('a history has the key of id and start, even if %s is unique', async (_, line, distinct) => {
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 900 }))
    const alone = [profiled(line, 900, distinct)]
    for (const tables of [alone, [profiled('customers: id', 900, { id: 900 }), ...alone]]) {
      const { keys } = await infer(tables, { dialect, verify })
      expect(keys.at(-1)?.columns).toEqual(['customer_id', 'valid_from'])
    }
  })

  test('no rows confirm nothing: a key of an empty table is one by name', async () => {
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 0 }))
    const tables = [profiled('orders: id', 900, {}), profiled('order_lines: order_id line_number', 0, {})]
    const { keys } = await infer(tables, { dialect, verify })
    expect(keys.map(({ columns, origin }) => [columns, origin])).toEqual([
      [['id'], 'data'],
      [['order_id', 'line_number'], 'name'],
    ])
  })

  test('a reference may be unique by coincidence, and stays part of a key', async () => {
    const tables = [
      profiled('films: id', 900, { id: 900 }),
      profiled('actors: id', 900, { id: 900 }),
      profiled('film_actors: actor_id film_id', 900, { actor_id: 900, film_id: 300 }),
    ]
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 900 }))
    const { keys } = await infer(tables, { dialect, verify })
    expect(keys.at(-1)?.columns).toEqual(['actor_id', 'film_id'])
  })

  test.each(['valid_from:t valid_to:t', 'effective_date:d is_current', 'start_date:d valid_until:d'])(
    'versions of a row with %s are told apart by their start, not by what they differ in today',
    async (times) => {
      const [start = ''] = times.split(':')
      const line = `subscriptions: sub_id:t customer ${times} plan:t`
      const distinct = { sub_id: 400, customer: 500, [start]: 100, is_current: 2, plan: 3 }
      const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 900 }))
      const { keys } = await infer([profiled(line, 900, distinct)], { dialect, verify })
      expect(keys.flatMap(({ columns }) => columns)).toEqual(['sub_id', start])
    },
  )

  test('a view of some rows of a table has its key, not a pair with a unique column', async () => {
    const tables = [
      profiled('appointments: appointment_id patient_id room_id fee', 900, { patient_id: 300, room_id: 9 }),
      profiled('patients: patient_id', 900, {}),
      profiled('open_visits: appointment_id patient_id room_id', 200, { patient_id: 120, room_id: 9 }),
    ]
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 200 }))
    const { keys } = await infer(tables, { dialect, verify })
    expect(keys.at(-1)).toMatchObject({ columns: ['appointment_id'], rule: 'copied_from_table' })
  })

  test.each([
    ['moments in milliseconds', 'number', { min: 1_609_722_000_000, max: 1_615_114_800_000 }],
    ['moments in text', 'text', { patterns: { timestamp: 900 }, minLength: 20, maxLength: 20 }],
  ])('%s are no key, though none comes twice', async (_, kind, profile) => {
    const column = kind === 'text' ? 'ts:t' : 'ts'
    const log = profiled(`audit_log: ${column} what:t`, 900, { what: 20 })
    const columns = { ...log.profile?.columns, ts: { nulls: 0, distinct: 900, ...profile } }
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 900 }))
    const { keys } = await infer([{ ...log, profile: { rows: 900, columns } }], { dialect, verify })
    expect(keys).toEqual([])
  })

  test('the code of a short list is its key if its rows agree, and a column called after both refers to it', async () => {
    const tables = (codes: number): readonly InferenceTable[] => [
      profiled('insurers: cd:t title:t', 5, { cd: codes }),
      profiled('patients: patient_no insurer_cd:t', 900, { insurer_cd: 5 }),
    ]
    const verify: Verify = async (checks) => checks.map(() => ({ violations: 0, checked: 5 }))
    const found = async (codes: number): Promise<readonly (readonly string[])[]> => {
      const { keys, references } = await infer(tables(codes), { dialect, verify })
      return [keys.flatMap(({ columns }) => columns), references.flatMap(({ parent }) => parent.columns)]
    }
    expect(await found(5)).toEqual([['cd', 'patient_no'], ['cd']])
    expect(await found(4)).toEqual([['patient_no'], []])
  })

  test('values of columns are compared with keys only if no name settles them, and amounts never', async () => {
    const tables = [
      profiled('customers: id', 900, { id: 900 }),
      profiled('orders: id customer_id buyer gross_weight', 900, {
        id: 900,
        customer_id: 800,
        buyer: 700,
        gross_weight: 700,
      }),
    ].map(withBounds)
    const asked: string[] = []
    const verify: Verify = async (checks) =>
      checks.map((check) => {
        if (check.kind === 'contained') asked.push(`${check.child.columns.join()} ${check.isStrict ?? false}`)
        return { violations: 0, checked: 700 }
      })
    const { references } = await infer(tables, { dialect, verify })
    expect(asked).toEqual(['customer_id false', 'buyer true'])
    expect(references.map(({ child, rule }) => [child.columns.join(), rule])).toEqual([
      ['customer_id', 'table_name'],
      ['buyer', 'values'],
    ])
  })
})

/** Bounds so wide that keys are few among the numbers between them. */
function withBounds({ profile = { rows: 0, columns: {} }, table: one }: InferenceTable): InferenceTable {
  const columns = Object.entries(profile.columns).map(
    ([name, column]) => [name, { ...column, min: 1, max: 9_000_000 }] as const,
  )
  return { table: one, profile: { ...profile, columns: Object.fromEntries(columns) } }
}

test('a table with one row per customer is not the parent of what is named after customers', async () => {
  const profile = (
    columns: Readonly<Record<string, number>>,
    rows: number,
  ): NonNullable<InferenceTable['profile']> => ({
    rows,
    columns: Object.fromEntries(
      Object.entries(columns).map(([name, distinct]) => [name, { nulls: 0, distinct, min: 1, max: 300 }]),
    ),
  })
  const verify: Verify = (checks) => Promise.resolve(checks.map(() => ({ violations: 0, checked: 200 })))
  const { references } = await infer(
    [
      { table: table('customers: id'), profile: profile({ id: 300 }, 300) },
      { table: table('totals: customer_id n:f'), profile: profile({ customer_id: 240, n: 20 }, 240) },
      { table: table('orders: id customer_id'), profile: profile({ id: 900, customer_id: 240 }, 900) },
    ],
    { dialect, verify },
  )
  expect(references.map(({ child, parent }) => `${child.table.name} -> ${parent.table.name}`)).toEqual([
    'totals -> customers',
    'orders -> customers',
  ])
})

test('a column called after a table is its own key if their values cannot be the same', async () => {
  const events = table('device_events: event_id:u device_id:u at:d')
  const { keys } = await infer(
    [
      { table: table('events: id name:t') },
      { table: table('devices: id:u') },
      {
        table: events,
        profile: {
          rows: 500,
          columns: { event_id: { nulls: 0, distinct: 500 }, device_id: { nulls: 0, distinct: 80 } },
        },
      },
    ],
    { dialect },
  )
  expect(keys.find((key) => key.table === events)?.columns).toEqual(['event_id'])
})

test.each([
  ['order_items: order_id position sku:t', ['order_items(order_id,position)']],
  ['order_items: supplier_id position sku:t', []],
])('lines have a key although their documents are not among the tables: %s', async (line, keys) => {
  expect((await inferred(line)).keys).toEqual(keys)
})

test.each([
  ['updated_ms', 1_700_000_000_000, ['epoch_milliseconds']],
  ['seen_at_us', 1_700_000_000_000_000, ['epoch_microseconds']],
  ['created_unix_s', 1_700_000_000, ['epoch_seconds']],
  ['duration_ms', 1_700_000_000_000, []],
  ['load_time_ms', 4_000, []],
  ['updated_ms', 1_700_000_000, ['epoch_seconds']],
])('the unit after a moment in %s, from %i on: %j', async (name, min, expected) => {
  const { facts } = await infer(
    [
      {
        table: table(`runs: id ${name}`),
        profile: { rows: 500, columns: { [name]: { nulls: 0, distinct: 400, min, max: min + 5000 } } },
      },
    ],
    { dialect },
  )
  expect(facts.flatMap(({ fact }) => (fact.kind === 'conversion' ? [fact.as] : []))).toEqual(expected)
})

test('infers many tables by their names quickly', async () => {
  const many = Array.from({ length: 400 }, (_, at) =>
    table(
      `thing_${at}: id name:t ${Array.from({ length: 20 }, (_unused, other) => `thing_${(at * 7 + other) % 400}_id`).join(' ')}`,
    ),
  )
  const before = process.cpuUsage()
  await infer(
    many.map((one) => ({ table: one })),
    { dialect },
  )
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
})

describe('references to keys of several columns', () => {
  const lines = [
    'orders: id',
    'order_lines: order_id line_number price:f',
    'returns: id order_id line_number reason:t',
  ]
  const profiled = (line: string): InferenceTable => {
    const one = table(line)
    const columns = one.columns.map(
      ({ name }) => [name, { nulls: 0, distinct: name === 'id' ? 500 : 100 }] as const,
    )
    return { table: one, profile: { rows: 500, columns: Object.fromEntries(columns) } }
  }
  const find = async (orphans: number, checked = 400): Promise<readonly string[]> => {
    const verify: Verify = async (checks) =>
      checks.map((check) =>
        check.kind === 'contained' && check.child.columns.length > 1
          ? { checked, violations: orphans }
          : { checked: 500, violations: 0 },
      )
    const { references } = await infer(lines.map(profiled), { dialect, verify })
    return references
      .filter(({ child }) => child.columns.length > 1)
      .map(
        ({ child, origin, parent, values }) =>
          `${child.table.name}(${child.columns.join()}) -> ${parent.table.name}(${parent.columns.join()}) ${origin} ${values?.checked}`,
      )
  }

  test('are found if all combinations exist', async () => {
    expect(await find(0)).toEqual([
      'returns(order_id,line_number) -> order_lines(order_id,line_number) data 400',
    ])
  })

  test('are not found if one is missing, or if there are few', async () => {
    expect(await find(1)).toEqual([])
    expect(await find(0, 10)).toEqual([])
  })

  test('are not taken from names', async () => {
    expect((await inferred(...lines)).references.filter((one) => one.includes('line_number'))).toEqual([])
  })
})

describe('joins of the project', () => {
  /** `orders.buyer = people.id` as a join. */
  async function joined(
    lines: readonly string[],
    joins: readonly string[],
    verify?: Verify,
  ): Promise<readonly string[]> {
    const tables = lines.map(table)
    const column = (text = '') => {
      const [name, own = ''] = text.split('.')
      const found = tables.find((one) => one.name === name)
      if (!found) throw new Error(`no table ${name}`)
      return { table: found, column: own }
    }
    const { references } = await infer(
      tables.map((one) => ({ table: one })),
      {
        dialect,
        ...(verify && { verify }),
        joins: joins.map((text, at) => {
          const [left, right] = text.split(' = ')
          return { left: column(left), right: column(right), place: `models/m.sql:${at + 1}` }
        }),
      },
    )
    return references.map(
      ({ child, confidence, joins: places = [], origin, parent }) =>
        `${child.table.name}.${child.columns.join()} -> ${parent.table.name}.${parent.columns.join()} ${origin} ${Math.round(confidence * 100)} ${places.join()}`,
    )
  }

  const SHOP = ['people: id', 'orders: id buyer']

  test('propose references without a name, whichever side comes first, with each place once', async () => {
    expect(await joined(SHOP, [])).toEqual([])
    expect(await joined(SHOP, ['people.id = orders.buyer', 'orders.buyer = people.id'])).toEqual([
      'orders.buyer -> people.id join 85 models/m.sql:1,models/m.sql:2',
    ])
  })

  test('raise the confidence of names', async () => {
    const lines = ['users: id', 'orders: id billing_user_id']
    expect(await joined(lines, [])).toEqual(['orders.billing_user_id -> users.id name 92 '])
    expect(await joined(lines, ['orders.billing_user_id = users.id'])).toEqual([
      'orders.billing_user_id -> users.id join 98 models/m.sql:1',
    ])
  })

  test('are confirmed by the rows, or refuted', async () => {
    const holds: Verify = (checks) => Promise.resolve(checks.map(() => ({ violations: 0, checked: 40 })))
    expect(await joined(SHOP, ['orders.buyer = people.id'], holds)).toEqual([
      'orders.buyer -> people.id data 85 models/m.sql:1',
    ])
    const fails: Verify = (checks) =>
      Promise.resolve(checks.map(({ kind }) => ({ violations: kind === 'contained' ? 3 : 0, checked: 40 })))
    expect(await joined(SHOP, ['orders.buyer = people.id'], fails)).toEqual([])
  })

  test.each([
    ['two columns that are no keys', SHOP, 'orders.buyer = people.age'],
    ['two keys, which say nothing of who comes first', SHOP, 'orders.id = people.id'],
    [
      'a column that leads to a table per row',
      ['people: id', 'notes: id source_id source_type:t'],
      'notes.source_id = people.id',
    ],
    ['columns of different types', ['people: id', 'orders: id buyer:t'], 'orders.buyer = people.id'],
  ])('prove nothing: %s', async (_, lines, join) => {
    expect(await joined(lines, [join])).toEqual([])
  })
})

test.each([
  ['_fivetran_synced', 'updated_at'],
  ['_FIVETRAN_SYNCED', 'loaded_at'],
  ['_airbyte_extracted_at', 'updated_at'],
  ['_sdc_batched_at', 'created_at'],
])('freshness is shown by %s of the loader, and not by %s', async (loaded, other) => {
  const times = { nulls: 0, distinct: 90 }
  const columns = [
    { name: 'id', type: 'integer' },
    { name: other, type: 'timestamp' },
    { name: loaded, type: 'timestamp' },
  ]
  const profile = {
    rows: 100,
    columns: { id: { nulls: 0, distinct: 100, min: 1, max: 100 }, [other]: times, [loaded]: times },
  }
  const freshnessOf = async (own: typeof columns): Promise<readonly (string | undefined)[]> => {
    const { facts } = await infer([{ table: { name: 'orders', columns: own }, profile }], { dialect })
    return facts.filter(({ fact }) => fact.kind === 'freshness').map(({ column }) => column)
  }
  expect(await freshnessOf(columns)).toEqual([loaded])
  expect(await freshnessOf(columns.slice(0, 2))).toEqual([other])
})

test.each([
  ['ja', 'nein', 'yes and no in german'],
  ['J', 'N', 'yes and no in german'],
  ['Oui', 'Non', 'yes and no in french'],
  ['SI', 'NO', 'yes and no in spanish'],
  ['sim', 'não', 'yes and no in portuguese'],
  ['S', 'N', 'same list in both halves'],
  ['O', 'N', 'same list in both halves'],
])('%s and %s are found as %s, and accepted as a list that becomes a boolean', async (yes, no, rule) => {
  const values = [yes, no].map((value) => ({ value, rows: 50, halves: [true, true] as const }))
  const column = { nulls: 0, distinct: 2, minLength: 1, maxLength: 4, values }
  const table = { name: 'things', columns: [{ name: 'geprueft', type: 'varchar' }] }
  const profile = { rows: 100, columns: { geprueft: column } }
  const inference = await infer([{ table, profile }], { dialect })
  expect(inference.facts.map(({ fact, rule: found }) => [fact.kind, found.replaceAll('_', ' ')])).toEqual([
    ['values', rule],
  ])
  expect(areBooleans([yes, no])).toBe(rule.startsWith('yes'))
})

test.each([
  ['opt', [0, 1], [0, 1]],
  ['active', [0, 1, 2], [0, 1, 2]],
  ['opt', [0, 1, 2], undefined],
  ['opt', [3, 7], undefined],
])(
  'a tinyint(1) %s with the values %j has the list %j, which decides if it is a boolean',
  async (name, values, list) => {
    const columns = [
      { name: 'id', type: 'int' },
      { name, type: 'tinyint(1)' },
    ]
    const counts = values.map((value) => ({ value, rows: 100, halves: [true, true] as const }))
    const profile = {
      rows: 100 * values.length,
      columns: { [name]: { nulls: 0, distinct: values.length, min: 0, max: values.at(-1), values: counts } },
    }
    const { facts } = await infer([{ table: { name: 'orders', columns }, profile }], {
      dialect: DIALECTS.mysql,
    })
    const lists = facts.flatMap(({ fact }) => (fact.kind === 'values' ? [fact.values] : []))
    expect(lists).toEqual(list ? [list] : [])
  },
)
